-- The rights of the roles. Run after every migration, so that they cover new tables as well.

REVOKE ALL ON ALL TABLES IN SCHEMA lifesignal FROM PUBLIC, ls_server, ls_monitor;
GRANT USAGE ON SCHEMA lifesignal TO ls_server, ls_monitor;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lifesignal TO ls_server, ls_monitor;
REVOKE INSERT, UPDATE, DELETE ON lifesignal_meta FROM ls_server, ls_monitor;
-- For a backup.
GRANT SELECT ON ALL SEQUENCES IN SCHEMA lifesignal TO ls_server;

-- A monitor sees that a password is set, but no hash: it has another `account`, which shows `*`.
REVOKE ALL ON account, session, wrong_tries, password_reset, reset_code, blob_part, request, invite, server_key FROM ls_monitor;
DROP VIEW IF EXISTS lifesignal_watch.account;
DO $$
DECLARE columns text;
BEGIN
  SELECT string_agg(
    CASE WHEN attname IN ('password', 'gate', 'duress', 'seeming_gate')
      THEN format('CASE WHEN %1$I IS NOT NULL THEN ''*'' END AS %1$I', attname)
      ELSE quote_ident(attname) END, ', ' ORDER BY attnum)
  INTO columns FROM pg_attribute
  WHERE attrelid = 'lifesignal.account'::regclass AND attnum > 0 AND NOT attisdropped;
  EXECUTE 'CREATE VIEW lifesignal_watch.account AS SELECT ' || columns || ' FROM lifesignal.account';
END $$;
GRANT USAGE ON SCHEMA lifesignal_watch TO ls_monitor;
GRANT SELECT, UPDATE, DELETE ON lifesignal_watch.account TO ls_monitor;
