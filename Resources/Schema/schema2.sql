-- LifeSignal's store, schema 2: several people in one file.

-- `code` is what another account adds this one by (QR-1). `password`, `gate` and `duress` are
-- Argon2id hashes in their text form, null if none is set. A pause lasts until `paused_until`,
-- began at `paused_at`, and the interval starts again at its end (CHK-7). A deleted account is
-- kept, without what is private in it, until its responders have been notified (AUTH-4). `is_local`
-- now marks the account that was created first, which needs no session while it has no password.
-- `seeming_gate` is the gate that the account seems to have since a change under duress, empty for
-- none. `picture` is the identifier of a file.
ALTER TABLE account ADD COLUMN code TEXT CHECK (length(code) = 36);
ALTER TABLE account ADD COLUMN password TEXT CHECK (password <> '');
ALTER TABLE account ADD COLUMN gate TEXT CHECK (gate <> '');
ALTER TABLE account ADD COLUMN duress TEXT CHECK (duress IS NULL OR gate IS NOT NULL);
ALTER TABLE account ADD COLUMN seeming_gate TEXT CHECK (seeming_gate IS NULL OR gate IS NOT NULL);
ALTER TABLE account ADD COLUMN paused_until INTEGER
  CHECK (paused_until BETWEEN 0 AND 253402300799999);
ALTER TABLE account ADD COLUMN paused_at INTEGER
  CHECK ((paused_at IS NULL) = (paused_until IS NULL));
ALTER TABLE account ADD COLUMN picture TEXT CHECK (length(picture) = 36);
ALTER TABLE account ADD COLUMN deleted_at INTEGER;

UPDATE account SET code = lower(
  hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
  || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));

CREATE UNIQUE INDEX account_code ON account (code);
CREATE UNIQUE INDEX account_email ON account (email COLLATE NOCASE) WHERE email IS NOT NULL;

-- A session on a device, which lasts until `expires_at`. Only a hash of the token is kept.
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  token TEXT NOT NULL UNIQUE CHECK (token <> ''),
  device TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX session_account ON session (account);

-- Wrong tries in a row (AUTH-3), by the address or the account that they were made at. An address
-- without an account is locked like any other, so that nobody learns whether there is one.
CREATE TABLE wrong_tries (
  place TEXT PRIMARY KEY,
  count INTEGER NOT NULL CHECK (count >= 1),
  last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A code that was mailed to a person who forgot their password. Only a hash of it is kept.
CREATE TABLE password_reset (
  account INTEGER PRIMARY KEY REFERENCES account (key) ON DELETE CASCADE,
  code TEXT NOT NULL CHECK (code <> ''),
  expires_at INTEGER NOT NULL
) STRICT;

-- Two accounts that know each other: one row, seen from two sides (CON-1). `roles` is as the
-- requester sees it: 1 the other responds for me, 2 I respond for the other. It counts once the
-- other has consented (CON-2).
CREATE TABLE relation (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  requester INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  addressee INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE
    CHECK (addressee <> requester),
  roles INTEGER NOT NULL CHECK (roles BETWEEN 1 AND 3),
  state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'declined')),
  created_at INTEGER NOT NULL,
  answered_at INTEGER CHECK ((state = 'pending') = (answered_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX relation_pair
  ON relation (min(requester, addressee), max(requester, addressee));
CREATE INDEX relation_requester ON relation (requester);
CREATE INDEX relation_addressee ON relation (addressee);

-- “Please check in.” One is open for each ordered pair (PNG-1). One that has been open for 24 hours
-- has expired, whatever its row says.
CREATE TABLE ping (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  relation INTEGER NOT NULL REFERENCES relation (key) ON DELETE CASCADE,
  sender INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  sent_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'withdrawn', 'expired')),
  ended_at INTEGER CHECK ((state = 'open') = (ended_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX ping_open ON ping (relation, sender) WHERE state = 'open';
CREATE INDEX ping_relation ON ping (relation);
CREATE INDEX ping_age ON ping (sent_at) WHERE state = 'open';

-- Notifications on screen, kept for 30 days (NOT-1). `subject` names the person that one is about.
CREATE TABLE notification (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  kind TEXT NOT NULL CHECK (kind <> ''),
  at INTEGER NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0 CHECK (is_read IN (0, 1)),
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE INDEX notification_account ON notification (account, key);
CREATE INDEX notification_age ON notification (at);

-- Earlier alerts, as notifications.
INSERT INTO notification (account, id, kind, at, is_read, subject, detail)
  SELECT account, lower(
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), told, at, 1, '', detail
  FROM (
    SELECT account, iif(kind = 'missed', 'non_responsive', 'alert_sent') AS told, raised_at AS at,
      message AS detail FROM alert
    UNION ALL
    SELECT account, iif(kind = 'missed', 'all_clear', 'alert_ended'), resolved_at, ''
      FROM alert WHERE resolved_at IS NOT NULL)
  ORDER BY at;

-- The stages of a sequence's deadline that the person was notified of on screen, so that it happens
-- once.
CREATE TABLE notice (
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  stage TEXT NOT NULL CHECK (stage <> ''),
  PRIMARY KEY (account, sequence, stage)
) STRICT, WITHOUT ROWID;

-- A responder's answer that they are responding to an alert (ESC-2). `responder` is the identifier
-- of the contact or the relation.
CREATE TABLE acknowledgement (
  alert INTEGER NOT NULL REFERENCES alert (key) ON DELETE CASCADE,
  responder TEXT NOT NULL CHECK (length(responder) = 36),
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (alert, responder)
) STRICT, WITHOUT ROWID;

-- When a silent alert, or one that was cancelled under duress, was hidden from its person: as if it
-- were over, or had never been (CHK-3).
ALTER TABLE alert ADD COLUMN concealed_at INTEGER;
DROP INDEX alert_manual;
CREATE UNIQUE INDEX alert_manual ON alert (account)
  WHERE kind = 'manual' AND resolved_at IS NULL AND concealed_at IS NULL;
CREATE UNIQUE INDEX alert_duress ON alert (account) WHERE kind = 'duress' AND resolved_at IS NULL;
CREATE UNIQUE INDEX alert_drill ON alert (account) WHERE kind = 'drill' AND resolved_at IS NULL;

-- Further text of a message, such as a code; emptied when the message is finished. A delivery about
-- the account itself has the sequence -1.
ALTER TABLE delivery ADD COLUMN detail TEXT NOT NULL DEFAULT '';

-- An emergency document or a picture. Its bytes are in a separate file, named after `id`.
CREATE TABLE file (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  name TEXT NOT NULL CHECK (name <> ''),
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL CHECK (size >= 0),
  access TEXT NOT NULL CHECK (access IN ('always', 'alert', 'picture')),
  added_at INTEGER NOT NULL
) STRICT;

CREATE INDEX file_account ON file (account);

-- A channel without a contact is the person's own.
CREATE TABLE channel2 (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  contact INTEGER REFERENCES contact (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  kind TEXT NOT NULL CHECK (kind <> ''),
  address TEXT NOT NULL COLLATE NOCASE CHECK (address <> '')
) STRICT;
INSERT INTO channel2 (key, account, contact, id, kind, address)
  SELECT key, account, contact, id, kind, address FROM channel;
DROP TABLE channel;
ALTER TABLE channel2 RENAME TO channel;

-- No two contacts of an account share an address.
CREATE UNIQUE INDEX channel_address ON channel (account, kind, address) WHERE contact IS NOT NULL;
CREATE UNIQUE INDEX channel_own ON channel (account, kind, address) WHERE contact IS NULL;
CREATE INDEX channel_contact ON channel (contact);
