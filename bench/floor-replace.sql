-- Floor (a): the replacement of one event, as one prepared statement and one transaction, run by pgbench.
-- What the service's own statement does for a PUT that changes neither codes nor locations: lock the row, compare its
-- hash, update it, insert the version, see that no location is new or changed. That no code changed, a hash tells, so the
-- rows of the codes are left alone. Each connection draws from records of its own, so that none waits for another's lock.
\set n :client_id + 1 + :clients * random(0, :records / :clients - 1)
\set mark random(1, 9000000000000000)
WITH stored AS (
  SELECT id, version, content_hash
  FROM receiving_event
  WHERE provider_id = :provider::uuid AND id = ('00000000-0000-7000-8000-' || lpad(:n::text, 12, '0'))::uuid
  FOR UPDATE
), replaced AS (
  UPDATE receiving_event e
  SET version = stored.version + 1, content_hash = decode(lpad(to_hex(:mark::bigint), 64, '0'), 'hex')
  FROM stored
  WHERE e.provider_id = :provider::uuid AND e.id = stored.id
    AND stored.content_hash <> decode(lpad(to_hex(:mark::bigint), 64, '0'), 'hex')
  RETURNING e.id, e.version, e.content_hash
), next_version AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
  SELECT :provider::uuid, id, version, 'receivingEvent', '0000000000000000', gen_random_uuid(), NULL, content_hash, '[]', :body::json
  FROM replaced
), carried AS (
  SELECT c.*
  FROM replaced, (
    VALUES ('GV-COOLER-1', :shipfrom::jsonb),
           ('DC-' || lpad((:n % 20)::text, 2, '0'), replace(:shipto, '##', lpad((:n % 20)::text, 2, '0'))::jsonb)
  ) AS c (code, content)
), located AS (
  INSERT INTO location (provider_id, id, version, content_hash, "dataProviderVendorId", "locationCode", content)
  SELECT :provider::uuid, gen_random_uuid(), 1, '', 'V-1001', c.code, c.content
  FROM carried c
  WHERE NOT EXISTS (
    SELECT 1 FROM location k
    WHERE k.provider_id = :provider::uuid AND k."dataProviderVendorId" = 'V-1001' AND k."locationCode" = c.code
      AND k.content || c.content || CASE WHEN c.content ? 'address'
        THEN jsonb_build_object('address', coalesce(k.content -> 'address', '{}') || (c.content -> 'address')) ELSE '{}' END = k.content
  )
)
SELECT stored.version AS stored, replaced.version AS replaced
FROM stored LEFT JOIN replaced ON true;
