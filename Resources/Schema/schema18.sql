-- LifeSignal's store, schema 18.

-- The times of day by which the person checks in, as minutes/days, such as 540/127,1080/31; null if
-- the interval counts. `zone_rule` is for machines without zone data, `opening` is in seconds, and
-- `due_at` is the next of them, for which a check-in counts from `opens_at` (SCH-2).
ALTER TABLE account ADD COLUMN set_times TEXT CHECK (set_times GLOB '[0-9]*/[0-9]*');
ALTER TABLE account ADD COLUMN zone TEXT CHECK (zone <> '');
ALTER TABLE account ADD COLUMN zone_rule TEXT CHECK (zone_rule <> '');
ALTER TABLE account ADD COLUMN opening INTEGER CHECK (opening BETWEEN 3600 AND 43200);
ALTER TABLE account ADD COLUMN set_times_since INTEGER;
ALTER TABLE account ADD COLUMN opens_at INTEGER;
ALTER TABLE account ADD COLUMN due_at INTEGER;
-- Whether the last check-in came before the next set time opened.
ALTER TABLE account ADD COLUMN was_early INTEGER NOT NULL DEFAULT 0 CHECK (was_early IN (0, 1));

-- Whether it came before the next set time opened, and so moved no deadline (SCH-2).
ALTER TABLE check_in ADD COLUMN is_early INTEGER NOT NULL DEFAULT 0 CHECK (is_early IN (0, 1));

-- How long a responder waits before they are notified of a missed deadline (ESC-8), in seconds; those
-- without a row are notified at once. `responder` is the identity of a contact or a relation, `earlier`
-- how long they waited before the last change.
CREATE TABLE responder_wait (
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  responder TEXT NOT NULL CHECK (length(responder) = 36),
  wait INTEGER NOT NULL CHECK (wait BETWEEN 0 AND 86400),
  earlier INTEGER NOT NULL CHECK (earlier BETWEEN 0 AND 86400),
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (account, responder)
) STRICT, WITHOUT ROWID;
