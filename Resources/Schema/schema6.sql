-- LifeSignal's store, schema 6.

-- When a damaged index was last rebuilt from its table, so that doctor says it.
ALTER TABLE watch ADD COLUMN rebuilt_at INTEGER;
