-- Mock recalls, with their signed reports.

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

ALTER TABLE mock_recall ALTER COLUMN provider_id SET STATISTICS 0;
