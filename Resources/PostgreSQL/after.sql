-- What only PostgreSQL needs. Run once, after the schema that a database begins with.

-- Numbers don't follow the order of the commits. An observer looks for the transactions that had
-- not ended when it last looked.
ALTER TABLE change ADD COLUMN tx xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX change_tx ON change (tx);
CREATE INDEX change_account_tx ON change (account, tx);

-- The bytes of documents and pictures, in the parts in which they are read.
CREATE TABLE blob_part (
  file bigint NOT NULL REFERENCES file (key) ON DELETE CASCADE,
  part bigint NOT NULL CHECK (part >= 0),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 262144),
  PRIMARY KEY (file, part)
);
ALTER TABLE blob_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
