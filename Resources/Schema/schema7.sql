-- LifeSignal's store, schema 7.

-- The accounts that have changes, so that an observer of an account reads again only when something
-- of it has changed. Rows are added and never changed: two people whose changes concern each other
-- write no common row. The oldest rows are deleted as new ones come.
CREATE TABLE change (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL
) STRICT;

CREATE INDEX change_account ON change (account, number);

-- Accounts that a monitor must check because of another account's change, like those with an
-- `attention_at` of 0 because of their own. The monitor deletes the rows when it has planned again.
CREATE TABLE attention (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE
) STRICT;

CREATE INDEX attention_account ON attention (account, number);
