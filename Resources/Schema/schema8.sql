-- LifeSignal's store, schema 8.

-- Whether a link in a message checks in (CHK-8).
ALTER TABLE account ADD COLUMN takes_links INTEGER NOT NULL DEFAULT 0 CHECK (takes_links IN (0, 1));

-- A code with which the person checks in. Only its digest is kept. It was sent on one of their
-- channels about the deadline of `sequence`, and counts while that deadline is the current one.
-- `used_at` is when it checked in, or was passed on to the responders, which its page shows; a
-- check-in by it moves it to the new sequence.
CREATE TABLE check_in_code (
  digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  channel TEXT NOT NULL CHECK (channel <> ''),
  address TEXT NOT NULL CHECK (address <> ''),
  used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX check_in_code_account ON check_in_code (account);

-- When a responder withdrew their response, and how often they did (PAGE-1).
ALTER TABLE acknowledgement ADD COLUMN withdrawn_at INTEGER;
ALTER TABLE acknowledgement ADD COLUMN withdrawals INTEGER NOT NULL DEFAULT 0
  CHECK (withdrawals >= 0);
