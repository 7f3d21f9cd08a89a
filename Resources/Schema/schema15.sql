-- LifeSignal's store, schema 15.
-- runs: 14

-- Finds what a recipient was sent lately, whom nobody sends too much (NOT-5).
CREATE INDEX delivery_recipient ON delivery (account, recipient);
