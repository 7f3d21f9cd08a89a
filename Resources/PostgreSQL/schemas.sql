-- The schemas of the tables, and who can use the database. Run after the roles.
CREATE SCHEMA IF NOT EXISTS lifesignal AUTHORIZATION ls_owner;
CREATE SCHEMA IF NOT EXISTS lifesignal_watch AUTHORIZATION ls_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
DO $$ BEGIN EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()); END $$;
DO $$ BEGIN
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO ls_server, ls_monitor', current_database());
END $$;
