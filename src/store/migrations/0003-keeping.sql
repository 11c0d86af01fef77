-- Keeping and forgetting: tombstones of purged versions, and legal holds. And which events are counted again.

ALTER TABLE record_version
  ALTER COLUMN findings DROP NOT NULL,
  ALTER COLUMN body DROP NOT NULL,
  ADD COLUMN purged_at timestamptz,
  ADD CONSTRAINT record_version_whole_or_tombstone CHECK (
    CASE
      WHEN purged_at IS NULL THEN body IS NOT NULL AND findings IS NOT NULL
      ELSE body IS NULL AND findings IS NULL AND payload_id IS NULL
    END
  );
COMMENT ON COLUMN record_version.purged_at IS 'When its content was purged after the retention time, or when it was brought in without content from an archive; what is left is a tombstone: that there was such a version, of whom, from when, and the hash of what it said.';

ALTER TABLE provider ADD COLUMN holds_changed integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN provider.holds_changed IS 'Counts changes of legal holds: a purge that has not seen the last one does nothing.';

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
COMMENT ON TABLE legal_hold IS 'What is not purged while the hold stands, whatever its age. Conditions hold together; without one, everything of the provider is held.';

CREATE INDEX idempotency_key_by_created_at ON idempotency_key (provider_id, created_at);

CREATE TABLE recount (
  provider_id uuid NOT NULL,
  number integer NOT NULL DEFAULT 0,
  until timestamptz,
  counted_by text,
  PRIMARY KEY (provider_id)
);
COMMENT ON TABLE recount IS 'Where recounts of a provider stand (decision 0052).';
COMMENT ON COLUMN recount.number IS 'Number of the last recount. A write that was judged before it began puts its events into awaiting_recount.';
COMMENT ON COLUMN recount.until IS 'Until then the process that runs the recount has it to itself; null when none runs.';
COMMENT ON COLUMN recount.counted_by IS 'Version of the program whose rules have counted, or will count, all events.';
INSERT INTO recount (provider_id) SELECT provider_id FROM provider;

CREATE TABLE awaiting_recount (
  provider_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  since timestamptz NOT NULL DEFAULT now(),
  what text NOT NULL CHECK (what IN ('location', 'item', 'event', 'everything')),
  "dataProviderVendorId" text,
  code text,
  event_id uuid,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE awaiting_recount IS 'Master data whose change may fill or open gaps: written with the change, and taken away once the events it touches have been counted again.';

ALTER TABLE receiving_event_code
  DROP CONSTRAINT receiving_event_code_field_check,
  ADD CONSTRAINT receiving_event_code_field_check CHECK (field IN ('lotCode', 'itemCode', 'locationCode', 'eventId'));
COMMENT ON TABLE receiving_event_code IS 'Which current events carry a lot code, or an item code of vendor or purchaser, in one of their lines; or list a location they neither ship from nor to.';

ALTER TABLE legal_hold ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE recount ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE awaiting_recount ALTER COLUMN provider_id SET STATISTICS 0;
