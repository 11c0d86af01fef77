-- Floor (a): the replacement of one event, as one prepared statement and one transaction, run by pgbench.
-- What the service's own statement does for a PUT that changes no search value: lock the record, compare its hash, update it, insert
-- the version. Each connection draws from records of its own, so that none waits for another's lock.
\set n :client_id + 1 + :clients * random(0, :records / :clients - 1)
\set mark random(1, 9000000000000000)
WITH stored AS (
  SELECT id, version, content_hash
  FROM record
  WHERE provider_id = :provider::uuid AND id = ('00000000-0000-7000-8000-' || lpad(:n::text, 12, '0'))::uuid
  FOR UPDATE
), replaced AS (
  UPDATE record r
  SET version = stored.version + 1, content_hash = decode(lpad(to_hex(:mark::bigint), 64, '0'), 'hex')
  FROM stored
  WHERE r.provider_id = :provider::uuid AND r.id = stored.id
    AND stored.content_hash <> decode(lpad(to_hex(:mark::bigint), 64, '0'), 'hex')
  RETURNING r.id, r.version, r.content_hash
), next_version AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT :provider::uuid, id, version, 'receivingEvent', '0000000000000000', gen_random_uuid(), NULL, content_hash, '[]', :body
  FROM replaced
)
SELECT stored.version AS stored, replaced.version AS replaced
FROM stored LEFT JOIN replaced ON true;
