-- LifeSignal's store, schema 6.

-- When a damaged index was last rebuilt from its table, so that doctor says it.
ALTER TABLE watch ADD COLUMN rebuilt_at INTEGER;

-- The codes of messages are looked up by their digest, so that the time that a wrong one takes says
-- nothing of the right ones. Those from before have none, and are looked up as they are.
ALTER TABLE response_code ADD COLUMN digest TEXT CHECK (length(digest) = 64);
CREATE UNIQUE INDEX response_code_digest ON response_code (digest);

-- The end of a drill has kinds of its own: nothing is found by the text that it says.
UPDATE notification SET kind = 'drill_passed'
  WHERE kind = 'system_success' AND detail LIKE 'Drill: %';
UPDATE notification SET kind = 'drill_failed'
  WHERE kind = 'system_error' AND detail LIKE 'Drill: %';
