-- LifeSignal's store, schema 5: the topics that a person mutes on their own channels.

-- The names of the muted topics, separated by spaces. A topic that the program doesn't know isn't
-- muted. The account's are those of its e-mail address, which is in no other table. A contact's
-- channel has none: nobody else decides what they are sent (CHN-3).
ALTER TABLE account ADD COLUMN muted_topics TEXT NOT NULL DEFAULT '';
ALTER TABLE channel ADD COLUMN muted_topics TEXT NOT NULL DEFAULT ''
  CHECK (contact IS NULL OR muted_topics = '');
