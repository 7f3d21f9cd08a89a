-- LifeSignal's store, schema 17.
-- runs: 14

-- Find what is too old to be kept.
CREATE INDEX check_in_at ON check_in (at);
CREATE INDEX alert_settled ON alert (resolved_at) WHERE settled = 1;
CREATE INDEX delivery_finished ON delivery (finished_at) WHERE alert IS NULL;

-- The key to which devices seal the passphrases of check-ins that wait (OFF-4). One row, made when a
-- server first needs it. No monitor may read it.
CREATE TABLE server_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  secret TEXT NOT NULL
);
