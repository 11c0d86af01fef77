-- The traceability plan of a provider, version by version.

CREATE TABLE traceability_plan (
  provider_id uuid NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  content text NOT NULL,
  content_hash text NOT NULL,
  submitted_at timestamptz NOT NULL,
  submitted_by text NOT NULL,
  PRIMARY KEY (provider_id, version)
);
COMMENT ON TABLE traceability_plan IS 'Versions of the traceability plan of 21 CFR 1.1315 (decision 0084). The one with the highest number is in force, each from its time until that of the next.';
COMMENT ON COLUMN traceability_plan.version IS 'Counted from 1.';
COMMENT ON COLUMN traceability_plan.content IS 'What the provider wrote, as JSON with its keys in order.';
COMMENT ON COLUMN traceability_plan.content_hash IS 'SHA-256 of the content, in hexadecimal digits.';
COMMENT ON COLUMN traceability_plan.submitted_at IS 'When it came into force; never before the version that it replaced.';
COMMENT ON COLUMN traceability_plan.submitted_by IS 'Id of the key that submitted it.';

ALTER TABLE traceability_plan ALTER COLUMN provider_id SET STATISTICS 0;
