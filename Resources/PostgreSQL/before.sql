-- What the schema and the rules use of SQLite, for PostgreSQL. Run before the schema that both
-- share.

CREATE FUNCTION iif(condition boolean, yes anycompatible, no anycompatible) RETURNS anycompatible
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS 'SELECT CASE WHEN condition THEN yes ELSE no END';

-- Null if one of the two is null.
CREATE FUNCTION min(one bigint, other bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS 'SELECT CASE WHEN one < other THEN one ELSE other END';
CREATE FUNCTION max(one bigint, other bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS 'SELECT CASE WHEN one > other THEN one ELSE other END';

CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);

-- The version of the schema, and the identifier of the store.
CREATE TABLE lifesignal_meta (
  key bigint PRIMARY KEY CHECK (key = 1),
  schema bigint NOT NULL CHECK (schema >= 0),
  -- The version of the oldest program that can work with the tables; null if that is `schema`.
  oldest bigint CHECK (oldest > 0),
  store_id text NOT NULL DEFAULT gen_random_uuid()::text,
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint
);
INSERT INTO lifesignal_meta (key, schema) VALUES (1, 0);
