-- LifeSignal's store, schema 5: what a person does not want to be told on a channel of their own.

-- The names of the topics that are off, with spaces between them; one that the program does not know
-- is on. The account's are those of its e-mail address, which is in no other table. A contact's channel
-- has none: nobody else decides what they are told (CHN-3).
ALTER TABLE account ADD COLUMN muted_topics TEXT NOT NULL DEFAULT '';
ALTER TABLE channel ADD COLUMN muted_topics TEXT NOT NULL DEFAULT ''
  CHECK (contact IS NULL OR muted_topics = '');
