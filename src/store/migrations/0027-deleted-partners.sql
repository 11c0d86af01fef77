-- Partners that were deleted: what they read stays in the access log of their account (decisions 0039, 0077).

CREATE TABLE deleted_partner (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  deleted_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE deleted_partner IS 'With whom a provider shared: leads to what the partner read. Rows are only added.';
COMMENT ON COLUMN deleted_partner.id IS 'The id that the partner had.';
COMMENT ON COLUMN deleted_partner.account_id IS 'The provider whose access log has what its keys read.';
COMMENT ON COLUMN deleted_partner.name IS 'Its last name.';
COMMENT ON COLUMN deleted_partner.deleted_at IS 'When it was deleted.';
ALTER TABLE deleted_partner ALTER COLUMN provider_id SET STATISTICS 0;
