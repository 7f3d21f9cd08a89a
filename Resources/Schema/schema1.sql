-- LifeSignal's store, schema 1.
--
-- Instants are whole milliseconds since 1970-01-01 UTC, spans whole seconds, identifiers lower-case
-- UUIDs. The program checks what it reads again, so that a row that was edited by hand is reported
-- and never trusted.

-- A person. `check_in_sequence` counts check-ins and names the current deadline. `revision` grows
-- with every write that concerns the account. `attention_at` is when the monitor must check the
-- account again: 0 after every write that can change who must be notified of what, and the far
-- future (253402300799999) for never. `fault` says why the monitor could not read the account.
CREATE TABLE account (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  is_local INTEGER NOT NULL CHECK (is_local IN (0, 1)),
  name TEXT NOT NULL CHECK (name <> ''),
  phone TEXT CHECK (phone GLOB '+[1-9]*'),
  note TEXT NOT NULL,
  email TEXT CHECK (email LIKE '%_@_%'),
  interval INTEGER NOT NULL CHECK (interval BETWEEN 3600 AND 2592000),
  grace INTEGER NOT NULL CHECK (grace BETWEEN 0 AND 86400),
  reminders TEXT NOT NULL CHECK (reminders GLOB '[[]*]'),
  check_in_sequence INTEGER NOT NULL CHECK (check_in_sequence >= 0),
  last_check_in INTEGER NOT NULL CHECK (last_check_in BETWEEN 0 AND 253402300799999),
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1 CHECK (revision >= 1),
  attention_at INTEGER NOT NULL DEFAULT 0 CHECK (attention_at BETWEEN 0 AND 253402300799999),
  fault TEXT
) STRICT;

-- The account of the person who can open the file. There is only one.
CREATE UNIQUE INDEX account_local ON account (is_local) WHERE is_local = 1;
CREATE INDEX account_attention ON account (attention_at, last_check_in);
CREATE INDEX account_fault ON account (key) WHERE fault IS NOT NULL;

-- A person that somebody named as a contact. `roles`: 1 responds for me, 2 I respond for them.
CREATE TABLE contact (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  name TEXT NOT NULL CHECK (name <> ''),
  phone TEXT CHECK (phone GLOB '+[1-9]*'),
  note TEXT NOT NULL,
  roles INTEGER NOT NULL CHECK (roles BETWEEN 1 AND 3),
  added_at INTEGER NOT NULL
) STRICT;

CREATE INDEX contact_account ON contact (account);

-- A way to reach a contact. No two contacts of an account share an address.
CREATE TABLE channel (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  contact INTEGER NOT NULL REFERENCES contact (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  kind TEXT NOT NULL CHECK (kind <> ''),
  address TEXT NOT NULL COLLATE NOCASE CHECK (address <> ''),
  UNIQUE (account, kind, address)
) STRICT;

CREATE INDEX channel_contact ON channel (contact);

-- The history of check-ins. `margin` is the time that was left of the interval; null for the first.
CREATE TABLE check_in (
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  id TEXT NOT NULL CHECK (length(id) = 36),
  at INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source <> ''),
  margin INTEGER,
  PRIMARY KEY (account, sequence)
) STRICT, WITHOUT ROWID;

-- A call for help. A missed deadline raises one per check-in sequence, whatever crashes or runs
-- twice. It is settled when nobody is left to be notified that it is over.
CREATE TABLE alert (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  kind TEXT NOT NULL CHECK (kind <> ''),
  message TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  sequence INTEGER CHECK ((kind = 'missed') = (sequence IS NOT NULL)),
  resolved_at INTEGER,
  settled INTEGER NOT NULL DEFAULT 0 CHECK (settled = 0 OR (settled = 1 AND resolved_at IS NOT NULL))
) STRICT;

CREATE INDEX alert_account ON alert (account);
CREATE INDEX alert_unsettled ON alert (account) WHERE settled = 0;
CREATE UNIQUE INDEX alert_missed ON alert (account, sequence) WHERE kind = 'missed';
CREATE UNIQUE INDEX alert_manual ON alert (account) WHERE kind = 'manual' AND resolved_at IS NULL;

-- A message to one recipient on one channel, about an alert or about the deadline of a sequence.
-- `id` identifies the message in every attempt. Nobody takes it before `not_before`: the time of
-- the next attempt, or the end of the lease of the monitor that is sending it now. An outcome is
-- recorded only with the current `token`. `recorded` is 0 from a claim to its record; `doubtful` is
-- 1 once an attempt has ended without a record, or with one that can't tell whether it arrived.
CREATE TABLE delivery (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  alert INTEGER REFERENCES alert (key) ON DELETE CASCADE,
  sequence INTEGER CHECK ((alert IS NULL) = (sequence IS NOT NULL)),
  stage TEXT NOT NULL CHECK (stage <> ''),
  recipient TEXT NOT NULL CHECK (recipient = 'owner' OR length(recipient) = 36),
  recipient_name TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel <> ''),
  address TEXT NOT NULL CHECK (address <> ''),
  in_reply_to TEXT,
  planned_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'sent', 'failed', 'cancelled')),
  not_before INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  recorded INTEGER NOT NULL DEFAULT 1 CHECK (recorded IN (0, 1)),
  doubtful INTEGER NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1)),
  token TEXT CHECK (length(token) = 36),
  leased_until INTEGER CHECK ((leased_until IS NULL) = (token IS NULL)),
  finished_at INTEGER CHECK ((state = 'pending') = (finished_at IS NULL)),
  last_error TEXT
) STRICT;

CREATE UNIQUE INDEX delivery_alert
  ON delivery (alert, stage, recipient, channel, address) WHERE alert IS NOT NULL;
CREATE UNIQUE INDEX delivery_sequence
  ON delivery (account, sequence, stage, recipient, channel, address) WHERE alert IS NULL;
CREATE INDEX delivery_pending ON delivery (not_before) WHERE state = 'pending';
CREATE INDEX delivery_account_pending ON delivery (account) WHERE state = 'pending';

-- The monitors. A monitor is alive until `leased_until`.
CREATE TABLE monitor (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  last_seen INTEGER NOT NULL,
  leased_until INTEGER NOT NULL,
  problem TEXT
) STRICT, WITHOUT ROWID;

-- A person's own documents. `account` is 0 for those written before there was an account; creating
-- one takes them over.
CREATE TABLE document (
  account INTEGER NOT NULL,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  json TEXT NOT NULL CHECK (json <> ''),
  PRIMARY KEY (account, collection, id)
) STRICT, WITHOUT ROWID;
