-- What is expected of vendors, and whose payloads were refused.

CREATE TABLE vendor_target (
  provider_id uuid NOT NULL,
  "dataProviderVendorId" text NOT NULL,
  complete_share double precision CHECK (complete_share BETWEEN 0 AND 1),
  silent_days integer CHECK (silent_days BETWEEN 1 AND 366),
  refusal_factor double precision CHECK (refusal_factor BETWEEN 1 AND 1000),
  set_at timestamptz NOT NULL DEFAULT now(),
  set_by text NOT NULL,
  PRIMARY KEY (provider_id, "dataProviderVendorId")
);
COMMENT ON TABLE vendor_target IS 'What the provider expects of its vendors (decision 0068). A null takes the value of the row for all vendors, and that of the program where there is none.';
COMMENT ON COLUMN vendor_target."dataProviderVendorId" IS 'The vendor; empty in the row for all vendors.';
COMMENT ON COLUMN vendor_target.complete_share IS 'Share of lines that should be complete, from 0 to 1.';
COMMENT ON COLUMN vendor_target.silent_days IS 'Days without an event after which an expected vendor is silent.';
COMMENT ON COLUMN vendor_target.refusal_factor IS 'Refusals of the last week are above normal when they are more than so many times those of a usual week.';
COMMENT ON COLUMN vendor_target.set_at IS 'When it was set.';
COMMENT ON COLUMN vendor_target.set_by IS 'Id of the key that set it.';

ALTER TABLE refusal ADD COLUMN "dataProviderVendorId" text;
COMMENT ON COLUMN refusal."dataProviderVendorId" IS 'Vendor named in the payload that was refused; null when it named none.';

ALTER TABLE vendor_target ALTER COLUMN provider_id SET STATISTICS 0;
