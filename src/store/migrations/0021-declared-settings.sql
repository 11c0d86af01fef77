-- What a provider declares beside its records, each setting under a key; and senders that were refused
-- without one.

CREATE TABLE declared_setting (
  provider_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('captureSender', 'shipNoticeSender', 'vendorTarget')),
  key text NOT NULL,
  value json NOT NULL,
  set_at timestamptz NOT NULL,
  set_by text NOT NULL,
  PRIMARY KEY (provider_id, kind, key)
);
COMMENT ON TABLE declared_setting IS 'What a provider declares beside its records: what it expects of a vendor (decision 0068), how the ship notices of a sender are read (0082), and what the EPCIS documents of a sender lack (0083).';
COMMENT ON COLUMN declared_setting.kind IS 'What is declared.';
COMMENT ON COLUMN declared_setting.key IS 'The vendor; the sender, as its files have it. Empty for all vendors or all senders.';
COMMENT ON COLUMN declared_setting.value IS 'The values, by the names of the operation. Of targets, a value that is absent is that for all vendors.';
COMMENT ON COLUMN declared_setting.set_at IS 'When it was set.';
COMMENT ON COLUMN declared_setting.set_by IS 'Id of the key that set it.';
ALTER TABLE declared_setting ALTER COLUMN provider_id SET STATISTICS 0;

ALTER TABLE refusal ADD COLUMN sender text;
COMMENT ON COLUMN refusal.sender IS 'Sender of refused ship notices that was not set up; else null.';
