-- LifeSignal's store, schema 9: what a server stores.

-- Writes that were requested under a key, so that a repetition is recognised. The row is written in
-- the first transaction of the operation; without an answer, nobody knows how far the operation
-- came. `account` is 0 if nobody was signed in.
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

-- Invitations to create an account on a server.
CREATE TABLE invite (
  -- A digest.
  code TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  uses_left INTEGER NOT NULL CHECK (uses_left >= 0)
) STRICT;

-- When an administrator disabled the account, so that nobody can sign in to it.
ALTER TABLE account ADD COLUMN disabled_at INTEGER;
