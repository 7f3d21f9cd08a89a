-- LifeSignal's store, schema 11: invitations by members.

-- The identifier by which its member names it; null for an administrator's.
ALTER TABLE invite ADD COLUMN id TEXT CHECK (length(id) = 36);
-- The member who made it. It is void once they leave.
ALTER TABLE invite ADD COLUMN created_by INTEGER REFERENCES account (key) ON DELETE CASCADE;
-- The roles of the person who uses it, as the member sees them.
ALTER TABLE invite ADD COLUMN roles INTEGER CHECK (roles BETWEEN 1 AND 3);

CREATE INDEX invite_created_by ON invite (created_by);
