-- Shipping events (decision 0080). They have tables of their own, so that no statement about receiving events has to tell the
-- kinds apart.

ALTER TABLE record
  DROP CONSTRAINT record_kind_check,
  ADD CONSTRAINT record_kind_check CHECK (kind IN ('receivingEvent', 'shippingEvent', 'masterProduct', 'location'));

CREATE TABLE shipping_event (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "eventDateTime" timestamptz NOT NULL,
  "shipFromLocationCode" text NOT NULL,
  "shipToLocationCode" text NOT NULL,
  "purchaseOrderNumber" text,
  "asnNumber" text,
  event_date date NOT NULL,
  line_count integer NOT NULL,
  warnings integer NOT NULL,
  ftl_categories jsonb,
  documents bytea NOT NULL,
  PRIMARY KEY (provider_id, id)
) WITH (fillfactor = 85);
COMMENT ON TABLE shipping_event IS 'Search rows of shipping events: values of their current versions.';
COMMENT ON COLUMN shipping_event.id IS 'The record: record.id.';
COMMENT ON COLUMN shipping_event.event_date IS 'The calendar date as written in eventDateTime, at the shipper.';
COMMENT ON COLUMN shipping_event.line_count IS 'Entries of its product list.';
COMMENT ON COLUMN shipping_event.warnings IS 'Warnings stored with its current version.';
COMMENT ON COLUMN shipping_event.ftl_categories IS 'Categories of the Food Traceability List in its product list, each once; null without any.';
COMMENT ON COLUMN shipping_event.documents IS 'SHA-256 of its purchase order, ASN and bill of lading: it tells events of one moment between two places apart.';

CREATE INDEX shipping_event_by_vendor ON shipping_event (provider_id, "dataProviderVendorId", id);
COMMENT ON INDEX shipping_event_by_vendor IS 'Lists by vendor.';
CREATE INDEX shipping_event_by_date_time ON shipping_event (provider_id, "eventDateTime", id)
  INCLUDE (event_date, "shipFromLocationCode", "dataProviderVendorId");
COMMENT ON INDEX shipping_event_by_date_time IS 'Lists by date; its further columns save a look at the row.';
CREATE INDEX shipping_event_by_ship_from ON shipping_event (provider_id, "shipFromLocationCode", id);
COMMENT ON INDEX shipping_event_by_ship_from IS 'Lists by ship-from location.';
CREATE INDEX shipping_event_by_ship_to ON shipping_event (provider_id, "shipToLocationCode", id);
COMMENT ON INDEX shipping_event_by_ship_to IS 'Lists by ship-to location.';
CREATE INDEX shipping_event_by_purchase_order ON shipping_event (provider_id, "purchaseOrderNumber", id)
  WHERE "purchaseOrderNumber" IS NOT NULL;
COMMENT ON INDEX shipping_event_by_purchase_order IS 'Lists by purchase order.';
CREATE INDEX shipping_event_by_asn ON shipping_event (provider_id, "asnNumber", id) WHERE "asnNumber" IS NOT NULL;
COMMENT ON INDEX shipping_event_by_asn IS 'Lists by advance ship notice.';
CREATE UNIQUE INDEX shipping_event_one_per_documents ON shipping_event
  (provider_id, "shipFromLocationCode", "eventDateTime", "shipToLocationCode", "dataProviderVendorId", documents) INCLUDE (id);
COMMENT ON INDEX shipping_event_one_per_documents IS 'Keeps an event unique per vendor, places, event date time and documents; lists of a ship-from location by date.';

CREATE TABLE shipping_event_code (
  provider_id uuid NOT NULL,
  field text NOT NULL CHECK (field IN ('lotCode', 'itemCode', 'locationCode', 'eventId')),
  code text NOT NULL,
  id uuid NOT NULL,
  unfolded text NOT NULL,
  PRIMARY KEY (provider_id, field, code, id, unfolded)
);
COMMENT ON TABLE shipping_event_code IS 'Codes of current shipping events, as receiving_event_code has those of receiving events.';
COMMENT ON COLUMN shipping_event_code.field IS 'What the code is, as in receiving_event_code.';
COMMENT ON COLUMN shipping_event_code.code IS 'As in receiving_event_code.';
COMMENT ON COLUMN shipping_event_code.id IS 'The event: record.id.';
COMMENT ON COLUMN shipping_event_code.unfolded IS 'As in receiving_event_code.';
CREATE INDEX shipping_event_code_by_event ON shipping_event_code (provider_id, id);
COMMENT ON INDEX shipping_event_code_by_event IS 'Finds the codes of an event that is replaced.';

COMMENT ON TABLE earlier_lot_code IS 'Lot codes that a replacement or a void removed from an event of either kind. A request for such a code leads to the record. A code that came back later still has its row here.';

CREATE TABLE voided_shipping_event (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "eventDateTime" timestamptz NOT NULL,
  "shipFromLocationCode" text NOT NULL,
  "shipToLocationCode" text NOT NULL,
  "purchaseOrderNumber" text,
  "asnNumber" text,
  event_date date NOT NULL,
  line_count integer NOT NULL,
  item_codes text[] NOT NULL,
  voided_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE voided_shipping_event IS 'Search rows of voided shipping events, as voided_event has those of receiving events.';
COMMENT ON COLUMN voided_shipping_event.id IS 'The record: record.id.';
COMMENT ON COLUMN voided_shipping_event.event_date IS 'As in shipping_event.';
COMMENT ON COLUMN voided_shipping_event.line_count IS 'As in shipping_event.';
COMMENT ON COLUMN voided_shipping_event.item_codes IS 'Item codes of its lines, of vendor or purchaser.';
COMMENT ON COLUMN voided_shipping_event.voided_at IS 'When it was voided.';
CREATE INDEX voided_shipping_event_by_voided_at ON voided_shipping_event (provider_id, voided_at, id);
COMMENT ON INDEX voided_shipping_event_by_voided_at IS 'Lists voids, the latest first.';

CREATE VIEW shipped_event AS
SELECT e.*, (
  SELECT r.version FROM record r WHERE r.provider_id = e.provider_id AND r.id = e.id
) AS version, coalesce((
  SELECT (e."eventDateTime" AT TIME ZONE z.time_zone)::date
  FROM location_time_zone z
  WHERE z.provider_id = e.provider_id AND z."locationCode" = e."shipFromLocationCode"
    AND z."dataProviderVendorId" IN ('', e."dataProviderVendorId")
  ORDER BY z."dataProviderVendorId" DESC
  LIMIT 1
), e.event_date) AS date_shipped
FROM shipping_event e;
COMMENT ON VIEW shipped_event IS 'Shipping events with the version they are at, and the date on which they were shipped: in the time zone of the ship-from location, that of the vendor before that of all vendors, else as written.';
COMMENT ON COLUMN shipped_event.version IS 'Number of the current version, from record.';
COMMENT ON COLUMN shipped_event.date_shipped IS 'Date of the event in the time zone of its ship-from location; as written where none is set.';

CREATE VIEW voided_shipped_event AS
SELECT e.*, (
  SELECT r.version FROM record r WHERE r.provider_id = e.provider_id AND r.id = e.id
) AS version, coalesce((
  SELECT (e."eventDateTime" AT TIME ZONE z.time_zone)::date
  FROM location_time_zone z
  WHERE z.provider_id = e.provider_id AND z."locationCode" = e."shipFromLocationCode"
    AND z."dataProviderVendorId" IN ('', e."dataProviderVendorId")
  ORDER BY z."dataProviderVendorId" DESC
  LIMIT 1
), e.event_date) AS date_shipped
FROM voided_shipping_event e;
COMMENT ON VIEW voided_shipped_event IS 'Voided shipping events with the version they are at, and the date on which they were shipped, as in shipped_event.';
COMMENT ON COLUMN voided_shipped_event.version IS 'Number of the current version, from record: that of the void.';
COMMENT ON COLUMN voided_shipped_event.date_shipped IS 'As in shipped_event.';

ALTER TABLE shipping_event ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE shipping_event_code ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE voided_shipping_event ALTER COLUMN provider_id SET STATISTICS 0;
