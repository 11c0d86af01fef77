// Fills the tables with copies of events that the service stored, as if they had arrived one after
// another, for years.
import type pg from 'pg'
import type { Payload } from '../test/support/records/payloads.ts'
import { calling } from '../test/support/servers/service.ts'
import { show } from './progress.ts'
import {
  digits,
  eventStepSeconds,
  eventTemplates,
  filled,
  firstEventAt,
  locationTemplates,
  lotEvents,
  lotEventsApart,
  markDigits,
  numberDigits,
  shipFrom,
  shipToCount,
  shipToOf,
  vendor,
} from './records.ts'
import { eventsPath, type ServiceUnderLoad } from './service-under-load.ts'
import { onConnection } from './start-times.ts'

/** Providers the events belong to; the first has every fourth event, the others share the rest. */
export const providerCount = 200
export const shareOfFirst = 4

const batchEvents = 2_000
/** Statements at a time: one per core of a small machine. */
const loaders = 2

/**
 * Id of a provider other than the first, from the number of an event (or of the provider) in SQL.
 */
const otherProvider = (number: string): string => `md5('provider ' || (${number}) % ${providerCount - 1})::uuid`

/** UUID version 7 of the event's own time: ids ascend with arrival, as the service makes them. */
const eventId = (number: string): string =>
  `(lpad(to_hex((extract(epoch FROM timestamptz '${firstEventAt}')::bigint + ${number} * ${eventStepSeconds}) * 1000), 12, '0')
    || '7' || substr(md5(${number}::text), 1, 3) || '8' || substr(md5(${number}::text), 4, 15))::uuid`

/** When the events took place that are copied. */
export const modelDateTime = '2020-02-02T00:00:00Z'

/** Has the service store an event to copy, and returns its id. */
export async function createModel({ address, key }: ServiceUnderLoad, path: string, body: object): Promise<string> {
  const answer = await calling(address, key)('POST', path, { body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.request_ids[0]
}

/**
 * Copies events of $1, by ids: one for each number `e` of $2 to $3. SQL says which of them it is, counted
 * from 1, whose the copy is, and what takes the place of texts in its body and codes.
 */
export function copying(
  ids: readonly string[],
  texts: Readonly<Record<string, string>>,
  { which = '1', provider = '$1::uuid' } = {},
): string {
  const list = `'{${ids.join(',')}}'::uuid[]`
  const swapped = (column: string) =>
    Object.keys(texts).reduce((sql, name, i) => `replace(${sql}, '${name}', text_${i})`, column)
  return `WITH numbered AS MATERIALIZED (
  SELECT ${provider} AS provider_id, ${eventId('e')} AS id, (${list})[${which}] AS model,
         ${Object.values(texts)
           .map((text, i) => `${text} AS text_${i}, `)
           .join('')}
         timestamptz '${firstEventAt}' + e * interval '${eventStepSeconds} seconds' AS moment
  FROM generate_series($2::bigint, $3::bigint) AS e
), bodies AS MATERIALIZED (
  SELECT n.provider_id, n.id, moment, v.kind, v.key_id, v.request_id, v.detail[2] AS findings,
         replace(${swapped('v.detail[1]')}, '${modelDateTime}', to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) AS body
  FROM numbered n JOIN record_version v ON v.provider_id = $1 AND v.record_id = n.model AND v.record_id = ANY(${list})
), hashed AS MATERIALIZED (
  SELECT *, sha256(convert_to(body, 'UTF8')) AS content_hash FROM bodies
), records AS (
  INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash)
  SELECT provider_id, id, kind, 1, content_hash, '' FROM hashed
), events AS (
  INSERT INTO event (provider_id, kind, id, "dataProviderVendorId", "eventDateTime", counterpart, place, "purchaseOrderNumber",
                     "asnNumber", "billOfLadingNumber", identity, event_date, line_count, completeness)
  SELECT n.provider_id, kind, n.id, "dataProviderVendorId", moment, counterpart, ${swapped('place')}, ${swapped('"purchaseOrderNumber"')},
         ${swapped('"asnNumber"')}, ${swapped('"billOfLadingNumber"')}, identity, (moment AT TIME ZONE 'UTC')::date, line_count, completeness
  FROM numbered n JOIN event m ON m.provider_id = $1 AND m.id = n.model AND m.id = ANY(${list})
), codes AS (
  INSERT INTO event_code (provider_id, kind, field, code, id, unfolded)
  SELECT n.provider_id, kind, field, ${swapped('code')}, n.id, ${swapped('unfolded')}
  FROM numbered n JOIN event_code m ON m.provider_id = $1 AND m.id = n.model AND m.id = ANY(${list})
)
INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, payload_id, content_hash, detail)
SELECT provider_id, id, 1, kind, moment, key_id, request_id, NULL, content_hash, ARRAY[body, findings]
FROM hashed`
}

/** The statement that copies the benchmark's event; one in seven lacks the packaging size of its first item. */
export async function copyingUsual(service: ServiceUnderLoad): Promise<string> {
  // What stands for the values that differ is in no other text of the event.
  const [number, sharedLot] = ['987654321', '876543219']
  const modelTo = (shipTo: string, edit: (body: Payload) => void) => {
    const mark = digits(0, markDigits)
    const body = JSON.parse(
      filled(eventTemplates.usual, { number, sharedLot, shipTo, eventDateTime: modelDateTime, mark }),
    )
    edit(body)
    return createModel(service, eventsPath, body)
  }
  const whole = await modelTo('WHOLE', () => undefined)
  const incomplete = await modelTo('SEVENTH', ({ productMasterDataList: [first] }) => delete first.packSize)
  const shipTo = `lpad((e % ${shipToCount})::text, 2, '0')`
  return copying(
    [whole, incomplete],
    {
      [number]: `lpad(e::text, ${numberDigits}, '0')`,
      [sharedLot]: `lpad((e / ${lotEvents * lotEventsApart} * ${lotEventsApart} + e % ${lotEventsApart})::text, ${numberDigits}, '0')`,
      ...{ WHOLE: shipTo, SEVENTH: shipTo },
    },
    {
      which: 'CASE WHEN e % 7 = 0 THEN 2 ELSE 1 END',
      provider: `CASE WHEN e % ${shareOfFirst} = 0 THEN $1::uuid ELSE ${otherProvider('e')} END`,
    },
  )
}

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
         jsonb_build_object('locationMasterList', c.content || jsonb_build_object('dataProviderVendorId', '${vendor}'))::text AS body
  FROM everyone, unnest($2::text[], $3::text[]::jsonb[]) AS c (code, content)
), records AS (
  INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash)
  SELECT provider_id, id, 'location', 1, sha256(convert_to(body, 'UTF8')), '' FROM entries
), locations AS (
  INSERT INTO location (provider_id, id, "dataProviderVendorId", "locationCode", content)
  SELECT provider_id, id, '${vendor}', code, content
  FROM entries
)
INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, detail)
SELECT provider_id, id, 1, 'location', '0000000000000000', gen_random_uuid(), NULL, sha256(convert_to(body, 'UTF8')), ARRAY[body, '[]']
FROM entries`

/** Makes the providers; `first` is there already, and will have a quarter of the events. */
export async function loadProvidersOnce(databaseUrl: string, first: string): Promise<void> {
  const contentOf = (place: 'shipFrom' | 'shipTo', number: number) =>
    filled(locationTemplates[place], { shipTo: shipToOf(number) })
  const numbers = Array.from({ length: shipToCount }, (_, number) => number)
  await onConnection(databaseUrl, (client) =>
    client.query(loadProviders, [
      first,
      [shipFrom, ...numbers.map((number) => `DC-${digits(number, 2)}`)],
      [contentOf('shipFrom', 0), ...numbers.map((number) => contentOf('shipTo', number))],
    ]),
  )
}

/** Fewer checkpoints while loading; each would write every page of the indexes again. */
export const prepareToLoad = (databaseUrl: string): Promise<unknown> =>
  onConnection(databaseUrl, async (client) => {
    await client.query(`ALTER SYSTEM SET max_wal_size = '8GB'`)
    await client.query('SELECT pg_reload_conf()')
  })

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
