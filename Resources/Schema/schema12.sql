-- LifeSignal's store, schema 12.

-- Where the person lives, and how to get in. Responders see the second only while an alert is on.
ALTER TABLE account ADD COLUMN home_address TEXT CHECK (home_address <> '');
ALTER TABLE account ADD COLUMN way_in TEXT CHECK (way_in <> '');
