-- LifeSignal's store, schema 6.

-- An alert that was begun and is raised at `fires_at` unless it is stopped (ALT-7). Its row goes when
-- it is raised, as the alert of the same `id`; one that was stopped stays for a day, so that nothing
-- that is still on its way arms it again.
CREATE TABLE armed_alert (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
  message TEXT NOT NULL,
  armed_at INTEGER NOT NULL,
  fires_at INTEGER NOT NULL,
  stopped_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX armed_alert_account ON armed_alert (account);
CREATE UNIQUE INDEX armed_alert_one ON armed_alert (account) WHERE stopped_at IS NULL;
