-- LifeSignal's store, schema 6.

-- The end of a drill has kinds of its own: nothing is found by the text that it says.
UPDATE notification SET kind = 'drill_passed'
  WHERE kind = 'system_success' AND detail LIKE 'Drill: %';
UPDATE notification SET kind = 'drill_failed'
  WHERE kind = 'system_error' AND detail LIKE 'Drill: %';
