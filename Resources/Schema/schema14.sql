-- LifeSignal's store, schema 14. Older programs don't know the stages that newer ones write.

-- 1 for a channel or standby that was there before a server kept its members' ones from reaching
-- private addresses and the machine itself. Such a one goes on reaching them.
ALTER TABLE channel ADD COLUMN may_be_private INTEGER NOT NULL DEFAULT 0
  CHECK (may_be_private IN (0, 1));
ALTER TABLE kept_channel ADD COLUMN may_be_private INTEGER NOT NULL DEFAULT 0
  CHECK (may_be_private IN (0, 1));
ALTER TABLE standby ADD COLUMN may_be_private INTEGER NOT NULL DEFAULT 0
  CHECK (may_be_private IN (0, 1));
UPDATE channel SET may_be_private = 1 WHERE kind IN ('webhook', 'ntfy', 'service');
UPDATE kept_channel SET may_be_private = 1 WHERE kind IN ('webhook', 'ntfy', 'service');
UPDATE standby SET may_be_private = 1;
