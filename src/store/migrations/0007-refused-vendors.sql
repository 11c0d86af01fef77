-- Whose payloads were refused.

ALTER TABLE refusal ADD COLUMN "dataProviderVendorId" text;
COMMENT ON COLUMN refusal."dataProviderVendorId" IS 'Vendor named in the payload that was refused; null when it named none.';
