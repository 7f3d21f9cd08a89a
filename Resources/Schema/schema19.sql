-- LifeSignal's store, schema 19.

-- The outing that is on, as JSON (OUT-1), and the one that only seems to have ended, because its person
-- said so under duress: its text goes to its responders with the silent alert.
ALTER TABLE account ADD COLUMN outing TEXT CHECK (outing <> '');
ALTER TABLE account ADD COLUMN hidden_outing TEXT CHECK (hidden_outing <> '');

-- When the person was to be back from the outing of the alert's identity; null for any other alert.
ALTER TABLE alert ADD COLUMN due_back INTEGER CHECK ((kind = 'outing') = (due_back IS NOT NULL));

-- Whether commands that the person types in a shell check in (CHK-10).
ALTER TABLE account ADD COLUMN takes_signs INTEGER NOT NULL DEFAULT 0 CHECK (takes_signs IN (0, 1));

-- The responders who get a message at each check-in, because they chose it (NOT-4), and when the last one
-- about an automatic check-in was. `responder` is the identity of a contact or a relation.
CREATE TABLE check_in_news (
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  responder TEXT NOT NULL CHECK (length(responder) = 36),
  automatic_at INTEGER,
  PRIMARY KEY (account, responder)
) STRICT, WITHOUT ROWID;
