-- LifeSignal's store, schema 4: what a large account starts with.

-- The check-ins of the last year and how late they were, without a look at those of all years.
CREATE INDEX check_in_time ON check_in (account, at, margin);
