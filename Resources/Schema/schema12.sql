-- LifeSignal's store, schema 12.

-- Where the person lives, and how to get in. Responders see the second only while an alert is on.
ALTER TABLE account ADD COLUMN home_address TEXT CHECK (home_address <> '');
ALTER TABLE account ADD COLUMN way_in TEXT CHECK (way_in <> '');

-- How the wall clock compares with the time since the machine was started, which nobody can set
-- (ESC-5), as of the last write. `boot` names the start of the machine; `uptime` and `jump_since`
-- are milliseconds since then. `at` is the time that counted. `jump` is how far the wall clock was
-- from it, and null while they agreed. `era` is since when times in the store can be compared by
-- the time since the start. `moved` is the sum of the jumps that were believed since then; `jumps`
-- counts all of them, and the last one was `last_jump`, at `last_jump_at`. In a backup, `backup` is
-- its number: backups are ordered by it, because a date can come from a wrong clock.
CREATE TABLE clock (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  boot TEXT NOT NULL CHECK (boot <> ''),
  at INTEGER NOT NULL,
  uptime INTEGER NOT NULL,
  jump INTEGER,
  jump_since INTEGER CHECK ((jump IS NULL) = (jump_since IS NULL)),
  era INTEGER NOT NULL,
  moved INTEGER NOT NULL DEFAULT 0,
  jumps INTEGER NOT NULL DEFAULT 0 CHECK (jumps >= 0),
  last_jump INTEGER,
  last_jump_at INTEGER CHECK ((last_jump IS NULL) = (last_jump_at IS NULL)),
  backup INTEGER
) STRICT;

-- What the services of a standby said (WCH-2): an empty text if the service accepted what it was
-- sent last, otherwise why it didn't; null if it was sent nothing yet.
ALTER TABLE standby ADD COLUMN heartbeat_answer TEXT;
ALTER TABLE standby ADD COLUMN message_answer TEXT;

-- Messages to servers that are slow, unclear or refuse access.

-- How attempts to send a message ended (CHN-2): the last one, how many in a row like it, and how
-- many of all may have delivered it.
ALTER TABLE delivery ADD COLUMN outcome TEXT;
ALTER TABLE delivery ADD COLUMN outcome_run INTEGER NOT NULL DEFAULT 0 CHECK (outcome_run >= 0);
ALTER TABLE delivery ADD COLUMN ambiguous INTEGER NOT NULL DEFAULT 0 CHECK (ambiguous >= 0);
-- The attempt under way: since when, and with which mail server. Null while there is none.
ALTER TABLE delivery ADD COLUMN begun_at INTEGER;
ALTER TABLE delivery ADD COLUMN server TEXT;
-- The route of the last attempt, or the one it waits for; null for a pretended attempt.
ALTER TABLE delivery ADD COLUMN route TEXT;

-- The routes that messages take: a mail server with a login, or a service with a token. One that
-- refuses access, or asks to wait, takes nothing before `held_until`, and then one message that
-- tries it, `probe` (CHN-2). `works_at` is when it last accepted a message, null while it doesn't.
CREATE TABLE route (
  key TEXT PRIMARY KEY CHECK (key <> ''),
  refusals INTEGER NOT NULL CHECK (refusals >= 0),
  held_until INTEGER NOT NULL,
  probe TEXT CHECK (length(probe) = 36),
  works_at INTEGER,
  reason TEXT
) STRICT, WITHOUT ROWID;
