// What is in the database, read past the service: plain SQL of its own, and own ideas of what has
// to fit together.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { lotRowsOf } from '../../../src/store/records/lot-rows.ts'
import type { Payload } from '../records/payloads.ts'

/** One stored version, body parsed. */
interface StoredRow {
  readonly version: number
  readonly body: Payload
}

/** All that is stored, and what in it does not fit together. */
export interface StoredRows {
  /** Versions of each record in order, by record id; of records asked for only. */
  readonly versions: ReadonlyMap<string, readonly StoredRow[]>
  /** Number of the current version of every record, by kind and id. */
  readonly current: Readonly<Record<Kind, ReadonlyMap<string, number>>>
  readonly versionCount: number
  /** Each a sentence that names a record; empty when everything is whole. */
  readonly defects: readonly string[]
}

const kinds = ['receivingEvent', 'masterProduct', 'location'] as const
export type Kind = (typeof kinds)[number]

/**
 * Where a test can reach the database beside the service: the address of a server, or the folder of
 * the embedded database of a running service.
 */
export type Place = { readonly DATABASE_URL: string } | { readonly DATA_DIR: string }

export const placeConfig = (place: Place): pg.ClientConfig =>
  'DATABASE_URL' in place
    ? { connectionString: place.DATABASE_URL }
    : { host: join(place.DATA_DIR), port: 5432, user: 'postgres', database: 'postgres', password: 'none', ssl: false }

/**
 * Reads everything. Bodies are read and held against their hashes and search rows for `ids` only,
 * or for all records.
 */
export async function readStoredRows(place: Place, ids: ReadonlySet<string> | 'all'): Promise<StoredRows> {
  const client = new pg.Client(placeConfig(place))
  client.on('error', () => undefined)
  await client.connect()
  try {
    // One state of the database, whatever is written meanwhile.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const read = await readAll(client, ids)
    await client.query('COMMIT')
    return read
  } finally {
    await client.end()
  }
}

interface VersionRow {
  readonly id: string
  readonly version: number
  readonly kind: Kind
  readonly hash: string
  readonly request: string
  readonly isVoid: boolean
}

async function readAll(client: pg.Client, ids: ReadonlySet<string> | 'all'): Promise<StoredRows> {
  const rows = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
    (await client.query<Row>(sql, values)).rows
  const defects: string[] = []
  const heads = await rows<{ id: string; version: number; hash: string; kind: Kind }>(
    `SELECT id, version, encode(content_hash, 'hex') AS hash, kind FROM record`,
  )
  const versions = await rows<VersionRow>(
    `SELECT record_id AS id, version, kind, encode(content_hash, 'hex') AS hash, request_id AS request,
            void_reason IS NOT NULL AS "isVoid"
     FROM record_version ORDER BY record_id, version`,
  )
  const byRecord = byId(versions)
  for (const { id, version, hash, kind } of heads) {
    const own = byRecord.get(id) ?? []
    if (own.some((row, i) => row.version !== i + 1) || own.length !== version)
      defects.push(`${kind} ${id} is at version ${version} and has versions ${own.map((row) => row.version)}`)
    // No content is that of a voided record.
    const last = own.at(-1)
    if ((last?.isVoid ? '' : last?.hash) !== hash)
      defects.push(`${kind} ${id} has another content hash than its last version`)
    if (own.some(({ isVoid }, i) => isVoid && (own[i - 1]?.isVoid ?? true)))
      defects.push(`${kind} ${id} has a void that voids nothing`)
    if (own.some((row) => row.kind !== kind)) defects.push(`${kind} ${id} has versions of another kind`)
    if (new Set(own.map(({ request }) => request)).size !== own.length)
      defects.push(`${kind} ${id} has two versions of one request`)
  }
  const known = new Set(heads.map(({ id }) => id))
  for (const id of byRecord.keys()) if (!known.has(id)) defects.push(`record ${id} has versions and no current row`)
  if (known.size !== heads.length) defects.push('two records have one id')
  const unfound = await rows<{ id: string }>(
    `SELECT r.id FROM record r FULL JOIN (
       SELECT id, kind FROM event UNION ALL SELECT id, 'masterProduct' FROM master_product
       UNION ALL SELECT id, 'location' FROM location UNION ALL SELECT id, 'voided ' || kind FROM voided_event
     ) s ON s.id = r.id AND s.kind = CASE WHEN r.content_hash = '' THEN 'voided ' || r.kind ELSE r.kind END
     WHERE r.id IS NULL OR s.id IS NULL`,
  )
  for (const { id } of unfound)
    defects.push(`record ${id} has no search row of its kind, or a search row has no record`)
  const strays = await rows<{ id: string }>(
    `SELECT DISTINCT c.id FROM event_code c LEFT JOIN event e USING (provider_id, kind, id) WHERE e.id IS NULL`,
  )
  for (const { id } of strays) defects.push(`codes of event ${id}, which is not there`)
  const doubled = await rows<{ place: string }>(
    `SELECT 'event date time ' || "eventDateTime"::text AS place FROM event
     WHERE kind = 'receivingEvent' GROUP BY provider_id, "dataProviderVendorId", place, "eventDateTime" HAVING count(*) > 1
     UNION ALL SELECT 'location code ' || "locationCode" FROM location
     GROUP BY provider_id, "dataProviderVendorId", "locationCode" HAVING count(*) > 1`,
  )
  for (const { place } of doubled) defects.push(`two records hold ${place}`)
  const promised = await rows<{ key: string; id: string }>(
    `SELECT k.idempotency_key AS key, p.id::text FROM idempotency_key k, unnest(k.record_ids) AS p (id)`,
  )
  for (const { key, id } of promised)
    if (!known.has(id)) defects.push(`idempotency key ${key} names ${id}, which is not there`)

  const wanted = ids === 'all' ? [...known] : [...ids]
  const bodies = await rows<{ id: string; version: number; kind: Kind; hash: string; body: string; normal: string }>(
    `SELECT record_id AS id, version, kind, encode(content_hash, 'hex') AS hash, detail[1] AS body, detail[1]::jsonb::text AS normal
     FROM record_version WHERE record_id = ANY ($1::uuid[]) ORDER BY record_id, version`,
    [wanted],
  )
  const read = bodies.map((row) => ({ ...row, body: JSON.parse(row.body) as Payload }))
  for (const { id, version, kind, hash, normal, body } of read) {
    // Of a location the database makes the hash, in its own order of keys, as events set them up
    // there.
    if (hash !== sha256(kind === 'location' ? normal : sortedJson(body)))
      defects.push(`version ${version} of ${kind} ${id} does not have the hash of its body`)
  }
  const bodiesById = byId(read)
  defects.push(...(await searchDefects(rows, wanted, bodiesById)))
  const ofKind = (kind: Kind) =>
    new Map(heads.filter((head) => head.kind === kind).map((head) => [head.id, head.version]))
  return {
    versions: bodiesById,
    current: {
      receivingEvent: ofKind('receivingEvent'),
      masterProduct: ofKind('masterProduct'),
      location: ofKind('location'),
    },
    versionCount: versions.length,
    defects,
  }
}

/** Events whose columns or codes are not those of their last body. */
async function searchDefects(
  rows: <Row extends pg.QueryResultRow>(sql: string, values: unknown[]) => Promise<Row[]>,
  wanted: readonly string[],
  bodies: ReadonlyMap<string, readonly { readonly body: Payload }[]>,
): Promise<string[]> {
  const events = await rows<{ id: string; at: Date; lines: number; codes: string[] | null }>(
    `SELECT e.id, e."eventDateTime" AS at, e.line_count AS lines,
            (SELECT array_agg(c.field || ' ' || c.code || ' ' || c.unfolded) FROM event_code c WHERE c.provider_id = e.provider_id AND c.id = e.id) AS codes
     FROM event e WHERE e.id = ANY ($1::uuid[])`,
    [wanted],
  )
  return events.flatMap(({ id, at, lines, codes }) => {
    const event = bodies.get(id)?.at(-1)?.body.eventList
    if (event === undefined) return []
    const own: string[] = event.productList.flatMap((line: Payload) => [
      ...(line.caseLotNumber ? lotRowsOf(line.caseLotNumber) : []).map(
        (row) => `lotCode ${Object.values(row).join(' ')}`,
      ),
      ...[line.vendorItemCode, line.purchaserItemCode].filter(Boolean).map((code) => `itemCode ${code} `),
    ])
    const fits =
      at.getTime() === Date.parse(event.eventDateTime) &&
      lines === event.productList.length &&
      [...new Set(own)].sort().join('\n') === [...(codes ?? [])].sort().join('\n')
    return fits ? [] : [`event ${id} is not found by what its last version says`]
  })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.id, [...(groups.get(row.id) ?? []), row])
  return groups
}

/** Written here once more, so that a fault of the service's own is seen. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, part]) => `${JSON.stringify(key)}:${sortedJson(part)}`).join(',')}}`
}
