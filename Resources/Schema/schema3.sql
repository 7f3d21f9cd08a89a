-- LifeSignal's store, schema 3: more channels, repeated messages and responses.

-- How often the responders are notified again (ESC-2). If a monitor found that the deadline of
-- `grace_sequence` had passed unwatched, its grace time started again at `grace_from` (ESC-4).
ALTER TABLE account ADD COLUMN repeat_every INTEGER NOT NULL DEFAULT 3600
  CHECK (repeat_every BETWEEN 600 AND 86400);
ALTER TABLE account ADD COLUMN grace_sequence INTEGER;
ALTER TABLE account ADD COLUMN grace_from INTEGER
  CHECK ((grace_from IS NULL) = (grace_sequence IS NULL));

-- How long after the end of the grace time a missed deadline was noticed; null if in time.
ALTER TABLE alert ADD COLUMN noticed_late_by INTEGER CHECK (noticed_late_by > 0);

-- The secret that signs a webhook, or opens a protected topic.
ALTER TABLE channel ADD COLUMN secret TEXT CHECK (secret <> '');

-- When an outside contact declined (CON-3): they are sent nothing more.
ALTER TABLE contact ADD COLUMN declined_at INTEGER;

-- A code with which a responder acknowledges an alert or, without an alert, declines to be a
-- contact. `responder` is the identifier of the contact or the relation.
CREATE TABLE response_code (
  code TEXT PRIMARY KEY CHECK (code <> ''),
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  alert INTEGER REFERENCES alert (key) ON DELETE CASCADE,
  responder TEXT NOT NULL CHECK (length(responder) = 36),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX response_code_alert ON response_code (alert, responder)
  WHERE alert IS NOT NULL;
CREATE UNIQUE INDEX response_code_contact ON response_code (account, responder)
  WHERE alert IS NULL;

-- Since when monitors have watched without a gap, according to their heartbeats (ESC-4).
CREATE TABLE watch (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  since INTEGER NOT NULL,
  last_seen INTEGER NOT NULL
) STRICT;

-- The services that notice when the machine that watches falls silent (WCH-2), and the message that
-- waits at an ntfy server until then.
CREATE TABLE standby (
  account INTEGER PRIMARY KEY REFERENCES account (key) ON DELETE CASCADE,
  heartbeat TEXT CHECK (heartbeat <> ''),
  topic TEXT CHECK (topic <> ''),
  waiting_topic TEXT CHECK (waiting_topic <> ''),
  waiting_until INTEGER CHECK ((waiting_until IS NULL) = (waiting_topic IS NULL))
) STRICT;

-- Finds the last message on a channel.
CREATE INDEX delivery_channel ON delivery (account, channel, address);
