-- The source of a lot code is a location with its GLN or DUNS number, listed in the event or not. When such a location
-- changes, the events that refer to it are counted again (decision 0052).

COMMENT ON INDEX location_by_gln IS 'Finds the locations that an EPCIS event names by GLN, and the source of a lot code.';
CREATE INDEX location_by_duns ON location (provider_id, (content ->> 'duns')) WHERE content ->> 'duns' IS NOT NULL;
COMMENT ON INDEX location_by_duns IS 'Finds the source of a lot code by its DUNS number.';

CREATE INDEX record_version_by_gln ON record_version (provider_id, (body::json -> 'locationMasterList' ->> 'gln')) WHERE kind = 'location';
COMMENT ON INDEX record_version_by_gln IS 'Finds the source of a lot code as it was at a moment, by its GLN.';
CREATE INDEX record_version_by_duns ON record_version (provider_id, (body::json -> 'locationMasterList' ->> 'duns')) WHERE kind = 'location';
COMMENT ON INDEX record_version_by_duns IS 'Finds the source of a lot code as it was at a moment, by its DUNS number.';

ALTER TABLE receiving_event_code
  DROP CONSTRAINT receiving_event_code_field_check,
  ADD CONSTRAINT receiving_event_code_field_check
    CHECK (field IN ('lotCode', 'itemCode', 'locationCode', 'eventId', 'sourceNumber'));
COMMENT ON COLUMN receiving_event_code.field IS 'What the code is: lotCode, itemCode, locationCode (of a location it neither ships from nor to), eventId or sourceNumber (GLN or DUNS number of a lot code source that it does not describe).';

INSERT INTO receiving_event_code (provider_id, field, code, id, unfolded)
SELECT DISTINCT e.provider_id, 'sourceNumber', n.number, e.id, ''
FROM receiving_event e
JOIN record r ON r.provider_id = e.provider_id AND r.id = e.id
JOIN record_version v ON v.provider_id = r.provider_id AND v.record_id = r.id AND v.version = r.version
CROSS JOIN LATERAL json_array_elements(v.body::json -> 'eventList' -> 'productList') AS l (line)
CROSS JOIN LATERAL (VALUES (l.line ->> 'tlcSourceReferenceGln'), (l.line ->> 'tlcSourceReferenceDuns')) AS n (number)
WHERE n.number IS NOT NULL
ON CONFLICT DO NOTHING;
