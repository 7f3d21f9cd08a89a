-- LifeSignal's store, schema 11: invitations by members.

-- By which its member names it; null for an administrator's.
ALTER TABLE invite ADD COLUMN id TEXT CHECK (length(id) = 36);
-- The member, whose leaving voids it.
ALTER TABLE invite ADD COLUMN created_by INTEGER REFERENCES account (key) ON DELETE CASCADE;
-- Those of who uses it, as the member sees them.
ALTER TABLE invite ADD COLUMN roles INTEGER CHECK (roles BETWEEN 1 AND 3);

CREATE INDEX invite_created_by ON invite (created_by);
