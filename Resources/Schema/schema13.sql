-- LifeSignal's store, schema 13.

-- The codes to set a new password with, several at a time, so that a stranger who asks for one ends
-- none of them (DUR-2). `code` is a digest.
CREATE TABLE reset_code (
  code TEXT PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX reset_code_account ON reset_code (account);

INSERT INTO reset_code (code, account, expires_at)
SELECT code, account, expires_at FROM password_reset;
-- The old table stays, empty, for servers that still run the version before.
DELETE FROM password_reset;
