-- LifeSignal's store, schema 7.

-- What has changed for whom, so that whoever observes an account reads again when something of it has
-- changed, and nobody else does. Rows are added and never changed: two people whose changes concern each
-- other write no common row. The oldest go as new ones come.
CREATE TABLE change (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL
) STRICT;

CREATE INDEX change_account ON change (account, number);

-- Accounts that a monitor has to look at because of what somebody else wrote, as `attention_at` = 0 says
-- of what one's own program wrote. The monitor takes them away when it has planned anew.
CREATE TABLE attention (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE
) STRICT;

CREATE INDEX attention_account ON attention (account, number);
