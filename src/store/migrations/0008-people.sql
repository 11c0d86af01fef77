-- People: who has a key, and who signs in without one (decision 0062). A person who signs in with an identity provider is a
-- row without a secret, so that sessions, histories and the access log name people as they name keys.

ALTER TABLE api_key
  ALTER COLUMN secret_hash DROP NOT NULL,
  ADD COLUMN person_name text,
  ADD COLUMN email text,
  ADD COLUMN invited_role text,
  ADD COLUMN issuer text,
  ADD COLUMN subject text;
COMMENT ON TABLE api_key IS 'A key of the form lk_<key id>_<secret>, or a person who signs in with an identity provider and has no secret.';
COMMENT ON COLUMN api_key.secret_hash IS 'SHA-256 of the secret part; null for a person who signs in with an identity provider.';
COMMENT ON COLUMN api_key.person_name IS 'The person who has the key, as histories show it; null for a program.';
COMMENT ON COLUMN api_key.email IS 'Address of a person who signs in with an identity provider, in lower case.';
COMMENT ON COLUMN api_key.invited_role IS 'The role that an administrator invited the person to, which counts where no claim gives one; null for all others.';
COMMENT ON COLUMN api_key.issuer IS 'The identity provider of the person; null until the first sign-in.';
COMMENT ON COLUMN api_key.subject IS 'What the identity provider knows the person by.';
CREATE UNIQUE INDEX api_key_by_subject ON api_key (provider_id, issuer, subject) WHERE revoked_at IS NULL AND subject IS NOT NULL;
COMMENT ON INDEX api_key_by_subject IS 'Finds the person who signs in, and keeps a person from being there twice.';
CREATE UNIQUE INDEX api_key_by_email ON api_key (provider_id, email) WHERE revoked_at IS NULL AND invited_role IS NOT NULL;
COMMENT ON INDEX api_key_by_email IS 'Finds an invitation, and keeps it from being there twice.';

ALTER TABLE session ADD COLUMN id_token text;
COMMENT ON COLUMN session.id_token IS 'What the identity provider said of the person when the session began; it names the sign-in when both are ended. Null for a key.';
