-- Evidence (decision 0038): every version carries a hash over itself and the version before it, and checkpoints, signed, carry
-- the hashes of versions. Functions, because writes and this migration have to hash alike; docs/evidence.md says what they hash.

-- Rows there are many of are given their hashes below.
SET LOCAL statement_timeout = 0;

CREATE FUNCTION detail_hash_of(payload_id text, findings text, body text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(
    'lotkeeper detail 1' || E'\n' || coalesce(to_json($1)::text, 'null') || E'\n' || $2 || E'\n' || $3, 'UTF8'))
$$;
COMMENT ON FUNCTION detail_hash_of IS 'Hash of what a purge takes from a version: payload id, findings and body, as they are stored.';

CREATE FUNCTION version_hash_of(
  kind text, record_id uuid, version integer, submitted_at timestamptz, key_id text,
  content_hash bytea, detail_hash bytea, previous_hash bytea
) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(
    'lotkeeper version 1' || E'\n' || $1 || E'\n' || $2::text || E'\n' || $3::text || E'\n'
      || to_char($4 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || E'\n' || $5 || E'\n'
      || encode($6, 'hex') || E'\n' || encode($7, 'hex') || E'\n' || coalesce(encode($8, 'hex'), 'none'), 'UTF8'))
$$;
COMMENT ON FUNCTION version_hash_of IS 'Hash of a version and, through that of the version before it, of its whole history.';

ALTER TABLE record_version ADD COLUMN detail_hash bytea NOT NULL DEFAULT '', ADD COLUMN version_hash bytea NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN version_hash bytea NOT NULL DEFAULT '';

-- Version by version, each found in the index: a join would read the whole table once for every version of the record with most.
WITH RECURSIVE chain AS (
  SELECT v.provider_id, v.record_id, v.version, v.detail,
         version_hash_of(v.kind, v.record_id, v.version, v.submitted_at, v.key_id, v.content_hash, v.detail, NULL) AS version_hash
  FROM (SELECT r.*, detail_hash_of(r.payload_id, r.findings, r.body) AS detail FROM record_version r WHERE r.version = 1 OFFSET 0) v
  UNION ALL
  SELECT v.provider_id, v.record_id, v.version, v.detail,
         version_hash_of(v.kind, v.record_id, v.version, v.submitted_at, v.key_id, v.content_hash, v.detail, c.version_hash)
  FROM chain c
  CROSS JOIN LATERAL (
    SELECT r.*, detail_hash_of(r.payload_id, r.findings, r.body) AS detail
    FROM record_version r
    WHERE r.provider_id = c.provider_id AND r.record_id = c.record_id AND r.version = c.version + 1
    OFFSET 0
  ) v
)
UPDATE record_version v
SET detail_hash = c.detail, version_hash = c.version_hash
FROM chain c
WHERE v.provider_id = c.provider_id AND v.record_id = c.record_id AND v.version = c.version;

UPDATE record r SET version_hash = v.version_hash
FROM record_version v WHERE v.provider_id = r.provider_id AND v.record_id = r.id AND v.version = r.version;

COMMENT ON COLUMN record_version.detail_hash IS 'detail_hash_of what was stored; stays when that is purged.';
COMMENT ON COLUMN record_version.version_hash IS 'version_hash_of this version, over that of the version before. Empty in a row that was not written by the service, and in no other.';
COMMENT ON COLUMN record.version_hash IS 'Of the current version. Here, because a statement that waited for this row sees its latest state, and not the versions stored meanwhile.';

CREATE TABLE awaiting_checkpoint (
  provider_id uuid NOT NULL,
  since timestamptz NOT NULL,
  id uuid NOT NULL,
  record_ids uuid[] NOT NULL,
  versions integer[] NOT NULL,
  PRIMARY KEY (provider_id, since, id)
);
COMMENT ON TABLE awaiting_checkpoint IS 'Versions under no checkpoint yet, one row for those of one statement: written with the versions and taken away with the checkpoint, so that none is left out, whatever a clock said.';
INSERT INTO awaiting_checkpoint (provider_id, since, id, record_ids, versions)
SELECT n.provider_id, now(), gen_random_uuid(), array_agg(n.record_id), array_agg(n.version)
FROM (
  SELECT v.provider_id, v.record_id, v.version, row_number() OVER (PARTITION BY v.provider_id ORDER BY v.record_id, v.version) / 1000 AS batch
  FROM record_version v
) n
GROUP BY n.provider_id, n.batch;

CREATE TABLE signing_key (
  provider_id uuid NOT NULL,
  signing_key_id text NOT NULL,
  public_key bytea NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, signing_key_id)
);
COMMENT ON TABLE signing_key IS 'Public halves of the Ed25519 keys that signed checkpoints of the provider, as SubjectPublicKeyInfo; none is taken away.';

CREATE TABLE checkpoint (
  provider_id uuid NOT NULL,
  number integer NOT NULL,
  signed_for uuid NOT NULL,
  made_at timestamptz NOT NULL,
  version_count integer NOT NULL,
  root bytea NOT NULL,
  previous_hash bytea,
  checkpoint_hash bytea NOT NULL,
  signing_key_id text NOT NULL,
  signature bytea NOT NULL,
  record_ids uuid[] NOT NULL,
  versions integer[] NOT NULL,
  PRIMARY KEY (provider_id, number)
);
COMMENT ON TABLE checkpoint IS 'Signed statements of what was stored: each over the hashes of some versions, and over the checkpoint before it.';
COMMENT ON COLUMN checkpoint.signed_for IS 'The provider it was signed for: another one when the records came from an archive.';
COMMENT ON COLUMN checkpoint.record_ids IS 'With versions: what is under it, in the order of its root.';

CREATE TABLE archive_import (
  provider_id uuid NOT NULL,
  archive text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (provider_id)
);
COMMENT ON TABLE archive_import IS 'The archive the records of a provider were brought in from, by its first line. Until it has ended, no checkpoints are made but those of the archive.';

ALTER TABLE awaiting_checkpoint ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE signing_key ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE checkpoint ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE archive_import ALTER COLUMN provider_id SET STATISTICS 0;
