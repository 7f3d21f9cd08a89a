-- The three roles, created where they are missing: for the owner of the tables, for servers and for
-- monitors. People have none. Every login is a member of one of them.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ls_owner', 'ls_server', 'ls_monitor'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    END IF;
  END LOOP;
END $$;
