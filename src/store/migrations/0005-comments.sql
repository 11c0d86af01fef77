-- Says what each table, column and index is for, where the migrations before did not, or not plainly. psql shows it with \d+.
-- provider_id and the fields of the contract need no comment: they mean the same everywhere.

COMMENT ON TABLE schema_migration IS 'Migrations that were applied. The row ''lock'' keeps two processes from migrating at once.';
COMMENT ON COLUMN schema_migration.file IS 'File name of the migration.';
COMMENT ON COLUMN schema_migration.checksum IS 'SHA-256 of the file. A program whose file differs refuses to start.';
COMMENT ON COLUMN schema_migration.applied_at IS 'When it was applied.';

COMMENT ON COLUMN provider.name IS 'As the operator gave it to lotkeeper keys create.';
COMMENT ON COLUMN provider.created_at IS 'When it was created.';
COMMENT ON INDEX provider_by_name IS 'Finds a provider by name, and keeps names unique.';

COMMENT ON COLUMN api_key.key_id IS 'Public part of the key. Versions, refusals and the access log name keys by it.';
COMMENT ON COLUMN api_key.secret_hash IS 'SHA-256 of the secret part.';
COMMENT ON COLUMN api_key.role IS 'reader, writer or administrator.';
COMMENT ON COLUMN api_key.label IS 'What the key is for, as its creator wrote it.';
COMMENT ON COLUMN api_key.created_at IS 'When it was created.';
COMMENT ON COLUMN api_key.expires_at IS 'From then on it is not valid; null if it does not expire.';
COMMENT ON COLUMN api_key.revoked_at IS 'When it was revoked; null if it is valid.';
COMMENT ON COLUMN api_key.last_used_at IS 'When it was last used, exact to the day.';
COMMENT ON INDEX api_key_by_key_id IS 'Finds the key of a request, whose provider is not known yet.';

COMMENT ON TABLE record IS 'One narrow row per record: a write locks it, compares it and increments its version. It has no other index and room in its pages, so that a replacement stays on its page.';
COMMENT ON COLUMN record.id IS 'Id of the record, as the API returns it: a UUID of version 7, so newer records have greater ids.';
COMMENT ON COLUMN record.kind IS 'receivingEvent, masterProduct or location: which table has its search row.';
COMMENT ON COLUMN record.version IS 'Number of the current version.';
COMMENT ON COLUMN record.content_hash IS 'SHA-256 of the content of the current version. A replacement with the same content makes no version.';

COMMENT ON TABLE record_version IS 'Immutable versions of records. Body and findings are text, which keeps numbers, order and spelling as submitted.';
COMMENT ON COLUMN record_version.record_id IS 'The record: record.id.';
COMMENT ON COLUMN record_version.version IS 'Number of the version, from 1.';
COMMENT ON COLUMN record_version.kind IS 'As in record.';
COMMENT ON COLUMN record_version.submitted_at IS 'When it was stored.';
COMMENT ON COLUMN record_version.key_id IS 'The key that submitted it.';
COMMENT ON COLUMN record_version.payload_id IS 'payloadId of the payload.';
COMMENT ON COLUMN record_version.content_hash IS 'SHA-256 of the content, as docs/evidence.md describes it.';
COMMENT ON COLUMN record_version.findings IS 'JSON text of the warnings and gaps as judged when it was submitted; null in a tombstone.';
COMMENT ON COLUMN record_version.body IS 'JSON text of the record as submitted, without its id; null in a tombstone.';
COMMENT ON INDEX record_version_by_payload_id IS 'Finds an earlier use of a payloadId.';
COMMENT ON INDEX record_version_by_submitted_at IS 'Lists by time of submission; retention.';
COMMENT ON INDEX record_version_by_item_code IS 'Finds a product as it was at a moment.';
COMMENT ON INDEX record_version_by_location_code IS 'Finds a location as it was at a moment.';

COMMENT ON TABLE receiving_event IS 'Search rows of receiving events: values of their current versions.';
COMMENT ON COLUMN receiving_event.id IS 'The record: record.id.';
COMMENT ON COLUMN receiving_event.line_count IS 'Entries of its product list.';
COMMENT ON INDEX receiving_event_one_per_date_time IS 'Keeps an event date time unique per vendor and ship-to location; lists of a location by date.';
COMMENT ON INDEX receiving_event_by_vendor IS 'Lists by vendor.';
COMMENT ON INDEX receiving_event_by_date_time IS 'Lists and exports by date; its further columns save a look at the row.';
COMMENT ON INDEX receiving_event_by_ship_from IS 'Lists by ship-from location.';
COMMENT ON INDEX receiving_event_by_ship_to IS 'Lists by ship-to location.';
COMMENT ON INDEX receiving_event_by_purchase_order IS 'Lists by purchase order.';
COMMENT ON INDEX receiving_event_by_asn IS 'Lists by advance ship notice.';

COMMENT ON TABLE receiving_event_code IS 'Codes of current events, one row per code: lot codes, item codes, event ids, and locations they neither ship from nor to.';
COMMENT ON COLUMN receiving_event_code.field IS 'What the code is: lotCode, itemCode, locationCode (of a location it neither ships from nor to) or eventId.';
COMMENT ON COLUMN receiving_event_code.id IS 'The event: record.id.';
COMMENT ON INDEX receiving_event_code_by_event IS 'Finds the codes of an event that is replaced.';

COMMENT ON TABLE earlier_lot_code IS 'Lot codes that a replacement removed from an event. A trace of such a code leads to the record. A code that came back later still has its row here.';
COMMENT ON COLUMN earlier_lot_code.id IS 'The event: record.id.';
COMMENT ON COLUMN earlier_lot_code.unfolded IS 'As in receiving_event_code.';
COMMENT ON INDEX earlier_lot_code_by_event IS 'Finds the rows of an event that is purged.';

COMMENT ON TABLE master_product IS 'Search rows of master products, and identifiers that the contract declares unique.';
COMMENT ON COLUMN master_product.id IS 'The record: record.id.';
COMMENT ON COLUMN master_product.gtin IS 'GTIN of the product, as submitted.';
COMMENT ON INDEX master_product_by_vendor_and_item_code IS 'Finds the product of a line, and an item code that repeats.';
COMMENT ON INDEX master_product_by_vendor IS 'Lists by vendor.';
COMMENT ON INDEX master_product_by_item_code IS 'Lists by item code.';
COMMENT ON INDEX master_product_by_alternate_item_code IS 'Finds an alternate item code that repeats.';

COMMENT ON TABLE location IS 'Location master data in force, from the locations endpoint or from an accepted event.';
COMMENT ON COLUMN location.id IS 'The record: record.id.';
COMMENT ON COLUMN location.content IS 'The location as JSON. An event is compared with it and merged into it.';
COMMENT ON INDEX location_one_per_code IS 'Keeps a location code unique per vendor; finds the place of an event.';
COMMENT ON INDEX location_by_vendor IS 'Lists by vendor.';
COMMENT ON INDEX location_by_code IS 'Lists by location code.';
COMMENT ON INDEX location_by_alternate_code IS 'Finds an alternate location code that repeats.';

COMMENT ON TABLE location_time_zone IS 'Time zones of locations, as the provider set them. The date received of an event is the date in its zone.';
COMMENT ON COLUMN location_time_zone.time_zone IS 'Name of the zone, such as America/Los_Angeles.';
COMMENT ON COLUMN location_time_zone.set_at IS 'When it was set.';
COMMENT ON COLUMN location_time_zone.set_by IS 'The key that set it.';

COMMENT ON COLUMN received_event.version IS 'Number of the current version, from record.';
COMMENT ON COLUMN received_event.date_received IS 'The date received: event_date, or the date in the time zone of the ship-to location where one is set.';

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

COMMENT ON TABLE idempotency_key IS 'The first answer to each create that carried an Idempotency-Key, written in the statement that creates the records.';
COMMENT ON COLUMN idempotency_key.idempotency_key IS 'As the client sent it.';
COMMENT ON COLUMN idempotency_key.operation IS 'Name of the operation.';
COMMENT ON COLUMN idempotency_key.fingerprint IS 'SHA-256 of the first request. Another request with the same key is refused.';
COMMENT ON COLUMN idempotency_key.record_ids IS 'Ids of the records it created.';
COMMENT ON COLUMN idempotency_key.created_at IS 'When it was first used. Keys are kept for at least seven days.';
COMMENT ON INDEX idempotency_key_by_created_at IS 'Finds the oldest keys, to delete them.';

COMMENT ON TABLE awaiting_checkpoint IS 'Versions that no checkpoint covers yet, one row per write statement. The statement that makes the checkpoint removes the row, so none is left out, whatever the clock said.';
COMMENT ON COLUMN awaiting_checkpoint.since IS 'When the versions were stored.';
COMMENT ON COLUMN awaiting_checkpoint.id IS 'Tells rows of one moment apart.';
COMMENT ON COLUMN awaiting_checkpoint.record_ids IS 'With versions: the versions that wait.';
COMMENT ON COLUMN awaiting_checkpoint.versions IS 'Version numbers, one for each entry of record_ids.';

COMMENT ON TABLE signing_key IS 'Public keys (Ed25519) that signed checkpoints of the provider. None is ever removed.';
COMMENT ON COLUMN signing_key.signing_key_id IS 'Made from the public key.';
COMMENT ON COLUMN signing_key.public_key IS 'SubjectPublicKeyInfo, DER.';
COMMENT ON COLUMN signing_key.first_used_at IS 'When it first signed for the provider.';

COMMENT ON TABLE checkpoint IS 'Signed statements of what was stored. Each covers the hashes of some versions, and the checkpoint before it.';
COMMENT ON COLUMN checkpoint.number IS 'From 1, without gaps.';
COMMENT ON COLUMN checkpoint.made_at IS 'When it was signed.';
COMMENT ON COLUMN checkpoint.version_count IS 'Versions under it.';
COMMENT ON COLUMN checkpoint.root IS 'Root of the hash tree over these versions.';
COMMENT ON COLUMN checkpoint.previous_hash IS 'Hash of the checkpoint before; null in the first.';
COMMENT ON COLUMN checkpoint.checkpoint_hash IS 'Hash of what is signed.';
COMMENT ON COLUMN checkpoint.signing_key_id IS 'The key that signed it.';
COMMENT ON COLUMN checkpoint.signature IS 'Ed25519 signature.';
COMMENT ON COLUMN checkpoint.versions IS 'Version numbers, one for each entry of record_ids.';

COMMENT ON TABLE archive_import IS 'The archive from which the records of a provider were imported. While the import runs, only the checkpoints of the archive are added.';
COMMENT ON COLUMN archive_import.archive IS 'First line of the archive.';
COMMENT ON COLUMN archive_import.began_at IS 'When the import began.';
COMMENT ON COLUMN archive_import.ended_at IS 'When it ended; null while it has not.';

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

COMMENT ON TABLE awaiting_recount IS 'Changes of master data that may fill or open gaps. Written with the change, and removed once the events that it touches are counted again.';
COMMENT ON COLUMN awaiting_recount.id IS 'Id of the row.';
COMMENT ON COLUMN awaiting_recount.since IS 'When it was written.';
COMMENT ON COLUMN awaiting_recount.what IS 'What is to be counted again: the events of a location or an item, one event, or everything.';
COMMENT ON COLUMN awaiting_recount."dataProviderVendorId" IS 'Vendor of the location or item.';
COMMENT ON COLUMN awaiting_recount.code IS 'Code of the location or item.';
COMMENT ON COLUMN awaiting_recount.event_id IS 'The event: record.id.';

COMMENT ON TABLE access_log IS 'Exports, purges, and changes of keys and legal holds. Each entry is written before its file is sent, or with its change.';
COMMENT ON COLUMN access_log.id IS 'Id of the entry: newer ones have greater ids.';
COMMENT ON COLUMN access_log.began_at IS 'When it began.';
COMMENT ON COLUMN access_log.request_id IS 'The request, as in the log; null on the command line.';
COMMENT ON COLUMN access_log.operation IS 'Name of the operation.';
COMMENT ON COLUMN access_log.asked IS 'Parameters of the request, as JSON.';
COMMENT ON TABLE access_log_end IS 'How entries of the access log ended. An entry without a row here is in progress, or its process ended first.';
COMMENT ON COLUMN access_log_end.id IS 'The entry: access_log.id.';
COMMENT ON COLUMN access_log_end.ended_at IS 'When it ended.';
COMMENT ON COLUMN access_log_end.ending IS 'done, cutOff (the reader left) or failed.';
COMMENT ON COLUMN access_log_end.records IS 'Records that were sent.';
COMMENT ON COLUMN access_log_end.bytes IS 'Bytes that were sent.';
