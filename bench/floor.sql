-- The floor: the least a replacement that keeps its versions can be, as one prepared statement and one transaction, run by pgbench.
-- Each connection draws from records of its own, so that none waits for another's lock.
\set n :client_id + 1 + :clients * random(0, :records / :clients - 1)
\set mark random(1, 9000000000000000)
WITH replaced AS (
  UPDATE record r
  SET version = r.version + 1, content_hash = decode(lpad(to_hex(:mark::bigint), 64, '0'), 'hex')
  WHERE r.provider_id = :provider::uuid AND r.id = ('00000000-0000-7000-8000-' || lpad(:n::text, 12, '0'))::uuid
  RETURNING r.id, r.version, r.content_hash
)
INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, detail)
SELECT :provider::uuid, id, version, 'receivingEvent', '0000000000000000', gen_random_uuid(), NULL, content_hash, ARRAY[:body, '[]']
FROM replaced;
