-- LifeSignal's store, schema 9: what a server keeps.

-- Writes that were asked for under a key, so that a repeat is known. The row comes with the first
-- transaction of what was asked; without an answer it is not known how far that came. `account` is 0 where
-- nobody was signed in.
CREATE TABLE request (
  account INTEGER NOT NULL,
  id TEXT NOT NULL CHECK (length(id) = 36),
  -- Digests what was asked: another body is another request.
  digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- 1 for a check-in or an alert, whose key is kept for ever, without its answer.
  lasts INTEGER NOT NULL,
  -- Null while there is none; empty for an answer without a body.
  answer TEXT,
  PRIMARY KEY (account, id)
) STRICT;

CREATE INDEX request_at ON request (at);

-- Who may open an account on a server.
CREATE TABLE invite (
  -- A digest.
  code TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  uses_left INTEGER NOT NULL CHECK (uses_left >= 0)
) STRICT;

-- Nobody signs in to an account that an administrator has switched off.
ALTER TABLE account ADD COLUMN disabled_at INTEGER;
