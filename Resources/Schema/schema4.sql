-- LifeSignal's store, schema 4: indexes for what a monitor looks for, and for what a large account
-- starts with.

-- The line in which a pending message waits. `line` is the order in which monitors take what is
-- due: from 1 on calls, from 101 on calls that were tried before, from 201 on the rest, from 301 on
-- what was tried of it; within each the first of an account's waiting messages, then the second,
-- and so on to the 64th and all others (ESC-6). `destination` is what is blocked together: a kind
-- of channel and, for webhooks and topics, the host.
ALTER TABLE delivery ADD COLUMN line INTEGER NOT NULL DEFAULT 201 CHECK (line BETWEEN 1 AND 364);
ALTER TABLE delivery ADD COLUMN destination TEXT NOT NULL DEFAULT '';

UPDATE delivery SET
  line = iif(stage IN ('alert_on', 'non_responsive') OR stage GLOB '*_again:*', 1, 201)
    + iif(attempts > 0, 100, 0),
  destination = channel || ' ' || iif(channel IN ('webhook', 'ntfy'),
    lower(substr(address, iif(instr(address, '://'), instr(address, '://') + 3, 1))), '')
WHERE state = 'pending';
UPDATE delivery SET
  destination = substr(destination, 1, instr(replace(destination, '?', '/') || '/', '/') - 1)
WHERE state = 'pending';

DROP INDEX delivery_account_pending;
CREATE INDEX delivery_account_line ON delivery (account, line) WHERE state = 'pending';
CREATE INDEX delivery_line ON delivery (line, not_before) WHERE state = 'pending';
CREATE INDEX delivery_destination ON delivery (destination, line, not_before)
  WHERE state = 'pending';

-- After a gap in the watch, every account is checked again, some at a time in the order of their
-- keys. `swept` is how far that has come, null when it is done (ESC-4).
ALTER TABLE watch ADD COLUMN swept INTEGER;

-- Finds what belongs to an account, a contact or an alert without reading everybody's.
CREATE INDEX channel_account ON channel (account);
CREATE INDEX response_code_account ON response_code (account);
CREATE INDEX ping_sender ON ping (sender);

-- Finds the check-ins of the last year, and how late they were, without reading those of all years.
CREATE INDEX check_in_time ON check_in (account, at, margin);

-- The kinds of channels that a monitor's problem concerns, separated by spaces; null for all.
ALTER TABLE monitor ADD COLUMN kinds TEXT;
