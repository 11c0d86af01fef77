-- Packages that are handed over by an address and a code.

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

ALTER TABLE package_link ALTER COLUMN provider_id SET STATISTICS 0;
