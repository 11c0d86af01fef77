// Records of years ago, put straight into the database: the service itself stores everything as of
// now.
import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { v7 } from 'uuid'
import { eventKinds, type RecordKindName } from '../../../src/contract/record-kinds.ts'
import { lotRowOf } from '../../../src/store/records/lot-rows.ts'
import { type Payload, payloadOf } from '../records/payloads.ts'

export interface AgedVersion {
  readonly submittedAt: Date
  readonly edit?: ((payload: Payload) => void) | undefined
}

export interface AgedRecord {
  readonly kind: RecordKindName
  /** From the first to the current one. */
  readonly versions: readonly AgedVersion[]
}

const hashOf = (body: string): Buffer => createHash('sha256').update(body).digest()

/**
 * Stores the records in a few statements and returns their ids, which are made of the time of their
 * first version.
 */
export async function storeAged(pool: pg.Pool, provider: string, records: readonly AgedRecord[]): Promise<string[]> {
  const stored = records.map(({ kind, versions }) => ({
    kind,
    id: v7({ msecs: versions[0]?.submittedAt.getTime() ?? 0 }),
    versions: versions.map(({ submittedAt, edit = () => undefined }) => {
      const payload = payloadOf[kind]()
      edit(payload)
      return { submittedAt, payload, body: JSON.stringify(payload) }
    }),
  }))
  const versions = stored.flatMap(({ kind, id, versions }) =>
    versions.map((one, i) => ({ ...one, kind, id, version: i + 1 })),
  )
  await pool.query(
    `INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, payload_id, content_hash, detail)
     SELECT $1, id, version, kind, submitted_at, 'aged', $2, payload_id, content_hash, ARRAY[body, '[]']
     FROM unnest($3::uuid[], $4::integer[], $5::text[], $6::timestamptz[], $7::text[], $8::bytea[], $9::text[])
       AS v (id, version, kind, submitted_at, payload_id, content_hash, body)`,
    [
      provider,
      randomUUID(),
      versions.map(({ id }) => id),
      versions.map(({ version }) => version),
      versions.map(({ kind }) => kind),
      versions.map(({ submittedAt }) => submittedAt),
      versions.map(({ payload }) => payload.payloadId ?? null),
      versions.map(({ body }) => hashOf(body)),
      versions.map(({ body }) => body),
    ],
  )
  const current = stored.map(({ kind, id, versions }) => {
    const { payload, body } = versions.at(-1) ?? { payload: {} as Payload, body: '' }
    return { kind, id, version: versions.length, payload, contentHash: hashOf(body) }
  })
  await pool.query(
    `INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash)
     SELECT $1, id, kind, version, content_hash, ''
     FROM unnest($2::uuid[], $3::text[], $4::integer[], $5::bytea[]) AS r (id, kind, version, content_hash)`,
    [
      provider,
      current.map(({ id }) => id),
      current.map(({ kind }) => kind),
      current.map(({ version }) => version),
      current.map(({ contentHash }) => contentHash),
    ],
  )
  for (const { name: kind, place, counterpart } of Object.values(eventKinds)) {
    const events = current.filter((one) => one.kind === kind)
    await pool.query(
      `INSERT INTO event (provider_id, kind, id, "dataProviderVendorId", "eventDateTime", place, counterpart,
         "purchaseOrderNumber", identity, event_date, line_count, completeness)
       SELECT $1, $4, id, e ->> 'dataProviderVendorId', (e ->> 'eventDateTime')::timestamptz, e ->> $5,
         e ->> $6, e ->> 'purchaseOrderNumber', md5(e::text), left(e ->> 'eventDateTime', 10)::date,
         json_array_length(e -> 'productList'), $7::jsonb
       FROM unnest($2::uuid[], $3::json[]) AS r (id, e)`,
      [
        provider,
        events.map(({ id }) => id),
        events.map(({ payload }) => JSON.stringify(payload.eventList)),
        ...[kind, place, counterpart, '[]'],
      ],
    )
    const codes = events.flatMap(({ id, payload }) =>
      [...new Set<string>(payload.eventList.productList.flatMap((line: Payload) => line.caseLotNumber ?? []))].map(
        (lotCode) => ({
          id,
          ...lotRowOf(lotCode),
        }),
      ),
    )
    await pool.query(
      `INSERT INTO event_code (provider_id, kind, field, code, id, unfolded)
       SELECT $1, $5, 'lotCode', code, id, unfolded FROM unnest($2::text[], $3::uuid[], $4::text[]) AS c (code, id, unfolded)`,
      [provider, codes.map(({ code }) => code), codes.map(({ id }) => id), codes.map(({ unfolded }) => unfolded), kind],
    )
  }
  for (const [kind, table, subject, code, more, content] of [
    ['masterProduct', 'master_product', 'productMasterDataList', 'itemCode', '', ''],
    ['location', 'location', 'locationMasterList', 'locationCode', ', content', ', r::jsonb'],
  ] as const) {
    const own = current.filter((one) => one.kind === kind)
    await pool.query(
      `INSERT INTO ${table} (provider_id, id, "dataProviderVendorId", "${code}"${more})
       SELECT $1, id, r ->> 'dataProviderVendorId', r ->> '${code}'${content}
       FROM unnest($2::uuid[], $3::json[]) AS m (id, r)`,
      [provider, own.map(({ id }) => id), own.map(({ payload }) => JSON.stringify(payload[subject]))],
    )
  }
  return stored.map(({ id }) => id)
}
