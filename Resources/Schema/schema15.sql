-- LifeSignal's store, schema 15.
-- runs: 14

-- Finds what a recipient was sent lately, whom nobody sends too much (NOT-5).
CREATE INDEX delivery_recipient ON delivery (account, recipient);

-- When the person last asked for an alert that was on already; null for one raised once. A cancel
-- that was made before doesn't mean it.
ALTER TABLE alert ADD COLUMN asked_at INTEGER;
