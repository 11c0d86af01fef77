// Fills the tables with years of events, as if they had arrived one after another from all
// providers at once.
import type pg from 'pg'
import { show } from './progress.ts'
import {
  asSql,
  digits,
  eventStepSeconds,
  eventTemplates,
  firstEventAt,
  itemCodes,
  locationTemplates,
  lotEvents,
  lotEventsApart,
  lotOf,
  numberDigits,
  sharedLotLine,
  sharedLotOf,
  shipFrom,
  shipToCount,
  shipToOf,
  vendor,
} from './records.ts'
import { onConnection } from './start-times.ts'

/** Providers the events belong to; the first has every fourth event, the others share the rest. */
export const providerCount = 200
export const shareOfFirst = 4

const batchEvents = 2_000
/** Statements at a time: one per core of a small machine. */
const loaders = 2
/** Those with a lot of their own, and the one that shares its lot with other events. */
const lineCount = sharedLotLine + 1

const text = (sql: string): string => `'${sql.replaceAll("'", "''")}'`

/**
 * Id of a provider other than the first, from the number of an event (or of the provider) in SQL.
 */
const otherProvider = (number: string): string => `md5('provider ' || (${number}) % ${providerCount - 1})::uuid`

/** UUID version 7 of the event's own time: ids ascend with arrival, as the service makes them. */
const eventId = (number: string): string =>
  `(lpad(to_hex((extract(epoch FROM timestamptz ${text(firstEventAt)})::bigint + ${number} * ${eventStepSeconds}) * 1000), 12, '0')
    || '7' || substr(md5(${number}::text), 1, 3) || '8' || substr(md5(${number}::text), 4, 15))::uuid`

/**
 * Folded code of each lot of an event, and the code as read where folding changes it, as SQL on
 * `number` and `shared_lot`.
 */
const lots = [
  ...Array.from({ length: sharedLotLine }, (_, index) => {
    const lot = lotOf(`' || number || '`, index)
    return [lot.replaceAll('-', ''), lot] as const
  }),
  [sharedLotOf(`' || shared_lot || '`), ''] as const,
].map(([code, unfolded]) => [`'${code}'`, `'${unfolded}'`] as const)

/** One event in seven lacks the packaging size of its first item; an item has every second line. */
const completeness = `CASE WHEN number::bigint % 7 = 0 THEN ${tallies({ 'product/packaging-size': Math.ceil(lineCount / 2) })} ELSE ${tallies({})} END`

function tallies(gaps: Readonly<Record<string, number>>): string {
  const lines = [Math.ceil(lineCount / 2), Math.floor(lineCount / 2)]
  const tally = itemCodes.map((item, i) => ({
    item,
    lines: lines[i] ?? 0,
    complete: i === 0 && Object.keys(gaps).length > 0 ? 0 : (lines[i] ?? 0),
    gaps: i === 0 ? gaps : {},
  }))
  return `${text(JSON.stringify(tally))}::jsonb`
}

/**
 * Events $2 to $3; $1 is the provider that has every fourth. The body stands in canonical form, so
 * its hash is the content hash.
 */
const loadBatch = `WITH numbered AS MATERIALIZED (
  SELECT CASE WHEN e % ${shareOfFirst} = 0 THEN $1::uuid ELSE ${otherProvider('e')} END AS provider_id,
         ${eventId('e')} AS id,
         lpad(e::text, ${numberDigits}, '0') AS number,
         lpad((e / ${lotEvents * lotEventsApart} * ${lotEventsApart} + e % ${lotEventsApart})::text, ${numberDigits}, '0') AS shared_lot,
         lpad((e % ${shipToCount})::text, 2, '0') AS ship_to,
         timestamptz ${text(firstEventAt)} + e * interval '${eventStepSeconds} seconds' AS received_at
  FROM generate_series($2::bigint, $3::bigint) AS e
), bodies AS MATERIALIZED (
  SELECT n.*, ${asSql(eventTemplates.usual, {
    number: 'number',
    sharedLot: 'shared_lot',
    mark: `'0000000000'`,
    shipTo: 'ship_to',
    eventDateTime: `to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  })} AS body
  FROM numbered n
), hashed AS MATERIALIZED (
  SELECT *, sha256(convert_to(body, 'UTF8')) AS content_hash FROM bodies
), records AS (
  INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash)
  SELECT provider_id, id, 'receivingEvent', 1, content_hash, '' FROM hashed
), events AS (
  INSERT INTO event (provider_id, kind, id, "dataProviderVendorId", "eventDateTime", counterpart, place, "purchaseOrderNumber",
                     "asnNumber", identity, event_date, line_count, completeness)
  SELECT provider_id, 'receivingEvent', id, ${text(vendor)}, received_at, ${text(shipFrom)}, 'DC-' || ship_to, 'PO-' || number,
         'ASN-' || number, ${text(vendor)},
         (received_at AT TIME ZONE 'UTC')::date, ${lineCount}, ${completeness}
  FROM hashed
), codes AS (
  INSERT INTO event_code (provider_id, kind, field, code, id, unfolded)
  SELECT n.provider_id, 'receivingEvent', c.field, c.code, n.id, c.unfolded
  FROM numbered n, LATERAL (
    VALUES ${[
      ...lots.map(([code, unfolded]) => `('lotCode', ${code}, ${unfolded})`),
      ...itemCodes.map((code) => `('itemCode', ${text(code)}, '')`),
    ].join(', ')}
  ) AS c (field, code, unfolded)
)
INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, payload_id, content_hash, findings, body)
SELECT provider_id, id, 1, 'receivingEvent', received_at, '0000000000000000', md5(number)::uuid, NULL, content_hash, '[]', body
FROM hashed`

/** The providers beside the first, and for all of them the locations that their events name. */
const loadProviders = `WITH others AS (
  INSERT INTO provider (provider_id, name)
  SELECT ${otherProvider('p')}, 'provider ' || p FROM generate_series(1, ${providerCount - 1}) AS p
  RETURNING provider_id
), counted AS (
  INSERT INTO recount (provider_id) SELECT provider_id FROM others
), everyone AS (
  SELECT provider_id FROM others UNION ALL SELECT $1::uuid
), entries AS (
  SELECT provider_id, gen_random_uuid() AS id, c.code, c.content,
         jsonb_build_object('locationMasterList', c.content || jsonb_build_object('dataProviderVendorId', ${text(vendor)}))::text AS body
  FROM everyone, unnest($2::text[], $3::text[]::jsonb[]) AS c (code, content)
), records AS (
  INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash)
  SELECT provider_id, id, 'location', 1, sha256(convert_to(body, 'UTF8')), '' FROM entries
), locations AS (
  INSERT INTO location (provider_id, id, "dataProviderVendorId", "locationCode", content)
  SELECT provider_id, id, ${text(vendor)}, code, content
  FROM entries
)
INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
SELECT provider_id, id, 1, 'location', '0000000000000000', gen_random_uuid(), NULL, sha256(convert_to(body, 'UTF8')), '[]', body
FROM entries`

/** Makes the providers; `first` is there already, and will have a quarter of the events. */
export async function loadProvidersOnce(databaseUrl: string, first: string): Promise<void> {
  const filled = (template: (typeof locationTemplates)['shipTo'], number: number) =>
    template.map((part) => (typeof part === 'string' ? part : shipToOf(number))).join('')
  const numbers = Array.from({ length: shipToCount }, (_, number) => number)
  await onConnection(databaseUrl, (client) =>
    client.query(loadProviders, [
      first,
      [shipFrom, ...numbers.map((number) => `DC-${digits(number, 2)}`)],
      [filled(locationTemplates.shipFrom, 0), ...numbers.map((number) => filled(locationTemplates.shipTo, number))],
    ]),
  )
}

/** Fewer checkpoints while loading; each would write every page of the indexes again. */
export const prepareToLoad = (databaseUrl: string): Promise<unknown> =>
  onConnection(databaseUrl, async (client) => {
    await client.query(`ALTER SYSTEM SET max_wal_size = '8GB'`)
    await client.query('SELECT pg_reload_conf()')
  })

export const loadEvents = (databaseUrl: string, first: string, from: number, to: number): Promise<void> =>
  loadRows(databaseUrl, loadBatch, { first, from, to })

/**
 * Loads the events numbered `from` to `to` by a statement with the provider and two numbers, then
 * brings the tables into the state autovacuum keeps them in.
 */
export async function loadRows(
  databaseUrl: string,
  statement: string,
  { first, from, to }: { readonly first: string; readonly from: number; readonly to: number },
): Promise<void> {
  let next = from
  await Promise.all(
    Array.from({ length: loaders }, () =>
      onConnection(databaseUrl, async (client) => {
        // What a crash would lose is loaded again; the statements under measurement keep their
        // guarantees.
        await client.query('SET synchronous_commit = off')
        while (next <= to) {
          const batch = { from: next, to: Math.min(to, next + batchEvents - 1) }
          next = batch.to + 1
          await client.query(statement, [first, batch.from, batch.to])
          if ((batch.from - from) % (50 * batchEvents) === 0) show(`${thousands(batch.from)} events`)
        }
      }),
    ),
  )
  show(`${thousands(to)} events are in the tables; VACUUM, ANALYZE, CHECKPOINT`)
  await onConnection(databaseUrl, async (client) => {
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  })
}

/**
 * Id and number of up to `count` events of the first provider, from all of its history, in no
 * order.
 */
export async function someOfFirst(pool: pg.Pool, first: string, events: number, count: number) {
  const { rows } = await pool.query<{ id: string; number: string }>(
    `SELECT e.id, right(e."purchaseOrderNumber", ${numberDigits}) AS number
     FROM generate_series(1, $3::bigint) AS n,
          LATERAL (SELECT ${shareOfFirst} * (1 + floor(random() * ($2::bigint / ${shareOfFirst} - 1))::bigint) + 0 * n AS drawn) AS d
     JOIN event e ON e.provider_id = $1 AND e.kind = 'receivingEvent' AND e.id = ${eventId('d.drawn')}
     GROUP BY e.id, e."purchaseOrderNumber"
     ORDER BY random()`,
    [first, events, count],
  )
  return rows.map(({ id, number }) => ({ id, number: Number(number) }))
}

export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US')
