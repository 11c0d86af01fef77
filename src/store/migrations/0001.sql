-- The whole schema by feature: each table with its indexes, and what they are for. psql shows the
-- comments with \d+.
--
-- Every table, key, index and unique rule begins with provider_id, and every statement names one
-- provider, so that the tables can be distributed by it. Two small indexes are the exception. They
-- find a provider that is not known yet: provider_by_name and api_key_by_key_id. provider_id, and
-- the fields of the contract (their names are in quotes), have no comment: they mean the same
-- everywhere.
--
-- provider_id has no statistics. PostgreSQL takes a provider that they do not know for one without
-- rows, and then reads all its rows by whichever index is smallest. The index of a table that
-- compares most columns comes last: of two that cost the same PostgreSQL takes the newer one, and
-- where its statistics know little, all cost the same (decision 0086).

-- Ground: the tenants, what they declare, and the evidence of what was stored (decision 0038).

COMMENT ON TABLE schema_migration IS 'Migrations that were applied. The row ''lock'' keeps two processes from migrating at once.';
COMMENT ON COLUMN schema_migration.file IS 'File name of the migration.';
COMMENT ON COLUMN schema_migration.checksum IS 'SHA-256 of the file. A program whose file differs refuses to start.';
COMMENT ON COLUMN schema_migration.applied_at IS 'When it was applied.';

CREATE TABLE provider (
  provider_id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id)
);
COMMENT ON TABLE provider IS 'A data provider: the tenant every record belongs to. The accounts of partners are in partner_account. What changes is in other tables: on a cluster, every node has these rows.';
COMMENT ON COLUMN provider.name IS 'As the operator gave it to lotkeeper keys create.';
COMMENT ON COLUMN provider.created_at IS 'When it was created.';
CREATE UNIQUE INDEX provider_by_name ON provider (name);
COMMENT ON INDEX provider_by_name IS 'Finds a provider by name, and keeps names unique.';

CREATE TABLE declared_setting (
  provider_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('captureSender', 'displayName', 'exemptPlace', 'shipNoticeSender', 'sourceAddress', 'unitConversion', 'vendorTarget')),
  key text NOT NULL,
  value json NOT NULL,
  set_at timestamptz NOT NULL,
  set_by text NOT NULL,
  PRIMARY KEY (provider_id, kind, key)
);
ALTER TABLE declared_setting ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE declared_setting IS 'What a provider declares beside its records: what it expects of a vendor (decision 0068), how the ship notices of a sender are read (0082), what the EPCIS documents of a sender lack (0083), the units of an item (0092), the places to which the rule does not apply (0093), the addresses that show a source of lot codes (0100), and the name under which others see it (0101).';
COMMENT ON COLUMN declared_setting.kind IS 'What is declared.';
COMMENT ON COLUMN declared_setting.key IS 'The vendor; the sender, as its files have it, with a line break and the qualifier of its id where a setting names one. The code of an item and its vendor, or a vendor and the code of its location, as JSON. The name of an address. Empty for all vendors, senders or items, and for the name under which others see the provider.';
COMMENT ON COLUMN declared_setting.value IS 'The values, by the names of the operation. Of targets, a value that is absent is that for all vendors.';
COMMENT ON COLUMN declared_setting.set_at IS 'When it was set.';
COMMENT ON COLUMN declared_setting.set_by IS 'Id of the key that set it.';

CREATE TABLE setting_version (
  provider_id uuid NOT NULL,
  id text NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE setting_version ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE setting_version IS 'How often something was edited that is no record. It has a row from its first change on.';
COMMENT ON COLUMN setting_version.id IS 'The id of a partner, webhook or key, or the name of a list of settings.';
COMMENT ON COLUMN setting_version.version IS 'Each write raises it, and names those that it may follow.';

-- Writes and checks hash alike, so the hashes are functions of the database.
CREATE FUNCTION detail_hash_of(payload_id text, void_reason text, reason text, findings text, body text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(
    CASE
      WHEN $2 IS NOT NULL THEN 'lotkeeper void 1' || E'\n' || to_json($2)::text
      WHEN $3 IS NOT NULL THEN 'lotkeeper correction 1' || E'\n' || to_json($3)::text || E'\n' || coalesce(to_json($1)::text, 'null')
      ELSE 'lotkeeper detail 1' || E'\n' || coalesce(to_json($1)::text, 'null')
    END || E'\n' || $4 || E'\n' || $5, 'UTF8'))
$$;
COMMENT ON FUNCTION detail_hash_of IS 'Hash of what a purge takes from a version: payload id, the reason if there is one, findings and body, as they are stored; of a void its reason instead of the payload id.';

CREATE FUNCTION version_hash_of(
  kind text, record_id uuid, version integer, submitted_at timestamptz, key_id text,
  content_hash bytea, detail_hash bytea, previous_hash bytea
) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(
    'lotkeeper version 1' || E'\n' || $1 || E'\n' || $2::text || E'\n' || $3::text || E'\n'
      || to_char($4 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || E'\n' || $5 || E'\n'
      || encode($6, 'hex') || E'\n' || encode($7, 'hex') || E'\n' || coalesce(encode($8, 'hex'), 'none'), 'UTF8'))
$$;
COMMENT ON FUNCTION version_hash_of IS 'Hash of a version and, through that of the version before it, of its whole history.';

CREATE TABLE awaiting_checkpoint (
  provider_id uuid NOT NULL,
  since timestamptz NOT NULL,
  id uuid NOT NULL,
  record_ids uuid[] NOT NULL,
  versions integer[] NOT NULL,
  are_purged boolean NOT NULL DEFAULT false,
  PRIMARY KEY (provider_id, since, id)
);
ALTER TABLE awaiting_checkpoint ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE awaiting_checkpoint IS 'Versions under no checkpoint yet, one row for those of one statement: written with the versions and taken away with the checkpoint, so that none is left out, whatever a clock said. In rows of their own, purged versions whose purge has no place in the feed of changes yet.';
COMMENT ON COLUMN awaiting_checkpoint.since IS 'When the versions were stored.';
COMMENT ON COLUMN awaiting_checkpoint.id IS 'Tells rows of one moment apart.';
COMMENT ON COLUMN awaiting_checkpoint.record_ids IS 'With versions: the versions that wait.';
COMMENT ON COLUMN awaiting_checkpoint.versions IS 'Version numbers, one for each entry of record_ids.';
COMMENT ON COLUMN awaiting_checkpoint.are_purged IS 'True for versions that a purge took the content of: the next checkpoint gives the purge its place.';

CREATE TABLE signing_key (
  provider_id uuid NOT NULL,
  signing_key_id text NOT NULL,
  public_key bytea NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, signing_key_id)
);
ALTER TABLE signing_key ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE signing_key IS 'Public keys (Ed25519) that signed checkpoints of the provider. None is ever removed.';
COMMENT ON COLUMN signing_key.signing_key_id IS 'Made from the public key.';
COMMENT ON COLUMN signing_key.public_key IS 'SubjectPublicKeyInfo, DER.';
COMMENT ON COLUMN signing_key.first_used_at IS 'When it first signed for the provider.';

CREATE TABLE checkpoint (
  provider_id uuid NOT NULL,
  number integer NOT NULL,
  signed_for uuid NOT NULL,
  made_at timestamptz NOT NULL,
  version_count integer NOT NULL,
  root bytea NOT NULL,
  previous_hash bytea,
  checkpoint_hash bytea NOT NULL,
  signing_key_id text NOT NULL,
  signature bytea NOT NULL,
  record_ids uuid[] NOT NULL,
  versions integer[] NOT NULL,
  purge_count integer NOT NULL DEFAULT 0,
  purged_ids uuid[],
  purged_versions integer[],
  changes_until bigint NOT NULL,
  PRIMARY KEY (provider_id, number)
);
ALTER TABLE checkpoint ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE checkpoint IS 'Signed statements of what was stored. Each covers the hashes of some versions, and the checkpoint before it.';
COMMENT ON COLUMN checkpoint.number IS 'From 1, without gaps.';
COMMENT ON COLUMN checkpoint.signed_for IS 'The provider it was signed for: another one when the records came from an archive.';
COMMENT ON COLUMN checkpoint.made_at IS 'When it was signed.';
COMMENT ON COLUMN checkpoint.version_count IS 'Versions under it.';
COMMENT ON COLUMN checkpoint.root IS 'Root of the hash tree over these versions.';
COMMENT ON COLUMN checkpoint.previous_hash IS 'Hash of the checkpoint before; null in the first.';
COMMENT ON COLUMN checkpoint.checkpoint_hash IS 'Hash of what is signed.';
COMMENT ON COLUMN checkpoint.signing_key_id IS 'The key that signed it.';
COMMENT ON COLUMN checkpoint.signature IS 'Ed25519 signature.';
COMMENT ON COLUMN checkpoint.record_ids IS 'With versions: what is under it, in the order of its root.';
COMMENT ON COLUMN checkpoint.versions IS 'Version numbers, one for each entry of record_ids.';
COMMENT ON COLUMN checkpoint.purge_count IS 'Purges that have their places in the feed of changes behind the versions under the checkpoint. Nothing signed names them.';
COMMENT ON COLUMN checkpoint.purged_ids IS 'With purged_versions: the versions that were purged, in the order of the feed; null without any.';
COMMENT ON COLUMN checkpoint.purged_versions IS 'Version numbers, one for each entry of purged_ids; null without any.';
COMMENT ON COLUMN checkpoint.changes_until IS 'Number of changes in the feed up to the end of this checkpoint: how far behind a position is, is read from two rows.';
CREATE INDEX checkpoint_made_at ON checkpoint (provider_id, made_at);
COMMENT ON INDEX checkpoint_made_at IS 'Where the feed of changes was at a time.';

-- Records: their versions, and a search row for each record in force (decision 0080). A void
-- removes the search row and the codes, so that no list, trace, export or count can forget to leave
-- the event out (decision 0066).

CREATE TABLE record (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  version integer NOT NULL,
  content_hash bytea NOT NULL,
  search_hash bytea NOT NULL,
  version_hash bytea NOT NULL DEFAULT '',
  compared text,
  PRIMARY KEY (provider_id, id)
) WITH (fillfactor = 70);
ALTER TABLE record ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE record IS 'One narrow row per record: a write locks it, compares it and increments its version. It has no other index and room in its pages, so that a replacement stays on its page.';
COMMENT ON COLUMN record.id IS 'Id of the record, as the API returns it: a UUID of version 7, so newer records have greater ids.';
COMMENT ON COLUMN record.kind IS 'Kind of the record: that of an event such as receivingEvent, masterProduct or location. Events have their search row in event, the others in a table of their own.';
COMMENT ON COLUMN record.version IS 'Number of the current version.';
COMMENT ON COLUMN record.content_hash IS 'SHA-256 of the content of the current version. A replacement with the same content makes no version. Empty while the record is voided, so that every replacement makes one.';
COMMENT ON COLUMN record.search_hash IS 'Of everything its search row says: a replacement with the same one leaves that alone. Empty when it is not known; then the search row is written.';
COMMENT ON COLUMN record.version_hash IS 'Of the current version. Here, because a statement that waited for this row sees its latest state, and not the versions stored meanwhile.';
COMMENT ON COLUMN record.compared IS 'What is compared of an event with those of the other kind and is not in its search row, as JSON text (decision 0081). Null of other records, and while an event is voided.';

-- Columns of fixed width first, then the detail: behind a text they are padded, and a row in a full
-- page has no byte to spare.
CREATE TABLE record_version (
  provider_id uuid NOT NULL,
  record_id uuid NOT NULL,
  submitted_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL,
  request_id uuid NOT NULL,
  detail text[],
  kind text NOT NULL,
  key_id text NOT NULL,
  payload_id text,
  content_hash bytea NOT NULL,
  version_hash bytea NOT NULL DEFAULT '',
  detail_hash bytea,
  purged_at timestamptz,
  void_reason text,
  reason text,
  PRIMARY KEY (provider_id, record_id, version),
  -- A tombstone does not tell whether its version was a void.
  CONSTRAINT record_version_whole_or_tombstone CHECK (
    CASE
      WHEN purged_at IS NULL THEN detail[1] IS NOT NULL AND detail[2] IS NOT NULL AND detail_hash IS NULL
      ELSE detail IS NULL AND detail_hash IS NOT NULL AND payload_id IS NULL AND void_reason IS NULL AND reason IS NULL
    END
  )
);
ALTER TABLE record_version ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE record_version IS 'Immutable versions of records.';
COMMENT ON COLUMN record_version.record_id IS 'The record: record.id.';
COMMENT ON COLUMN record_version.version IS 'Number of the version, from 1.';
COMMENT ON COLUMN record_version.kind IS 'As in record.';
COMMENT ON COLUMN record_version.submitted_at IS 'When it was stored.';
COMMENT ON COLUMN record_version.key_id IS 'The key that submitted it.';
COMMENT ON COLUMN record_version.request_id IS 'The request that wrote it: after a connection was lost at COMMIT it tells whether the write took place.';
COMMENT ON COLUMN record_version.payload_id IS 'payloadId of the payload.';
COMMENT ON COLUMN record_version.content_hash IS 'SHA-256 of the content, as docs/evidence.md describes it.';
COMMENT ON COLUMN record_version.detail IS 'Two JSON texts, which keep numbers, order and spelling as submitted: first the record without its id, then the warnings and gaps as judged when it was submitted. In one value, so that they are compressed together, and smaller in this order. Null in a tombstone.';
COMMENT ON COLUMN record_version.detail_hash IS 'Of a tombstone: detail_hash_of what was purged. Null in any other version, whose detail tells it.';
COMMENT ON COLUMN record_version.version_hash IS 'version_hash_of this version, over that of the version before. Empty in a row that was not written by the service, and in no other.';
COMMENT ON COLUMN record_version.purged_at IS 'When its content was purged after the retention time, or when it was brought in without content from an archive; what is left is a tombstone: that there was such a version, of whom, from when, and the hash of what it said.';
COMMENT ON COLUMN record_version.void_reason IS 'Of a void: why the record was voided, as its sender wrote it. The detail is that of the version before. Null in any other version.';
COMMENT ON COLUMN record_version.reason IS 'Of a replacement: why the record was replaced, as its sender wrote it. Null where the sender did not say, and in any other version.';
CREATE INDEX record_version_by_payload_id ON record_version (provider_id, payload_id) WHERE payload_id IS NOT NULL;
COMMENT ON INDEX record_version_by_payload_id IS 'Finds an earlier use of a payloadId.';
CREATE INDEX record_version_by_submitted_at ON record_version (provider_id, kind, submitted_at);
COMMENT ON INDEX record_version_by_submitted_at IS 'Lists by time of submission; retention.';
-- Master data as it was at a moment: an EPCIS event that was exported stays what it was.
CREATE INDEX record_version_by_item_code ON record_version (provider_id, (detail[1]::json -> 'productMasterDataList' ->> 'itemCode')) WHERE kind = 'masterProduct';
COMMENT ON INDEX record_version_by_item_code IS 'Finds a product as it was at a moment.';
CREATE INDEX record_version_by_location_code ON record_version (provider_id, (detail[1]::json -> 'locationMasterList' ->> 'locationCode')) WHERE kind = 'location';
COMMENT ON INDEX record_version_by_location_code IS 'Finds a location as it was at a moment.';
CREATE INDEX record_version_by_gln ON record_version (provider_id, (detail[1]::json -> 'locationMasterList' ->> 'gln')) WHERE kind = 'location';
COMMENT ON INDEX record_version_by_gln IS 'Finds the source of a lot code as it was at a moment, by its GLN.';
CREATE INDEX record_version_by_duns ON record_version (provider_id, (detail[1]::json -> 'locationMasterList' ->> 'duns')) WHERE kind = 'location';
COMMENT ON INDEX record_version_by_duns IS 'Finds the source of a lot code as it was at a moment, by its DUNS number.';
-- PostgreSQL compresses a row of more than 2 KB only until it is below. Here it compresses all it can, and
-- nothing leaves the row: else the hashes would, before a text is compressed.
ALTER TABLE record_version SET (toast_tuple_target = 128);
ALTER TABLE record_version
  ALTER COLUMN kind SET STORAGE MAIN,
  ALTER COLUMN key_id SET STORAGE MAIN,
  ALTER COLUMN payload_id SET STORAGE MAIN,
  ALTER COLUMN content_hash SET STORAGE MAIN,
  ALTER COLUMN detail SET STORAGE MAIN,
  ALTER COLUMN detail_hash SET STORAGE MAIN,
  ALTER COLUMN version_hash SET STORAGE MAIN,
  ALTER COLUMN void_reason SET STORAGE MAIN,
  ALTER COLUMN reason SET STORAGE MAIN;
-- lz4 unpacks a body in half the time. Not every server is built with it.
DO $$
BEGIN
  ALTER TABLE record_version ALTER COLUMN detail SET COMPRESSION lz4;
  ALTER TABLE record ALTER COLUMN compared SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- Events of all kinds stand in the same three tables. Each kind has a partition of each: a kind with
-- few events is searched as fast as one with many, and no index needs the kind before its own
-- columns. There, PostgreSQL would take one such index for as good as another where it has no
-- statistics (decision 0086).

CREATE TABLE event (
  provider_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "eventDateTime" timestamptz NOT NULL,
  place text NOT NULL,
  counterpart text,
  "purchaseOrderNumber" text,
  "asnNumber" text,
  identity text NOT NULL,
  event_date date NOT NULL,
  line_count integer NOT NULL,
  completeness jsonb,
  warnings integer NOT NULL DEFAULT 0,
  ftl_categories jsonb,
  "billOfLadingNumber" text,
  PRIMARY KEY (provider_id, id, kind)
) PARTITION BY LIST (kind);
CREATE TABLE receiving_event PARTITION OF event FOR VALUES IN ('receivingEvent') WITH (fillfactor = 85);
CREATE TABLE shipping_event PARTITION OF event FOR VALUES IN ('shippingEvent') WITH (fillfactor = 85);
CREATE TABLE harvesting_event PARTITION OF event FOR VALUES IN ('harvestingEvent') WITH (fillfactor = 85);
CREATE TABLE cooling_event PARTITION OF event FOR VALUES IN ('coolingEvent') WITH (fillfactor = 85);
CREATE TABLE initial_packing_event PARTITION OF event FOR VALUES IN ('initialPackingEvent') WITH (fillfactor = 85);
CREATE TABLE first_land_based_receiving_event PARTITION OF event FOR VALUES IN ('firstLandBasedReceivingEvent') WITH (fillfactor = 85);
CREATE TABLE transformation_event PARTITION OF event FOR VALUES IN ('transformationEvent') WITH (fillfactor = 85);
ALTER TABLE event ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE event IS 'Search rows of events: values of their current versions. Each kind has a partition of its own, as in event_code and voided_event.';
COMMENT ON COLUMN event.kind IS 'Kind of the event, as in record.';
COMMENT ON COLUMN event.id IS 'The record: record.id.';
COMMENT ON COLUMN event.place IS 'Code of the location where it took place: the ship-to location of a receiving event, the ship-from location of a shipping event, the location that changes goods.';
COMMENT ON COLUMN event.counterpart IS 'Code of the location at the other end: the ship-from location of a receiving event, the ship-to location of a shipping event. Null of a kind without one.';
COMMENT ON COLUMN event.identity IS 'What tells it from other events of its kind at the same place and moment: the vendor of a receiving event; of other kinds a hash of the fields that they declare, such as vendor, ship-to location and reference documents.';
COMMENT ON COLUMN event.event_date IS 'The calendar date as written in eventDateTime, at its place.';
COMMENT ON COLUMN event.line_count IS 'Entries of its product list.';
COMMENT ON COLUMN event.completeness IS 'Of the lines that want key data elements, per item: how many there are, how many are complete, and how many each rule found a gap of. No index has it, so that a replacement that fills a gap stays on its page.';
COMMENT ON COLUMN event.warnings IS 'Warnings stored with its current version. No index has it, as with completeness and ftl_categories.';
COMMENT ON COLUMN event.ftl_categories IS 'Categories of the Food Traceability List in its product list, each once; null without any.';
CREATE INDEX event_by_vendor ON event (provider_id, "dataProviderVendorId", id);
COMMENT ON INDEX event_by_vendor IS 'Lists by vendor.';
CREATE INDEX event_by_date_time ON event (provider_id, "eventDateTime", id)
  INCLUDE (event_date, place, "dataProviderVendorId");
COMMENT ON INDEX event_by_date_time IS 'Lists and exports by date; its further columns save a look at the row.';
CREATE INDEX event_by_place ON event (provider_id, place, id);
COMMENT ON INDEX event_by_place IS 'Lists by the location where the event took place.';
CREATE INDEX event_by_counterpart ON event (provider_id, counterpart, id);
COMMENT ON INDEX event_by_counterpart IS 'Lists by the location at the other end.';
CREATE INDEX event_by_purchase_order ON event (provider_id, "purchaseOrderNumber", id);
COMMENT ON INDEX event_by_purchase_order IS 'Lists by purchase order.';
CREATE INDEX event_by_asn ON event (provider_id, "asnNumber", id) WHERE "asnNumber" IS NOT NULL;
COMMENT ON INDEX event_by_asn IS 'Lists by advance ship notice.';
CREATE INDEX event_by_bill_of_lading ON event (provider_id, "billOfLadingNumber", id) WHERE "billOfLadingNumber" IS NOT NULL;
COMMENT ON INDEX event_by_bill_of_lading IS 'Lists by bill of lading.';
-- Section 2.4, rule 2, of the contract: no two payloads with the same event date time. An error
-- names the index of the partition.
CREATE UNIQUE INDEX receiving_event_one_per_identity
  ON receiving_event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date);
CREATE UNIQUE INDEX shipping_event_one_per_identity
  ON shipping_event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date);
CREATE UNIQUE INDEX harvesting_event_one_per_identity
  ON harvesting_event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date);
CREATE UNIQUE INDEX cooling_event_one_per_identity
  ON cooling_event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date);
CREATE UNIQUE INDEX initial_packing_event_one_per_identity
  ON initial_packing_event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date);
CREATE UNIQUE INDEX first_land_based_receiving_event_one_per_identity
  ON first_land_based_receiving_event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date);
CREATE UNIQUE INDEX transformation_event_one_per_identity
  ON transformation_event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date);
CREATE UNIQUE INDEX event_one_per_identity ON event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date);
COMMENT ON INDEX event_one_per_identity IS 'Keeps an event unique per place, event date time and identity; lists of a place by date.';

CREATE TABLE event_code (
  provider_id uuid NOT NULL,
  kind text NOT NULL,
  field text NOT NULL CHECK (field IN ('lotCode', 'itemCode', 'locationCode', 'eventId', 'sourceNumber', 'food')),
  code text NOT NULL,
  id uuid NOT NULL,
  unfolded text NOT NULL,
  PRIMARY KEY (provider_id, field, code, id, unfolded, kind)
) PARTITION BY LIST (kind);
CREATE TABLE receiving_event_code PARTITION OF event_code FOR VALUES IN ('receivingEvent');
CREATE TABLE shipping_event_code PARTITION OF event_code FOR VALUES IN ('shippingEvent');
CREATE TABLE harvesting_event_code PARTITION OF event_code FOR VALUES IN ('harvestingEvent');
CREATE TABLE cooling_event_code PARTITION OF event_code FOR VALUES IN ('coolingEvent');
CREATE TABLE initial_packing_event_code PARTITION OF event_code FOR VALUES IN ('initialPackingEvent');
CREATE TABLE first_land_based_receiving_event_code PARTITION OF event_code FOR VALUES IN ('firstLandBasedReceivingEvent');
CREATE TABLE transformation_event_code PARTITION OF event_code FOR VALUES IN ('transformationEvent');
ALTER TABLE event_code ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE event_code IS 'Codes of current events, one row per code: lot codes, item codes, event ids, food without lot codes, and locations that are neither the place nor the counterpart.';
COMMENT ON COLUMN event_code.kind IS 'Kind of the event, as in record.';
COMMENT ON COLUMN event_code.field IS 'What the code is: lotCode, itemCode, locationCode (of a location that is neither its place nor its counterpart), eventId, sourceNumber (GLN or DUNS number of a lot code source that it does not describe) or food (that a line names by the place and date of its harvest or cooling).';
COMMENT ON COLUMN event_code.code IS 'An item code as written; of a lot code, what was read out of the text of the line, folded, so that codes that read alike stand together. A lot code that may name other lots has a further row for each of them.';
COMMENT ON COLUMN event_code.id IS 'The event: record.id.';
COMMENT ON COLUMN event_code.unfolded IS 'The lot code as it was read, where code is another text; else empty. Code and this together tell lot codes apart.';
CREATE INDEX event_code_by_event ON event_code (provider_id, id);
COMMENT ON INDEX event_code_by_event IS 'Finds the codes of an event that is replaced.';

CREATE TABLE voided_event (
  provider_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "eventDateTime" timestamptz NOT NULL,
  place text NOT NULL,
  counterpart text,
  "purchaseOrderNumber" text,
  "asnNumber" text,
  event_date date NOT NULL,
  line_count integer NOT NULL,
  item_codes text[] NOT NULL,
  voided_at timestamptz NOT NULL,
  "billOfLadingNumber" text,
  PRIMARY KEY (provider_id, id, kind)
) PARTITION BY LIST (kind);
CREATE TABLE voided_receiving_event PARTITION OF voided_event FOR VALUES IN ('receivingEvent');
CREATE TABLE voided_shipping_event PARTITION OF voided_event FOR VALUES IN ('shippingEvent');
CREATE TABLE voided_harvesting_event PARTITION OF voided_event FOR VALUES IN ('harvestingEvent');
CREATE TABLE voided_cooling_event PARTITION OF voided_event FOR VALUES IN ('coolingEvent');
CREATE TABLE voided_initial_packing_event PARTITION OF voided_event FOR VALUES IN ('initialPackingEvent');
CREATE TABLE voided_first_land_based_receiving_event PARTITION OF voided_event FOR VALUES IN ('firstLandBasedReceivingEvent');
CREATE TABLE voided_transformation_event PARTITION OF voided_event FOR VALUES IN ('transformationEvent');
ALTER TABLE voided_event ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE voided_event IS 'Search rows of voided events: what event had of them. A replacement brings the record back and removes the row. Its lot codes are in earlier_lot_code.';
COMMENT ON COLUMN voided_event.kind IS 'Kind of the event, as in record.';
COMMENT ON COLUMN voided_event.id IS 'The record: record.id.';
COMMENT ON COLUMN voided_event.place IS 'As in event.';
COMMENT ON COLUMN voided_event.counterpart IS 'As in event.';
COMMENT ON COLUMN voided_event.event_date IS 'As in event.';
COMMENT ON COLUMN voided_event.line_count IS 'As in event.';
COMMENT ON COLUMN voided_event.item_codes IS 'Item codes of its lines, of vendor or purchaser.';
COMMENT ON COLUMN voided_event.voided_at IS 'When it was voided.';
CREATE INDEX voided_event_by_voided_at ON voided_event (provider_id, voided_at, id);
COMMENT ON INDEX voided_event_by_voided_at IS 'Lists voids, the latest first.';

CREATE TABLE earlier_lot_code (
  provider_id uuid NOT NULL,
  code text NOT NULL,
  id uuid NOT NULL,
  unfolded text NOT NULL,
  last_version integer NOT NULL,
  PRIMARY KEY (provider_id, code, id, unfolded)
);
ALTER TABLE earlier_lot_code ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE earlier_lot_code IS 'Lot codes that a replacement or a void removed from an event. A request for such a code leads to the record. A code that came back later still has its row here.';
COMMENT ON COLUMN earlier_lot_code.code IS 'As in event_code, and so is unfolded.';
COMMENT ON COLUMN earlier_lot_code.id IS 'The event: record.id.';
COMMENT ON COLUMN earlier_lot_code.unfolded IS 'As in event_code.';
COMMENT ON COLUMN earlier_lot_code.last_version IS 'The last version that had the lot code and was replaced. The row goes when that version is purged.';
CREATE INDEX earlier_lot_code_by_event ON earlier_lot_code (provider_id, id);
COMMENT ON INDEX earlier_lot_code_by_event IS 'Finds the rows of an event that is purged.';

CREATE TABLE master_product (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "itemCode" text NOT NULL,
  "alternateItemCode" text,
  gtin text,
  PRIMARY KEY (provider_id, id)
) WITH (fillfactor = 85);
ALTER TABLE master_product ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE master_product IS 'Search rows of master products, and identifiers that the contract declares unique.';
COMMENT ON COLUMN master_product.id IS 'The record: record.id.';
COMMENT ON COLUMN master_product.gtin IS 'GTIN of the product, as submitted.';
CREATE INDEX master_product_by_vendor ON master_product (provider_id, "dataProviderVendorId", id);
COMMENT ON INDEX master_product_by_vendor IS 'Lists by vendor.';
CREATE INDEX master_product_by_item_code ON master_product (provider_id, "itemCode", id);
COMMENT ON INDEX master_product_by_item_code IS 'Lists by item code.';
CREATE INDEX master_product_by_alternate_item_code ON master_product (provider_id, "alternateItemCode") WHERE "alternateItemCode" IS NOT NULL;
COMMENT ON INDEX master_product_by_alternate_item_code IS 'Finds an alternate item code that repeats.';
CREATE INDEX master_product_by_gtin ON master_product (provider_id, gtin) WHERE gtin IS NOT NULL;
COMMENT ON INDEX master_product_by_gtin IS 'Finds the products that an EPCIS event names by GTIN.';
CREATE INDEX master_product_by_vendor_and_item_code ON master_product (provider_id, "dataProviderVendorId", "itemCode", id);
COMMENT ON INDEX master_product_by_vendor_and_item_code IS 'Finds the product of a line, and an item code that repeats.';

CREATE TABLE location (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "locationCode" text NOT NULL,
  "alternateLocationCode" text,
  content jsonb NOT NULL,
  PRIMARY KEY (provider_id, id)
) WITH (fillfactor = 85);
ALTER TABLE location ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE location IS 'Location master data in force, from the locations endpoint or from an accepted event.';
COMMENT ON COLUMN location.id IS 'The record: record.id.';
COMMENT ON COLUMN location.content IS 'The location as JSON. An event is compared with it and merged into it.';
CREATE INDEX location_by_vendor ON location (provider_id, "dataProviderVendorId", id);
COMMENT ON INDEX location_by_vendor IS 'Lists by vendor.';
CREATE INDEX location_by_code ON location (provider_id, "locationCode", id);
COMMENT ON INDEX location_by_code IS 'Lists by location code.';
CREATE INDEX location_by_alternate_code ON location (provider_id, "alternateLocationCode") WHERE "alternateLocationCode" IS NOT NULL;
COMMENT ON INDEX location_by_alternate_code IS 'Finds an alternate location code that repeats.';
CREATE INDEX location_by_gln ON location (provider_id, (content ->> 'gln')) WHERE content ->> 'gln' IS NOT NULL;
COMMENT ON INDEX location_by_gln IS 'Finds the locations that an EPCIS event names by GLN, and the source of a lot code.';
CREATE INDEX location_by_duns ON location (provider_id, (content ->> 'duns')) WHERE content ->> 'duns' IS NOT NULL;
COMMENT ON INDEX location_by_duns IS 'Finds the source of a lot code by its DUNS number.';
CREATE UNIQUE INDEX location_one_per_code ON location (provider_id, "dataProviderVendorId", "locationCode");
COMMENT ON INDEX location_one_per_code IS 'Keeps a location code unique per vendor; finds the place of an event.';

CREATE TABLE awaiting_search (
  provider_id uuid NOT NULL,
  since timestamptz NOT NULL,
  id uuid NOT NULL,
  record_ids uuid[] NOT NULL,
  PRIMARY KEY (provider_id, since, id)
);
ALTER TABLE awaiting_search ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE awaiting_search IS 'Records whose texts are not in search_block yet, or have changed there: written with them, and removed with the blocks. One row for those of one statement.';
COMMENT ON COLUMN awaiting_search.since IS 'When they were stored.';
COMMENT ON COLUMN awaiting_search.id IS 'Tells rows of one moment apart.';
COMMENT ON COLUMN awaiting_search.record_ids IS 'The records: record.id.';

CREATE TABLE search_block (
  provider_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('event', 'masterData')),
  first_id uuid NOT NULL,
  ids uuid[] NOT NULL,
  texts text NOT NULL,
  grams integer[] NOT NULL,
  PRIMARY KEY (provider_id, kind, first_id)
) WITH (toast_tuple_target = 128);
ALTER TABLE search_block ALTER COLUMN provider_id SET STATISTICS 0, ALTER COLUMN grams SET STATISTICS 0;
COMMENT ON TABLE search_block IS 'Texts by which records are found in part (decision 0064), of some records whose ids follow each other: one row for many, since a row of its own would take more than its texts.';
COMMENT ON COLUMN search_block.kind IS 'Whether it has events or master data.';
COMMENT ON COLUMN search_block.first_id IS 'It has the records from this id on, up to that of the next block.';
COMMENT ON COLUMN search_block.ids IS 'The records: record.id.';
COMMENT ON COLUMN search_block.texts IS 'A line for each text: folded, and then as JSON what it is, its value, its name, and the places of its records in ids.';
COMMENT ON COLUMN search_block.grams IS 'Numbers of the pieces of four characters that the texts have, each with the provider in it.';
-- A provider is in each of its grams, so that the index finds the blocks of one alone. Without
-- fastupdate a search never reads a list of what was not sorted yet.
CREATE INDEX search_block_by_gram ON search_block USING gin (grams) WITH (fastupdate = off);
COMMENT ON INDEX search_block_by_gram IS 'Finds the blocks that have a part of a text.';

CREATE TABLE location_time_zone (
  provider_id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  "locationCode" text NOT NULL,
  time_zone text NOT NULL,
  set_at timestamptz NOT NULL,
  set_by text NOT NULL,
  PRIMARY KEY (provider_id, "locationCode", "dataProviderVendorId")
);
ALTER TABLE location_time_zone ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE location_time_zone IS 'Time zones of locations, as the provider set them. The date received of an event is the date in its zone.';
COMMENT ON COLUMN location_time_zone."dataProviderVendorId" IS 'Empty for the location code of all vendors.';
COMMENT ON COLUMN location_time_zone.time_zone IS 'Name of the zone, such as America/Los_Angeles.';
COMMENT ON COLUMN location_time_zone.set_at IS 'When it was set.';
COMMENT ON COLUMN location_time_zone.set_by IS 'The key that set it.';

CREATE TABLE recount (
  provider_id uuid NOT NULL,
  number integer NOT NULL DEFAULT 0,
  until timestamptz,
  counted_by text,
  PRIMARY KEY (provider_id)
);
ALTER TABLE recount ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE recount IS 'Where recounts of a provider stand (decision 0052).';
COMMENT ON COLUMN recount.number IS 'Number of the last recount. A write that was judged before it began puts its events into awaiting_recount.';
COMMENT ON COLUMN recount.until IS 'Until then the process that runs the recount has it to itself; null when none runs.';
COMMENT ON COLUMN recount.counted_by IS 'Version of the program whose rules have counted, or will count, all events.';

CREATE TABLE awaiting_recount (
  provider_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  since timestamptz NOT NULL DEFAULT now(),
  what text NOT NULL CHECK (what IN ('location', 'item', 'vendor', 'event', 'everything')),
  "dataProviderVendorId" text,
  code text,
  event_id uuid,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE awaiting_recount ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE awaiting_recount IS 'Changes of master data and exempt places that may fill or open gaps. Written with the change, and removed once the events that it touches are counted again.';
COMMENT ON COLUMN awaiting_recount.id IS 'Id of the row.';
COMMENT ON COLUMN awaiting_recount.since IS 'When it was written.';
COMMENT ON COLUMN awaiting_recount.what IS 'What is to be counted again: the events of a location, an item or a vendor, one event, or everything.';
COMMENT ON COLUMN awaiting_recount."dataProviderVendorId" IS 'The vendor, or that of the location or item.';
COMMENT ON COLUMN awaiting_recount.code IS 'Code of the location or item.';
COMMENT ON COLUMN awaiting_recount.event_id IS 'The event: record.id.';

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
  "dataProviderVendorId" text,
  sender text,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE refusal ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE refusal IS 'The latest creates and replacements that were refused, to show what was wrong with them.';
COMMENT ON COLUMN refusal.id IS 'Id of the refusal: newer ones have greater ids.';
COMMENT ON COLUMN refusal.refused_at IS 'When it was refused.';
COMMENT ON COLUMN refusal.request_id IS 'The request, as in the log.';
COMMENT ON COLUMN refusal.key_id IS 'The key that sent it.';
COMMENT ON COLUMN refusal.operation IS 'Name of the operation.';
COMMENT ON COLUMN refusal.record_id IS 'Id in the path of a replacement; null for a create.';
COMMENT ON COLUMN refusal.outcome IS 'How it ended: an outcome of the operation.';
COMMENT ON COLUMN refusal.detail IS 'The detail of its problem document.';
COMMENT ON COLUMN refusal.findings IS 'The first of its findings.';
COMMENT ON COLUMN refusal.finding_count IS 'How many findings there were.';
COMMENT ON COLUMN refusal."dataProviderVendorId" IS 'Vendor named in the payload that was refused; null when it named none.';
COMMENT ON COLUMN refusal.sender IS 'Sender of refused ship notices that was not set up: ISA06, a line break and ISA05; else null.';

CREATE TABLE idempotency_key (
  provider_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  operation text NOT NULL,
  fingerprint bytea NOT NULL,
  record_ids uuid[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, idempotency_key)
);
ALTER TABLE idempotency_key ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE idempotency_key IS 'The first answer to each create that carried an Idempotency-Key, written in the statement that creates the records.';
COMMENT ON COLUMN idempotency_key.idempotency_key IS 'As the client sent it.';
COMMENT ON COLUMN idempotency_key.operation IS 'Name of the operation.';
COMMENT ON COLUMN idempotency_key.fingerprint IS 'SHA-256 of the first request. Another request with the same key is refused.';
COMMENT ON COLUMN idempotency_key.record_ids IS 'Ids of the records it created.';
COMMENT ON COLUMN idempotency_key.created_at IS 'When it was first used. Keys are kept for at least seven days.';
CREATE INDEX idempotency_key_by_created_at ON idempotency_key (provider_id, created_at);
COMMENT ON INDEX idempotency_key_by_created_at IS 'Finds the oldest keys, to delete them.';

CREATE TABLE list_view (
  provider_id uuid NOT NULL,
  saved_by text NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  id uuid NOT NULL,
  query text NOT NULL,
  shared boolean NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, saved_by, list, name)
);
ALTER TABLE list_view ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE list_view IS 'Views of tables that people saved. No part of archives: they say nothing about records.';
COMMENT ON COLUMN list_view.saved_by IS 'The key that saved it.';
COMMENT ON COLUMN list_view.list IS 'What its table lists: a kind of records as in record, refusal or key.';
COMMENT ON COLUMN list_view.name IS 'What it is called; one of a name per key and list.';
COMMENT ON COLUMN list_view.id IS 'Id of the view, as the API returns it.';
COMMENT ON COLUMN list_view.query IS 'Filters, columns and order, as a query string of the console.';
COMMENT ON COLUMN list_view.shared IS 'True when all keys of the provider see it.';
COMMENT ON COLUMN list_view.saved_at IS 'When it was saved last.';

-- Traceability: the plan. Traces and completeness read the records.

CREATE TABLE traceability_plan (
  provider_id uuid NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  content text NOT NULL,
  content_hash text NOT NULL,
  submitted_at timestamptz NOT NULL,
  submitted_by text NOT NULL,
  PRIMARY KEY (provider_id, version)
);
ALTER TABLE traceability_plan ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE traceability_plan IS 'Versions of the traceability plan of 21 CFR 1.1315 (decision 0084). The one with the highest number is in force, each from its time until that of the next.';
COMMENT ON COLUMN traceability_plan.version IS 'Counted from 1.';
COMMENT ON COLUMN traceability_plan.content IS 'What the provider wrote, as JSON with its keys in order.';
COMMENT ON COLUMN traceability_plan.content_hash IS 'SHA-256 of the content, in hexadecimal digits.';
COMMENT ON COLUMN traceability_plan.submitted_at IS 'When it came into force; never before the version that it replaced.';
COMMENT ON COLUMN traceability_plan.submitted_by IS 'Id of the key that submitted it.';

-- Exchange: what came in by EPCIS, ship notices and archives.

CREATE TABLE captured_event (
  provider_id uuid NOT NULL,
  event_id text NOT NULL,
  content_hash bytea NOT NULL,
  kind text,
  record_id uuid,
  declared_wrong boolean NOT NULL,
  corrected_by text,
  captured_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, event_id),
  CONSTRAINT captured_event_of_a_record CHECK ((kind IS NULL) = (record_id IS NULL))
);
ALTER TABLE captured_event ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE captured_event IS 'Events of EPCIS that became records, or that their senders declared wrong (decision 0083). An event that is sent again is recognised here.';
COMMENT ON COLUMN captured_event.event_id IS 'eventID of the event; of an event without one, the hash of its content.';
COMMENT ON COLUMN captured_event.content_hash IS 'SHA-256 of the event, without its recordTime and errorDeclaration.';
COMMENT ON COLUMN captured_event.kind IS 'Kind of the record; null for an event that was declared wrong before it was captured.';
COMMENT ON COLUMN captured_event.record_id IS 'The record that the event stands for.';
COMMENT ON COLUMN captured_event.declared_wrong IS 'True when its sender declared it wrong.';
COMMENT ON COLUMN captured_event.corrected_by IS 'eventID of the one event that is right instead, also when it has not arrived yet.';
COMMENT ON COLUMN captured_event.captured_at IS 'When it was first captured.';
CREATE INDEX captured_event_by_correction ON captured_event (provider_id, corrected_by) WHERE corrected_by IS NOT NULL;
COMMENT ON INDEX captured_event_by_correction IS 'Finds what an event corrects.';

CREATE TABLE ship_notice (
  provider_id uuid NOT NULL,
  sender_id text NOT NULL,
  sender_qualifier text NOT NULL,
  number text NOT NULL,
  content_hash bytea NOT NULL,
  purpose text NOT NULL,
  written_at text,
  request_id uuid NOT NULL,
  record_ids uuid[] NOT NULL,
  is_done boolean NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, sender_id, number, content_hash, sender_qualifier),
  CONSTRAINT ship_notice_purpose CHECK (purpose IN ('original', 'replacement', 'cancellation'))
);
ALTER TABLE ship_notice ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE ship_notice IS 'Ship notices (X12 856) that were carried out (decision 0082). One that is sent again is recognised here, and a replacement or cancellation finds the shipping events of its original.';
COMMENT ON COLUMN ship_notice.sender_id IS 'Id of the sender: ISA06 without the blanks at its end.';
COMMENT ON COLUMN ship_notice.sender_qualifier IS 'Qualifier of that id: ISA05.';
COMMENT ON COLUMN ship_notice.number IS 'Number of the notice: BSN02.';
COMMENT ON COLUMN ship_notice.content_hash IS 'SHA-256 of the segments between ST and SE.';
COMMENT ON COLUMN ship_notice.purpose IS 'What it was sent for (BSN01): original, replacement or cancellation.';
COMMENT ON COLUMN ship_notice.written_at IS 'When it was written (BSN03, BSN04), as 14 digits; null where it does not say so.';
COMMENT ON COLUMN ship_notice.request_id IS 'Request id of the versions that it made.';
COMMENT ON COLUMN ship_notice.record_ids IS 'Its shipping events.';
COMMENT ON COLUMN ship_notice.is_done IS 'False while it is carried out, and when the service ended before it was done.';
COMMENT ON COLUMN ship_notice.taken_at IS 'When it was first carried out.';
CREATE INDEX ship_notice_by_request ON ship_notice (provider_id, request_id) WHERE purpose = 'replacement';
COMMENT ON INDEX ship_notice_by_request IS 'Finds the replacement that made a version.';

CREATE TABLE archive_import (
  provider_id uuid NOT NULL,
  archive text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  continued_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (provider_id)
);
ALTER TABLE archive_import ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE archive_import IS 'The archive from which the records of a provider were imported. While the import runs, only the checkpoints of the archive are added.';
COMMENT ON COLUMN archive_import.archive IS 'First line of the archive.';
COMMENT ON COLUMN archive_import.began_at IS 'When the import began.';
COMMENT ON COLUMN archive_import.continued_at IS 'When its last part came. An import without one for some minutes has broken off.';
COMMENT ON COLUMN archive_import.ended_at IS 'When it ended; null while it has not.';

-- Sharing: partners, who read copies in an account of their own, and packages for anybody else.

CREATE TABLE partner (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  places jsonb NOT NULL,
  grants jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  changed_at timestamptz NOT NULL,
  deleted_at timestamptz,
  generation integer NOT NULL DEFAULT 1,
  copied_generation integer NOT NULL DEFAULT 0,
  complete_at timestamptz,
  rescanned text,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE partner ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE partner IS 'With whom a provider shares, and what (decision 0077).';
COMMENT ON COLUMN partner.id IS 'Id of the partner: a UUID of version 7.';
COMMENT ON COLUMN partner.account_id IS 'Its account, in partner_account.';
COMMENT ON COLUMN partner.name IS 'Its name.';
COMMENT ON COLUMN partner.places IS 'Its places: GLNs, or location codes, of one vendor or of all.';
COMMENT ON COLUMN partner.grants IS 'What it may see.';
COMMENT ON COLUMN partner.created_at IS 'When it was created.';
COMMENT ON COLUMN partner.created_by IS 'Id of the key that created it.';
COMMENT ON COLUMN partner.changed_at IS 'When name, places or grants were last changed.';
COMMENT ON COLUMN partner.deleted_at IS 'When it was deleted; its row goes once its copies are withdrawn.';
COMMENT ON COLUMN partner.generation IS 'Counts the changes of what is shared: of places, grants, and locations with the GLN of a place.';
COMMENT ON COLUMN partner.copied_generation IS 'The generation that the copies are of; 0 before the first.';
COMMENT ON COLUMN partner.complete_at IS 'From when its account was first complete; null until then.';
COMMENT ON COLUMN partner.rescanned IS 'How far the rescan of all events is, after a change of places or grants.';
CREATE UNIQUE INDEX partner_by_name ON partner (provider_id, name) WHERE deleted_at IS NULL;
COMMENT ON INDEX partner_by_name IS 'Keeps two partners of a provider from having one name.';

CREATE TABLE partner_account (
  provider_id uuid NOT NULL,
  shared_by uuid NOT NULL,
  name text NOT NULL,
  sharing_closed boolean NOT NULL DEFAULT false,
  sharing_until timestamptz,
  deleted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (provider_id)
);
ALTER TABLE partner_account ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE partner_account IS 'Accounts of partners. To its keys and copies an account is what a provider is to its own. On a cluster it is in the shard of the provider that shares, by its id.';
COMMENT ON COLUMN partner_account.provider_id IS 'Id of the account: provider_id of its keys and copies.';
COMMENT ON COLUMN partner_account.shared_by IS 'The provider that shares.';
COMMENT ON COLUMN partner_account.name IS 'The name of the partner, as its keys are shown it.';
COMMENT ON COLUMN partner_account.sharing_closed IS 'Nothing is handed out until copies that are no longer shared are withdrawn.';
COMMENT ON COLUMN partner_account.sharing_until IS 'When the next grant ends. From then on it is closed, until copies are withdrawn and the next end is set.';
COMMENT ON COLUMN partner_account.deleted IS 'True once the partner is deleted: its keys are valid no more, whatever their own rows say.';

CREATE TABLE deleted_partner (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  deleted_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE deleted_partner ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE deleted_partner IS 'With whom a provider shared: leads to what the partner read. Rows are only added.';
COMMENT ON COLUMN deleted_partner.id IS 'The id that the partner had.';
COMMENT ON COLUMN deleted_partner.account_id IS 'The provider whose access log has what its keys read.';
COMMENT ON COLUMN deleted_partner.name IS 'Its last name.';
COMMENT ON COLUMN deleted_partner.deleted_at IS 'When it was deleted.';

CREATE TABLE sharing (
  provider_id uuid NOT NULL,
  position text,
  failing_since timestamptz,
  fence integer NOT NULL DEFAULT 0,
  until timestamptz,
  PRIMARY KEY (provider_id)
);
ALTER TABLE sharing ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE sharing IS 'How far copies for partners follow the records of a provider that shares. One row for all of its partners, so that its feed of changes is read once (decision 0078).';
COMMENT ON COLUMN sharing.position IS 'Position in the feed of changes: what comes before it is copied. Null before the first partner.';
COMMENT ON COLUMN sharing.failing_since IS 'Since when copies fail; null once no partner has to wait for any.';
COMMENT ON COLUMN sharing.fence IS 'Counts the processes that took over: one that was late writes nothing.';
COMMENT ON COLUMN sharing.until IS 'The holder is not disturbed until then; it renews this while it is alive.';

CREATE TABLE shared_copy (
  provider_id uuid NOT NULL,
  record_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('receivingEvent', 'masterProduct', 'location')),
  copy_id uuid NOT NULL,
  source_version integer NOT NULL,
  first_version integer NOT NULL,
  versions integer[] NOT NULL,
  shown_hash bytea NOT NULL,
  withdrawn boolean NOT NULL DEFAULT false,
  settled boolean NOT NULL,
  PRIMARY KEY (provider_id, record_id, partner_id)
) WITH (fillfactor = 85);
ALTER TABLE shared_copy ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE shared_copy IS 'Which records of a provider were copied into the account of which partner, so that nothing is written twice and each copy can be withdrawn (decision 0078).';
COMMENT ON COLUMN shared_copy.record_id IS 'The record of the provider.';
COMMENT ON COLUMN shared_copy.partner_id IS 'The partner.';
COMMENT ON COLUMN shared_copy.kind IS 'Kind of the record.';
COMMENT ON COLUMN shared_copy.copy_id IS 'The record in the account of the partner: the id of the source, or a new one after a copy with that id was withdrawn.';
COMMENT ON COLUMN shared_copy.source_version IS 'The version of the source up to which the copy was brought.';
COMMENT ON COLUMN shared_copy.first_version IS 'The version that the source was at when the copy was begun. Only a grant with history shares those before it.';
COMMENT ON COLUMN shared_copy.versions IS 'For each version of the copy, the last version of the source that shows what it shows. Written before the copy is: see settled.';
COMMENT ON COLUMN shared_copy.shown_hash IS 'Hash of what these versions show, so that a change of what is withheld is seen.';
COMMENT ON COLUMN shared_copy.withdrawn IS 'True when the copy was withdrawn, and its content purged. One that comes back gets another id.';
COMMENT ON COLUMN shared_copy.settled IS 'False from the moment before versions are written into the account until they are known to be there.';
CREATE INDEX shared_copy_by_copy ON shared_copy (provider_id, partner_id, copy_id) WHERE NOT withdrawn;
COMMENT ON INDEX shared_copy_by_copy IS 'Reads the copies of a partner in order, and finds the source of one.';

CREATE TABLE package_link (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  opening_hash bytea NOT NULL,
  label text NOT NULL,
  asked json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  expires_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  withdrawn_by text,
  wrong_codes integer NOT NULL DEFAULT 0,
  fetches integer NOT NULL DEFAULT 0,
  last_fetched_at timestamptz,
  PRIMARY KEY (provider_id, id),
  CONSTRAINT package_link_withdrawn_by_somebody CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL))
);
ALTER TABLE package_link ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE package_link IS 'FDA packages that can be fetched without a key, by an address and a code (decision 0079). The package is made when it is fetched.';
COMMENT ON COLUMN package_link.id IS 'Id of the link: a UUID of version 7, so newer links have greater ids.';
COMMENT ON COLUMN package_link.opening_hash IS 'SHA-256 of the secret in the address and the code. Neither is stored.';
COMMENT ON COLUMN package_link.label IS 'Who it is for, in the words of who created it.';
COMMENT ON COLUMN package_link.asked IS 'The parameters of the package: those that occur once under query, lists of values under lists.';
COMMENT ON COLUMN package_link.created_at IS 'When it was created.';
COMMENT ON COLUMN package_link.created_by IS 'Id of the key that created it.';
COMMENT ON COLUMN package_link.expires_at IS 'From when on it opens nothing.';
COMMENT ON COLUMN package_link.withdrawn_at IS 'When it was withdrawn; null while it is not.';
COMMENT ON COLUMN package_link.withdrawn_by IS 'Id of the key that withdrew it.';
COMMENT ON COLUMN package_link.wrong_codes IS 'How often a wrong code was entered. After ten it opens nothing.';
COMMENT ON COLUMN package_link.fetches IS 'How often its package was fetched. The access log has each time.';
COMMENT ON COLUMN package_link.last_fetched_at IS 'When its package was last fetched; null when it never was.';

-- Changes: webhooks. The feed itself is read from the checkpoints (decision 0071).

CREATE TABLE webhook (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  description text,
  types text[] NOT NULL,
  "dataProviderVendorId" text,
  "shipToLocationCode" text,
  "lotCode" text,
  payload text NOT NULL CHECK (payload IN ('thin', 'record')),
  signature text NOT NULL CHECK (signature IN ('v1a', 'v1')),
  secret bytea NOT NULL,
  old_signature text CHECK (old_signature IN ('v1a', 'v1')),
  old_secret bytea,
  old_until timestamptz,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  setting integer NOT NULL DEFAULT 1,
  disabled_at timestamptz,
  disabled_because text CHECK (disabled_because IN ('failing', 'gone')),
  position text NOT NULL,
  alert_number integer NOT NULL,
  message_id uuid,
  message_end text,
  message_alert integer,
  attempts integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  next_at timestamptz,
  delivered_at timestamptz,
  fence integer NOT NULL DEFAULT 0,
  until timestamptz,
  PRIMARY KEY (provider_id, id),
  CONSTRAINT webhook_disabled_with_reason CHECK ((disabled_at IS NULL) = (disabled_because IS NULL)),
  CONSTRAINT webhook_message_has_an_end CHECK ((message_id IS NULL) = (message_end IS NULL AND message_alert IS NULL)),
  CONSTRAINT webhook_old_key_whole CHECK ((old_secret IS NULL) = (old_signature IS NULL) AND (old_secret IS NULL) = (old_until IS NULL))
);
ALTER TABLE webhook ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE webhook IS 'Where messages are sent (decision 0072). Each is a position in the feed of changes, and not a row for each message.';
COMMENT ON COLUMN webhook.id IS 'Id of the webhook: a UUID of version 7.';
COMMENT ON COLUMN webhook.url IS 'The address of the receiver.';
COMMENT ON COLUMN webhook.description IS 'What it is for, in the words of who created it.';
COMMENT ON COLUMN webhook.types IS 'Types of changes and alerts that are sent, or patterns such as receivingEvent.*; empty for all changes and no alerts.';
COMMENT ON COLUMN webhook."dataProviderVendorId" IS 'Only changes of records of this vendor; null for all.';
COMMENT ON COLUMN webhook."shipToLocationCode" IS 'Only changes of receiving events at this location; null for all.';
COMMENT ON COLUMN webhook."lotCode" IS 'Only changes of receiving events with this lot code; null for all.';
COMMENT ON COLUMN webhook.payload IS 'Whether messages carry ids only, or the record as well.';
COMMENT ON COLUMN webhook.signature IS 'v1a signs with Ed25519, v1 with HMAC-SHA256.';
COMMENT ON COLUMN webhook.secret IS 'The key that signs: a seed of Ed25519, or the secret that the receiver has too. Who reads it can forge messages to this receiver.';
COMMENT ON COLUMN webhook.old_signature IS 'How the key before the last rotation signs.';
COMMENT ON COLUMN webhook.old_secret IS 'The key before the last rotation, which signs beside the new one for a day.';
COMMENT ON COLUMN webhook.old_until IS 'Until when the old key signs.';
COMMENT ON COLUMN webhook.created_at IS 'When it was created.';
COMMENT ON COLUMN webhook.created_by IS 'Id of the key that created it.';
COMMENT ON COLUMN webhook.setting IS 'Counts what an operation changed, so that the process that sends reads the row again.';
COMMENT ON COLUMN webhook.disabled_at IS 'When it was disabled; null while it is enabled.';
COMMENT ON COLUMN webhook.disabled_because IS 'failing: messages failed for three days. gone: the receiver answered 410.';
COMMENT ON COLUMN webhook.position IS 'Position in the feed of changes: what comes before it was delivered, or not wanted.';
COMMENT ON COLUMN webhook.alert_number IS 'Number of the last alert that was delivered, or not wanted.';
COMMENT ON COLUMN webhook.message_id IS 'Id of the message that is being sent, stored before it is sent: a process that takes over sends it again under the same id.';
COMMENT ON COLUMN webhook.message_end IS 'Position behind the last change of that message.';
COMMENT ON COLUMN webhook.message_alert IS 'Number of the alert of that message.';
COMMENT ON COLUMN webhook.attempts IS 'Failed attempts in a row.';
COMMENT ON COLUMN webhook.failing_since IS 'When the first of them ended.';
COMMENT ON COLUMN webhook.next_at IS 'Nothing is sent before.';
COMMENT ON COLUMN webhook.delivered_at IS 'When a message was last delivered.';
COMMENT ON COLUMN webhook.fence IS 'Counts the processes that took it over: one that was late writes nothing.';
COMMENT ON COLUMN webhook.until IS 'The holder is not disturbed until then; it renews this while it is alive.';

CREATE TABLE webhook_attempt (
  provider_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  began_at timestamptz NOT NULL,
  ms integer NOT NULL,
  message_id text NOT NULL,
  type text NOT NULL,
  changes integer NOT NULL,
  position text,
  attempt integer NOT NULL,
  delivered boolean NOT NULL,
  status integer,
  error text,
  answer text,
  next_at timestamptz,
  PRIMARY KEY (provider_id, webhook_id, id)
);
ALTER TABLE webhook_attempt ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE webhook_attempt IS 'What came of sending messages: the last 1,000 attempts of each webhook, of 30 days (decision 0072).';
COMMENT ON COLUMN webhook_attempt.webhook_id IS 'The webhook.';
COMMENT ON COLUMN webhook_attempt.id IS 'Id of the attempt: a UUID of version 7, so newer attempts have greater ids.';
COMMENT ON COLUMN webhook_attempt.began_at IS 'When it began.';
COMMENT ON COLUMN webhook_attempt.ms IS 'How long it took, in milliseconds.';
COMMENT ON COLUMN webhook_attempt.message_id IS 'Id of the message, the same in each attempt.';
COMMENT ON COLUMN webhook_attempt.type IS 'Type of the message.';
COMMENT ON COLUMN webhook_attempt.changes IS 'Number of changes in the message.';
COMMENT ON COLUMN webhook_attempt.position IS 'Position behind its last change; null for an alert or a test.';
COMMENT ON COLUMN webhook_attempt.attempt IS 'Counts the attempts of the message, from 1.';
COMMENT ON COLUMN webhook_attempt.delivered IS 'Whether the receiver confirmed it.';
COMMENT ON COLUMN webhook_attempt.status IS 'Status of the answer; null when there was none.';
COMMENT ON COLUMN webhook_attempt.error IS 'Why it failed.';
COMMENT ON COLUMN webhook_attempt.answer IS 'The beginning of the answer.';
COMMENT ON COLUMN webhook_attempt.next_at IS 'When the next attempt is due; null when there is none.';
CREATE INDEX webhook_attempt_failed ON webhook_attempt (provider_id, webhook_id, id) WHERE NOT delivered;
COMMENT ON INDEX webhook_attempt_failed IS 'Finds the attempts that failed.';

-- Corrections: one change of fields in many events.

CREATE TABLE correction (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('previewing', 'previewed', 'applying', 'done', 'cancelled')),
  reason text NOT NULL,
  asked json NOT NULL,
  event_count integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  applied_at timestamptz,
  applied_by text,
  ended_at timestamptz,
  undoes uuid,
  fence integer NOT NULL DEFAULT 0,
  until timestamptz,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE correction ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE correction IS 'Bulk corrections (decision 0067): one change of fields in many receiving events, with one reason. Each version that one makes has its id as record_version.request_id.';
COMMENT ON COLUMN correction.id IS 'Id of the correction: newer ones have greater ids.';
COMMENT ON COLUMN correction.state IS 'previewing, previewed, applying, done or cancelled.';
COMMENT ON COLUMN correction.reason IS 'As its creator wrote it.';
COMMENT ON COLUMN correction.asked IS 'Which events it chooses, and what it changes in them, as JSON.';
COMMENT ON COLUMN correction.event_count IS 'Events that it chose.';
COMMENT ON COLUMN correction.created_at IS 'When it was created, and its events were chosen.';
COMMENT ON COLUMN correction.created_by IS 'The key that created it.';
COMMENT ON COLUMN correction.applied_at IS 'When it was told to apply its changes; null while it is a preview.';
COMMENT ON COLUMN correction.applied_by IS 'The key that applied it; the versions name this key.';
COMMENT ON COLUMN correction.ended_at IS 'When it was done or cancelled; null before.';
COMMENT ON COLUMN correction.undoes IS 'The correction whose events it brings back to what stood before; null where it changes fields.';
COMMENT ON COLUMN correction.fence IS 'Counts the processes that took it over: one that was late ends no phase.';
COMMENT ON COLUMN correction.until IS 'Until then that process has it to itself.';
CREATE INDEX correction_under_way ON correction (provider_id, id) WHERE state IN ('previewing', 'applying');
COMMENT ON INDEX correction_under_way IS 'Finds what a process has to work on.';
CREATE INDEX correction_undoing ON correction (provider_id, undoes) WHERE undoes IS NOT NULL;
COMMENT ON INDEX correction_undoing IS 'Finds what undoes a correction.';

CREATE TABLE correction_event (
  provider_id uuid NOT NULL,
  correction_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version integer NOT NULL,
  back_to integer,
  line_count integer NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('waiting', 'ready', 'leftOut', 'unchanged', 'refused', 'corrected', 'superseded', 'gone', 'failed')),
  to_version integer,
  value_count integer NOT NULL DEFAULT 0,
  completed_lines integer NOT NULL DEFAULT 0,
  closed_gaps integer NOT NULL DEFAULT 0,
  differences json,
  detail text,
  result_hash bytea,
  PRIMARY KEY (provider_id, correction_id, record_id)
);
ALTER TABLE correction_event ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE correction_event IS 'What a bulk correction does with each event that it chose. Removed some months after the correction ended.';
COMMENT ON COLUMN correction_event.correction_id IS 'The correction: correction.id.';
COMMENT ON COLUMN correction_event.record_id IS 'The event: record.id.';
COMMENT ON COLUMN correction_event.version IS 'The version that was chosen: only this one is replaced.';
COMMENT ON COLUMN correction_event.back_to IS 'Where a correction is undone: the version whose content comes back.';
COMMENT ON COLUMN correction_event.line_count IS 'Lines of that version.';
COMMENT ON COLUMN correction_event.outcome IS 'waiting for the preview; ready to be corrected; leftOut: ready, and left out by who applied it; unchanged: it has nothing to change; refused by the rules; corrected; superseded: it changed after the preview; gone: it was purged; failed.';
COMMENT ON COLUMN correction_event.to_version IS 'The version that the correction made.';
COMMENT ON COLUMN correction_event.value_count IS 'Values that the correction changes.';
COMMENT ON COLUMN correction_event.completed_lines IS 'Lines that become complete, less those that do not stay so.';
COMMENT ON COLUMN correction_event.closed_gaps IS 'Gaps that the correction closes, less those that it opens.';
COMMENT ON COLUMN correction_event.differences IS 'The first of these values, before and after, as JSON.';
COMMENT ON COLUMN correction_event.detail IS 'Why it was not corrected.';
COMMENT ON COLUMN correction_event.result_hash IS 'Content hash of the version that was previewed: another one is not stored.';

-- Vendors: alerts. Targets are declared settings; scorecards read the records.

CREATE TABLE alert (
  provider_id uuid NOT NULL,
  number integer NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  begun_at timestamptz NOT NULL,
  begun_as json NOT NULL,
  latest json NOT NULL,
  ended_number integer,
  ended_at timestamptz,
  PRIMARY KEY (provider_id, number),
  CONSTRAINT alert_ends_with_a_number CHECK ((ended_at IS NULL) = (ended_number IS NULL))
);
ALTER TABLE alert ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE alert IS 'Alerts of a provider (decision 0073). Each begins once and ends once, and both have a number in one order. No part of archives: they say nothing about records.';
COMMENT ON COLUMN alert.number IS 'Number of its beginning, by which it is named.';
COMMENT ON COLUMN alert.type IS 'What it is about, e.g. alert.vendorSilent.';
COMMENT ON COLUMN alert.subject IS 'The vendor; empty where it concerns all of them, or none.';
COMMENT ON COLUMN alert.begun_at IS 'When it began.';
COMMENT ON COLUMN alert.begun_as IS 'The numbers behind it when it began.';
COMMENT ON COLUMN alert.latest IS 'Those numbers at the last look; of an alert that ended, at the last look that found it.';
COMMENT ON COLUMN alert.ended_number IS 'Number of its end; null while it is open.';
COMMENT ON COLUMN alert.ended_at IS 'When it ended; null while it is open.';
CREATE UNIQUE INDEX alert_open ON alert (provider_id, type, subject) WHERE ended_at IS NULL;
COMMENT ON INDEX alert_open IS 'One alert of a type about a vendor is open at a time; and the list of those that are.';
CREATE UNIQUE INDEX alert_by_ended_number ON alert (provider_id, ended_number) WHERE ended_number IS NOT NULL;
COMMENT ON INDEX alert_by_ended_number IS 'The messages about ends, in their order.';

CREATE TABLE alert_look (
  provider_id uuid NOT NULL,
  fence integer NOT NULL DEFAULT 0,
  until timestamptz,
  looked_at timestamptz,
  seen text,
  retention_seen text,
  last_number integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id)
);
ALTER TABLE alert_look ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE alert_look IS 'Where the looks for alerts of a provider stand.';
COMMENT ON COLUMN alert_look.fence IS 'Number of the last look: one whose number is lower writes nothing.';
COMMENT ON COLUMN alert_look.until IS 'Until then the process that looks has the provider to itself; null when none looks.';
COMMENT ON COLUMN alert_look.looked_at IS 'When the last look ended; null when one is due at once.';
COMMENT ON COLUMN alert_look.seen IS 'What of the provider the last look saw: while it is the same, vendors are not looked at again.';
COMMENT ON COLUMN alert_look.retention_seen IS 'The same for what is older than the retention time.';
COMMENT ON COLUMN alert_look.last_number IS 'The last number that an alert began or ended with.';

CREATE TABLE alert_setting (
  provider_id uuid NOT NULL,
  switched_off text[] NOT NULL,
  checkpoint_overdue_minutes integer CHECK (checkpoint_overdue_minutes BETWEEN 1 AND 10080),
  retention_due_versions integer CHECK (retention_due_versions BETWEEN 1 AND 1000),
  set_at timestamptz NOT NULL DEFAULT now(),
  set_by text NOT NULL,
  PRIMARY KEY (provider_id)
);
ALTER TABLE alert_setting ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE alert_setting IS 'Which alerts a provider wants. A null takes the value of the program, as all do without a row.';
COMMENT ON COLUMN alert_setting.switched_off IS 'Types of alerts that are not raised.';
COMMENT ON COLUMN alert_setting.checkpoint_overdue_minutes IS 'Minutes after which a version without a checkpoint is overdue.';
COMMENT ON COLUMN alert_setting.retention_due_versions IS 'So many versions past the retention time make an alert.';
COMMENT ON COLUMN alert_setting.set_at IS 'When it was set.';
COMMENT ON COLUMN alert_setting.set_by IS 'Id of the key that set it.';

-- Keeping: holds against the purge, mock recalls, and who received or changed what.

CREATE TABLE legal_hold (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  reason text NOT NULL,
  record_id uuid,
  "lotCode" text,
  "dataProviderVendorId" text,
  event_start_date date,
  event_end_date date,
  set_at timestamptz NOT NULL DEFAULT now(),
  set_by text NOT NULL,
  lifted_at timestamptz,
  lifted_by text,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE legal_hold ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE legal_hold IS 'Records that are not purged while the hold stands, whatever their age. All conditions must match. A hold without one holds everything of the provider.';
COMMENT ON COLUMN legal_hold.id IS 'Id of the hold.';
COMMENT ON COLUMN legal_hold.reason IS 'As its creator wrote it.';
COMMENT ON COLUMN legal_hold.record_id IS 'Condition: this record; null for any.';
COMMENT ON COLUMN legal_hold."lotCode" IS 'Condition: events with a line of this lot; null for any.';
COMMENT ON COLUMN legal_hold."dataProviderVendorId" IS 'Condition: records of this vendor; null for any.';
COMMENT ON COLUMN legal_hold.event_start_date IS 'Condition: events of this date or later; null for any.';
COMMENT ON COLUMN legal_hold.event_end_date IS 'Condition: events of this date or earlier; null for any.';
COMMENT ON COLUMN legal_hold.set_at IS 'When it was set.';
COMMENT ON COLUMN legal_hold.set_by IS 'The key that set it.';
COMMENT ON COLUMN legal_hold.lifted_at IS 'When it was lifted; null while it stands.';
COMMENT ON COLUMN legal_hold.lifted_by IS 'The key that lifted it.';

CREATE TABLE mock_recall (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  lot_code text NOT NULL,
  drawn json,
  started_at timestamptz NOT NULL,
  started_by text NOT NULL,
  steps json NOT NULL,
  ended_at timestamptz,
  report json,
  report_hash text,
  signing_key_id text,
  public_key bytea,
  signature text,
  PRIMARY KEY (provider_id, id),
  CONSTRAINT mock_recall_signed_at_its_end CHECK ((ended_at IS NULL) = (signature IS NULL))
);
ALTER TABLE mock_recall ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE mock_recall IS 'Drills: a lot was traced and packed for FDA against the clock (decision 0069). A row without an end is running, or its process ended before it.';
COMMENT ON COLUMN mock_recall.id IS 'Id of the drill: a UUID of version 7, so newer drills have greater ids.';
COMMENT ON COLUMN mock_recall.lot_code IS 'The lot that was recalled.';
COMMENT ON COLUMN mock_recall.drawn IS 'How the lot was drawn; null when it was named.';
COMMENT ON COLUMN mock_recall.started_at IS 'When it began.';
COMMENT ON COLUMN mock_recall.started_by IS 'Id of the key that started it.';
COMMENT ON COLUMN mock_recall.steps IS 'Steps that are done, each with its seconds, for who watches it run.';
COMMENT ON COLUMN mock_recall.ended_at IS 'When it ended; null while it runs.';
COMMENT ON COLUMN mock_recall.report IS 'The report that was signed.';
COMMENT ON COLUMN mock_recall.report_hash IS 'SHA-256 of the report as canonical JSON.';
COMMENT ON COLUMN mock_recall.signing_key_id IS 'Id of the key that signed the report.';
COMMENT ON COLUMN mock_recall.public_key IS 'Its public half, as in signing_key.';
COMMENT ON COLUMN mock_recall.signature IS 'Ed25519 over the text that names the report, in base64.';

CREATE TABLE access_log (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  who text NOT NULL,
  request_id uuid,
  operation text NOT NULL,
  asked json NOT NULL,
  records integer,
  done boolean NOT NULL,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE access_log ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE access_log IS 'Exports, purges, and changes of keys and legal holds. Each entry is written before its file is sent, or with its change.';
COMMENT ON COLUMN access_log.id IS 'Id of the entry: newer ones have greater ids.';
COMMENT ON COLUMN access_log.began_at IS 'When it began.';
COMMENT ON COLUMN access_log.who IS 'Id of the key; or who it was without one, such as "command line".';
COMMENT ON COLUMN access_log.request_id IS 'The request, as in the log; null on the command line.';
COMMENT ON COLUMN access_log.operation IS 'Name of the operation.';
COMMENT ON COLUMN access_log.asked IS 'Parameters of the request, as JSON.';
COMMENT ON COLUMN access_log.records IS 'Records that were chosen, where that is known at the beginning.';
COMMENT ON COLUMN access_log.done IS 'True when it took place in the statement that wrote the row; else its end is in access_log_end.';

CREATE TABLE access_log_end (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT now(),
  ending text NOT NULL CHECK (ending IN ('done', 'cutOff', 'failed')),
  records integer,
  bytes bigint,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE access_log_end ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE access_log_end IS 'How entries of the access log ended. An entry without a row here is in progress, or its process ended first.';
COMMENT ON COLUMN access_log_end.id IS 'The entry: access_log.id.';
COMMENT ON COLUMN access_log_end.ended_at IS 'When it ended.';
COMMENT ON COLUMN access_log_end.ending IS 'done, cutOff (the reader left) or failed.';
COMMENT ON COLUMN access_log_end.records IS 'Records that were sent.';
COMMENT ON COLUMN access_log_end.bytes IS 'Bytes that were sent.';

-- People: keys, and people who sign in without one (decisions 0061, 0062).

CREATE TABLE api_key (
  provider_id uuid NOT NULL,
  key_id text NOT NULL,
  secret_hash bytea,
  role text NOT NULL CHECK (role IN ('invited', 'partner', 'reader', 'writer', 'administrator')),
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  person_name text,
  email text,
  invited_role text,
  issuer text,
  subject text,
  PRIMARY KEY (provider_id, key_id)
);
ALTER TABLE api_key ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE api_key IS 'A key of the form lk_<key id>_<provider>_<secret>, or a person who signs in with an identity provider and has no secret.';
COMMENT ON COLUMN api_key.key_id IS 'Public part of the key. Versions, refusals and the access log name keys by it.';
COMMENT ON COLUMN api_key.secret_hash IS 'SHA-256 of the secret part; null for a person who signs in with an identity provider.';
COMMENT ON COLUMN api_key.role IS 'invited, partner, reader, writer or administrator.';
COMMENT ON COLUMN api_key.label IS 'What the key is for, as its creator wrote it.';
COMMENT ON COLUMN api_key.created_at IS 'When it was created.';
COMMENT ON COLUMN api_key.expires_at IS 'From then on it is not valid; null if it does not expire.';
COMMENT ON COLUMN api_key.revoked_at IS 'When it was revoked; null if it is valid.';
COMMENT ON COLUMN api_key.last_used_at IS 'When it was last used, exact to the day.';
COMMENT ON COLUMN api_key.person_name IS 'The person who has the key, as histories show it; null for a program.';
COMMENT ON COLUMN api_key.email IS 'Address of a person who signs in with an identity provider, in lower case.';
COMMENT ON COLUMN api_key.invited_role IS 'The role that an administrator invited the person to, which counts where no claim gives one; null for all others.';
COMMENT ON COLUMN api_key.issuer IS 'The identity provider of the person; null until the first sign-in.';
COMMENT ON COLUMN api_key.subject IS 'What the identity provider knows the person by.';
CREATE UNIQUE INDEX api_key_by_subject ON api_key (provider_id, issuer, subject) WHERE revoked_at IS NULL AND subject IS NOT NULL;
COMMENT ON INDEX api_key_by_subject IS 'Finds the person who signs in, and keeps a person from being there twice.';
CREATE UNIQUE INDEX api_key_by_email ON api_key (provider_id, email) WHERE revoked_at IS NULL AND invited_role IS NOT NULL;
COMMENT ON INDEX api_key_by_email IS 'Finds an invitation, and keeps it from being there twice.';

CREATE TABLE session (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  key_id text NOT NULL,
  secret_hash bytea NOT NULL,
  next_hash bytea,
  previous_hash bytea,
  renewed_at timestamptz NOT NULL DEFAULT now(),
  kept boolean NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  idle_ends_at timestamptz NOT NULL,
  id_token text,
  PRIMARY KEY (provider_id, id)
);
ALTER TABLE session ALTER COLUMN provider_id SET STATISTICS 0;
COMMENT ON TABLE session IS 'Sessions of browsers. A session speaks for a key and ends with it. A row is deleted when somebody signs out, or after its end at a later sign-in.';
COMMENT ON COLUMN session.id IS 'Id of the session: newer ones have greater ids.';
COMMENT ON COLUMN session.key_id IS 'The key that the session speaks for.';
COMMENT ON COLUMN session.secret_hash IS 'SHA-256 of the secret part of the token in use.';
COMMENT ON COLUMN session.next_hash IS 'Of the token that was offered to replace it. It replaces it when the browser first sends it, so that a lost answer signs nobody out.';
COMMENT ON COLUMN session.previous_hash IS 'Of the token before: valid for a minute after renewed_at, for requests that were on their way.';
COMMENT ON COLUMN session.renewed_at IS 'When a token was last offered or taken into use.';
COMMENT ON COLUMN session.kept IS 'True when it outlives the window of the browser.';
COMMENT ON COLUMN session.began_at IS 'When it began.';
COMMENT ON COLUMN session.ends_at IS 'When it ends, however much it is used.';
COMMENT ON COLUMN session.idle_ends_at IS 'When it ends unless it is used before. Moved on with use, to the minute.';
COMMENT ON COLUMN session.id_token IS 'What the identity provider said of the person when the session began; it names the sign-in when both are ended. Null for a key.';
