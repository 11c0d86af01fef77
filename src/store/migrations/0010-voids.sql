-- Voids (decision 0066): a void is a version that says why its record was entered by mistake. The search row and the codes of
-- the event go, so that no list, trace, export or count can forget to leave it out; voided_event has what finds it again.

-- A tombstone says nothing of what its version was.
ALTER TABLE record_version
  ADD COLUMN void_reason text,
  DROP CONSTRAINT record_version_whole_or_tombstone,
  ADD CONSTRAINT record_version_whole_or_tombstone CHECK (
    CASE
      WHEN purged_at IS NULL THEN body IS NOT NULL AND findings IS NOT NULL
      ELSE body IS NULL AND findings IS NULL AND payload_id IS NULL AND void_reason IS NULL
    END
  );
COMMENT ON COLUMN record_version.void_reason IS 'Of a void: why the record was voided, as its sender wrote it. Findings and body are those of the version before. Null in any other version.';
COMMENT ON COLUMN record.content_hash IS 'SHA-256 of the content of the current version. A replacement with the same content makes no version. Empty while the record is voided, so that every replacement makes one.';

CREATE FUNCTION void_detail_hash_of(reason text, findings text, body text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to('lotkeeper void 1' || E'\n' || to_json($1)::text || E'\n' || $2 || E'\n' || $3, 'UTF8'))
$$;
COMMENT ON FUNCTION void_detail_hash_of IS 'detail_hash_of a void: hash of the reason, and of what was voided.';

CREATE TABLE voided_event (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "eventDateTime" timestamptz NOT NULL,
  "shipFromLocationCode" text NOT NULL,
  "shipToLocationCode" text NOT NULL,
  "purchaseOrderNumber" text NOT NULL,
  "asnNumber" text,
  event_date date NOT NULL,
  line_count integer NOT NULL,
  item_codes text[] NOT NULL,
  voided_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE voided_event IS 'Search rows of voided receiving events: what receiving_event had of them. A replacement brings the record back and removes the row. Its lot codes are in earlier_lot_code.';
COMMENT ON COLUMN voided_event.id IS 'The record: record.id.';
COMMENT ON COLUMN voided_event.event_date IS 'As in receiving_event.';
COMMENT ON COLUMN voided_event.line_count IS 'As in receiving_event.';
COMMENT ON COLUMN voided_event.item_codes IS 'Item codes of its lines, of vendor or purchaser.';
COMMENT ON COLUMN voided_event.voided_at IS 'When it was voided.';

CREATE INDEX voided_event_by_voided_at ON voided_event (provider_id, voided_at, id);
COMMENT ON INDEX voided_event_by_voided_at IS 'Lists voids, the latest first.';

CREATE VIEW voided_received_event AS
SELECT e.*, (
  SELECT r.version FROM record r WHERE r.provider_id = e.provider_id AND r.id = e.id
) AS version, coalesce((
  SELECT (e."eventDateTime" AT TIME ZONE z.time_zone)::date
  FROM location_time_zone z
  WHERE z.provider_id = e.provider_id AND z."locationCode" = e."shipToLocationCode"
    AND z."dataProviderVendorId" IN ('', e."dataProviderVendorId")
  ORDER BY z."dataProviderVendorId" DESC
  LIMIT 1
), e.event_date) AS date_received
FROM voided_event e;
COMMENT ON VIEW voided_received_event IS 'Voided receiving events with the version they are at, and the date on which they were received, as in received_event.';
COMMENT ON COLUMN voided_received_event.version IS 'Number of the current version, from record: that of the void.';
COMMENT ON COLUMN voided_received_event.date_received IS 'As in received_event.';

ALTER TABLE voided_event ALTER COLUMN provider_id SET STATISTICS 0;
