-- LifeSignal's store, schema 6.

-- When a damaged index was last rebuilt from its table, for doctor to report.
ALTER TABLE watch ADD COLUMN rebuilt_at INTEGER;

-- The codes of messages are looked up by their digest, so that the time that a wrong one takes
-- reveals nothing about the right ones. Older codes have no digest, and are looked up as they are.
ALTER TABLE response_code ADD COLUMN digest TEXT CHECK (length(digest) = 64);
CREATE UNIQUE INDEX response_code_digest ON response_code (digest);

-- The end of a drill gets its own kinds, so that nothing is found by its text.
UPDATE notification SET kind = 'drill_passed'
  WHERE kind = 'system_success' AND detail LIKE 'Drill: %';
UPDATE notification SET kind = 'drill_failed'
  WHERE kind = 'system_error' AND detail LIKE 'Drill: %';

-- Addresses and gates (AUTH-5, CHK-3).

-- The address that signs in and gets codes for a new password. A new address in a profile only gets
-- reminders until its code was entered. Older addresses count as verified.
ALTER TABLE account ADD COLUMN sign_in_email TEXT CHECK (sign_in_email LIKE '%_@_%');
UPDATE account SET sign_in_email = email;
CREATE UNIQUE INDEX account_sign_in_email ON account (sign_in_email COLLATE NOCASE)
  WHERE sign_in_email IS NOT NULL;

-- When the password was last reset with a code.
ALTER TABLE account ADD COLUMN reset_at INTEGER;

-- A code mailed to a new address. Only a hash of it is stored.
CREATE TABLE address_code (
  account INTEGER PRIMARY KEY REFERENCES account (key) ON DELETE CASCADE,
  email TEXT NOT NULL CHECK (email LIKE '%_@_%'),
  code TEXT NOT NULL CHECK (code <> ''),
  expires_at INTEGER NOT NULL
) STRICT;

-- A code that was mailed to an address that was replaced; it restores that address.
CREATE TABLE replaced_address (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  email TEXT NOT NULL COLLATE NOCASE CHECK (email LIKE '%_@_%'),
  code TEXT NOT NULL UNIQUE CHECK (code <> ''),
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX replaced_address_account ON replaced_address (account);
CREATE INDEX replaced_address_email ON replaced_address (email);

-- A request that weakens help, made a short time after the password was set by a code. It waits
-- from `asked_at` on. The code cancels it.
CREATE TABLE waiting_request (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  operation TEXT NOT NULL CHECK (operation <> ''),
  code TEXT NOT NULL UNIQUE CHECK (code <> ''),
  asked_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX waiting_request_account ON waiting_request (account, operation);

-- The responders' channels as they were when the gate was passed under duress: a silent alert goes
-- to them, whatever is removed afterwards. Deleted once the silent alert has ended.
CREATE TABLE kept_channel (
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  responder TEXT NOT NULL CHECK (length(responder) = 36),
  name TEXT NOT NULL CHECK (name <> ''),
  id TEXT NOT NULL CHECK (length(id) = 36),
  kind TEXT NOT NULL CHECK (kind <> ''),
  address TEXT NOT NULL COLLATE NOCASE CHECK (address <> ''),
  secret TEXT CHECK (secret <> ''),
  PRIMARY KEY (account, responder, kind, address)
) STRICT, WITHOUT ROWID;

-- An armed alert, which is raised at `fires_at` unless it is stopped (ALT-7). Its row is deleted
-- when it is raised, as the alert with the same `id`. A stopped one stays for a day, so that no
-- request that is still on its way arms it again.
CREATE TABLE armed_alert (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  message TEXT NOT NULL,
  armed_at INTEGER NOT NULL,
  fires_at INTEGER NOT NULL,
  stopped_at INTEGER
) STRICT;

CREATE INDEX armed_alert_account ON armed_alert (account);
CREATE UNIQUE INDEX armed_alert_one ON armed_alert (account) WHERE stopped_at IS NULL;

-- Whether the last attempt didn't send this message because a silent alert was on: it sent that alert
-- instead, or only seemed to send.
ALTER TABLE delivery ADD COLUMN unsaid INTEGER NOT NULL DEFAULT 0 CHECK (unsaid IN (0, 1));

-- An alert that was cancelled under duress is over, and the silent alert goes on in its place. What
-- has happened to it since must not show.
DELETE FROM delivery WHERE EXISTS (
  SELECT 1 FROM alert WHERE alert.key = delivery.alert AND resolved_at IS NULL
    AND planned_at > concealed_at);
DELETE FROM acknowledgement WHERE EXISTS (
  SELECT 1 FROM alert WHERE alert.key = acknowledgement.alert AND resolved_at IS NULL
    AND at > concealed_at);
UPDATE account SET attention_at = 0 WHERE key IN (
  SELECT account FROM alert WHERE concealed_at IS NOT NULL AND resolved_at IS NULL);
UPDATE alert SET resolved_at = concealed_at WHERE concealed_at IS NOT NULL AND resolved_at IS NULL;
DROP INDEX alert_manual;
ALTER TABLE alert DROP COLUMN concealed_at;
CREATE UNIQUE INDEX alert_manual ON alert (account) WHERE kind = 'manual' AND resolved_at IS NULL;
