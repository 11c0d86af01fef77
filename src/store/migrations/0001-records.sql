-- The records, their versions, the providers they belong to and the keys that reach them.
--
-- Every primary key, index and unique rule begins with provider_id, and every statement names one provider: that is what
-- lets the same schema be distributed by provider. Fields of the contract keep their wire names, quoted.
-- Exceptions, each a tiny table that is looked up before the provider is known: provider_by_name, api_key_by_key_id.
--
-- The index of a table that compares most columns comes last: of two that cost the same PostgreSQL takes the
-- newer one, and where its statistics know little, all cost the same (decision 0086).

CREATE TABLE provider (
  provider_id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id)
);
COMMENT ON TABLE provider IS 'A data provider: the tenant every record belongs to.';
CREATE UNIQUE INDEX provider_by_name ON provider (name);

CREATE TABLE api_key (
  provider_id uuid NOT NULL REFERENCES provider (provider_id),
  key_id text NOT NULL,
  secret_hash bytea NOT NULL,
  role text NOT NULL CHECK (role IN ('reader', 'writer', 'administrator')),
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (provider_id, key_id)
);
COMMENT ON TABLE api_key IS 'A key of the form lk_<key id>_<secret>; only the SHA-256 of the secret is kept.';
CREATE UNIQUE INDEX api_key_by_key_id ON api_key (key_id);

CREATE TABLE record (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('receivingEvent', 'masterProduct', 'location')),
  version integer NOT NULL,
  content_hash bytea NOT NULL,
  search_hash bytea NOT NULL,
  PRIMARY KEY (provider_id, id)
) WITH (fillfactor = 70);
COMMENT ON TABLE record IS 'One row per record, narrow: what a write locks, compares and counts up. Room is left in the pages, and no other index is there, so that a replacement stays on its page.';
COMMENT ON COLUMN record.search_hash IS 'Of everything its search row says: a replacement with the same one leaves that alone. Empty when it is not known; then the search row is written.';

CREATE TABLE record_version (
  provider_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version integer NOT NULL,
  kind text NOT NULL,
  submitted_at timestamptz NOT NULL DEFAULT now(),
  key_id text NOT NULL,
  request_id uuid NOT NULL,
  payload_id text,
  content_hash bytea NOT NULL,
  findings text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (provider_id, record_id, version)
);
COMMENT ON TABLE record_version IS 'Immutable states of records. Body and findings are JSON that was read before it came here: text keeps numbers, order and spelling as submitted, and is not read again.';
COMMENT ON COLUMN record_version.request_id IS 'The request that wrote it: after a connection was lost at COMMIT it tells whether the write took place.';
CREATE INDEX record_version_by_payload_id ON record_version (provider_id, payload_id) WHERE payload_id IS NOT NULL;
CREATE INDEX record_version_by_submitted_at ON record_version (provider_id, kind, submitted_at);
-- Master data as it was at a moment: an EPCIS event that was exported stays what it was.
CREATE INDEX record_version_by_item_code ON record_version (provider_id, (body::json -> 'productMasterDataList' ->> 'itemCode')) WHERE kind = 'masterProduct';
CREATE INDEX record_version_by_location_code ON record_version (provider_id, (body::json -> 'locationMasterList' ->> 'locationCode')) WHERE kind = 'location';
-- Unpacks a body in half the time. Not every server is built with it.
DO $$
BEGIN
  ALTER TABLE record_version ALTER COLUMN body SET COMPRESSION lz4, ALTER COLUMN findings SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

CREATE TABLE receiving_event (
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
  completeness jsonb NOT NULL,
  warnings integer NOT NULL DEFAULT 0,
  ftl_categories jsonb,
  PRIMARY KEY (provider_id, id)
) WITH (fillfactor = 85);
COMMENT ON TABLE receiving_event IS 'What lists search receiving events by, as their current versions say it.';
COMMENT ON COLUMN receiving_event.event_date IS 'The calendar date as written in eventDateTime, at the receiver: the date an export is chosen by.';
COMMENT ON COLUMN receiving_event.completeness IS 'Of the lines that want key data elements, per item: how many there are, how many are complete, and how many each rule found a gap of. No index has it, so that a replacement that fills a gap stays on its page.';
COMMENT ON COLUMN receiving_event.warnings IS 'Warnings stored with its current version. No index has it, as with completeness and ftl_categories.';
COMMENT ON COLUMN receiving_event.ftl_categories IS 'Categories of the Food Traceability List in its product list, each once; null without any.';
CREATE INDEX receiving_event_by_vendor ON receiving_event (provider_id, "dataProviderVendorId", id);
CREATE INDEX receiving_event_by_date_time ON receiving_event (provider_id, "eventDateTime", id)
  INCLUDE (event_date, "shipToLocationCode", "dataProviderVendorId");
CREATE INDEX receiving_event_by_ship_from ON receiving_event (provider_id, "shipFromLocationCode", id);
CREATE INDEX receiving_event_by_ship_to ON receiving_event (provider_id, "shipToLocationCode", id);
CREATE INDEX receiving_event_by_purchase_order ON receiving_event (provider_id, "purchaseOrderNumber", id);
CREATE INDEX receiving_event_by_asn ON receiving_event (provider_id, "asnNumber", id) WHERE "asnNumber" IS NOT NULL;
-- Section 2.4, rule 2: more than one payload with the same event date time is not taken.
CREATE UNIQUE INDEX receiving_event_one_per_date_time
  ON receiving_event (provider_id, "shipToLocationCode", "eventDateTime", "dataProviderVendorId") INCLUDE (id, event_date);

CREATE TABLE receiving_event_code (
  provider_id uuid NOT NULL,
  field text NOT NULL CHECK (field IN ('lotCode', 'itemCode')),
  code text NOT NULL,
  id uuid NOT NULL,
  unfolded text NOT NULL,
  PRIMARY KEY (provider_id, field, code, id, unfolded)
);
COMMENT ON TABLE receiving_event_code IS 'Which current events carry a lot code, or an item code of vendor or purchaser, in one of their lines.';
COMMENT ON COLUMN receiving_event_code.code IS 'An item code as written; of a lot code, what was read out of the text of the line, folded, so that codes that read alike stand together.';
COMMENT ON COLUMN receiving_event_code.unfolded IS 'The lot code as it was read, where folding changes it; else empty. Code and this together tell lot codes apart.';
CREATE INDEX receiving_event_code_by_event ON receiving_event_code (provider_id, id);

CREATE TABLE earlier_lot_code (
  provider_id uuid NOT NULL,
  code text NOT NULL,
  id uuid NOT NULL,
  unfolded text NOT NULL,
  last_version integer NOT NULL,
  PRIMARY KEY (provider_id, code, id, unfolded)
);
COMMENT ON TABLE earlier_lot_code IS 'Lot codes that a replacement took out of an event, so that who asks for one is led to the record. A code that came back later has its row here too.';
COMMENT ON COLUMN earlier_lot_code.code IS 'As in receiving_event_code, and so is unfolded.';
COMMENT ON COLUMN earlier_lot_code.last_version IS 'The last version that had the lot code and was replaced. The row goes when that version is purged.';
CREATE INDEX earlier_lot_code_by_event ON earlier_lot_code (provider_id, id);

CREATE TABLE master_product (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "itemCode" text NOT NULL,
  "alternateItemCode" text,
  gtin text,
  PRIMARY KEY (provider_id, id)
) WITH (fillfactor = 85);
COMMENT ON TABLE master_product IS 'What lists search master products by, and identifiers of which the contract says that they are unique.';
CREATE INDEX master_product_by_vendor ON master_product (provider_id, "dataProviderVendorId", id);
CREATE INDEX master_product_by_item_code ON master_product (provider_id, "itemCode", id);
CREATE INDEX master_product_by_alternate_item_code ON master_product (provider_id, "alternateItemCode") WHERE "alternateItemCode" IS NOT NULL;
CREATE INDEX master_product_by_vendor_and_item_code ON master_product (provider_id, "dataProviderVendorId", "itemCode", id);

CREATE TABLE location (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "locationCode" text NOT NULL,
  "alternateLocationCode" text,
  content jsonb NOT NULL,
  PRIMARY KEY (provider_id, id)
) WITH (fillfactor = 85);
COMMENT ON TABLE location IS 'Location master data in force: set up by the locations endpoint or by an accepted event. Content is what an event is compared with and merged into.';
CREATE INDEX location_by_vendor ON location (provider_id, "dataProviderVendorId", id);
CREATE INDEX location_by_code ON location (provider_id, "locationCode", id);
CREATE INDEX location_by_alternate_code ON location (provider_id, "alternateLocationCode") WHERE "alternateLocationCode" IS NOT NULL;
CREATE UNIQUE INDEX location_one_per_code ON location (provider_id, "dataProviderVendorId", "locationCode");

CREATE TABLE location_time_zone (
  provider_id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "locationCode" text NOT NULL,
  time_zone text NOT NULL,
  set_at timestamptz NOT NULL,
  set_by text NOT NULL,
  PRIMARY KEY (provider_id, "locationCode", "dataProviderVendorId")
);
COMMENT ON TABLE location_time_zone IS 'Time zones of locations, as the provider set them: the date received of an event is the date there.';
COMMENT ON COLUMN location_time_zone."dataProviderVendorId" IS 'Empty for the location code of all vendors.';

-- Read with the event and not kept with it: a time zone that is set counts at once, and a write does not pay for it.
CREATE VIEW received_event AS
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
FROM receiving_event e;
COMMENT ON VIEW received_event IS 'Receiving events with the version they are at, and the date on which they were received: in the time zone of the ship-to location, that of the vendor before that of all vendors, else as written (decision 0055).';

CREATE TABLE refusal (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  refused_at timestamptz NOT NULL DEFAULT now(),
  request_id uuid NOT NULL,
  key_id text NOT NULL,
  operation text NOT NULL,
  record_id text,
  outcome text NOT NULL,
  detail text NOT NULL,
  findings json NOT NULL,
  finding_count integer NOT NULL,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE refusal IS 'The latest creates and replacements that were refused, so that who answers for the data sees what was wrong with it.';

CREATE TABLE idempotency_key (
  provider_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  operation text NOT NULL,
  fingerprint bytea NOT NULL,
  record_ids uuid[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, idempotency_key)
);
COMMENT ON TABLE idempotency_key IS 'The first answer to each create that carried an Idempotency-Key; written with the records or not at all.';

-- No statistics of provider_id: PostgreSQL takes a provider that they do not know for one without rows, and then reads
-- all its rows by whichever index is smallest (decision 0086).
ALTER TABLE record ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE record_version ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE receiving_event ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE receiving_event_code ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE earlier_lot_code ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE master_product ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE location ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE location_time_zone ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE refusal ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE idempotency_key ALTER COLUMN provider_id SET STATISTICS 0;
