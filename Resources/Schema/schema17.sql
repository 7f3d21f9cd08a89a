-- LifeSignal's store, schema 17.
-- runs: 14

-- The key to which devices seal the passphrases of check-ins that wait (OFF-4). One row, made when a
-- server first needs it. No monitor may read it.
CREATE TABLE server_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret TEXT NOT NULL
);
