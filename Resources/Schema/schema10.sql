-- LifeSignal's store, schema 10: accounts that move to a server.

-- The server that an account has moved to: it takes no check-ins here.
ALTER TABLE account ADD COLUMN moved_to TEXT CHECK (moved_to <> '');
-- 1 while another store watches the deadline: in the old store once the server's monitor has
-- checked the account, and on the server until the old store takes no check-ins. Alerts are sent
-- all the same.
ALTER TABLE account ADD COLUMN watched_elsewhere INTEGER NOT NULL DEFAULT 0
  CHECK (watched_elsewhere IN (0, 1));
