-- LifeSignal's store, schema 16.
-- runs: 14

-- When a check-in reached the store, if that was later than it was made; null otherwise (OFF-3).
ALTER TABLE check_in ADD COLUMN received_at INTEGER;
