// npm run bench:search: two million events of one provider, searched over HTTP by what people
// remember of them; what the index of parts takes, and whether it grows faster than the events.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { indexAll } from '../src/handlers/records/search-index.ts'
import { samplePayload } from '../test/samples/payloads.ts'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { paths } from '../test/support/records/payloads.ts'
import { calling } from '../test/support/servers/service.ts'
import { untilEnded } from './ends.ts'
import { copying, createModel, loadRows, modelDateTime, prepareToLoad, thousands } from './growth-loader.ts'
import { LoadGenerator } from './load.ts'
import { machineLine } from './machine.ts'
import { writeToPage } from './page.ts'
import { show } from './progress.ts'
import { digits } from './records.ts'
import { type ServiceUnderLoad, startService } from './service-under-load.ts'
import { inNewFolder } from './start-times.ts'
import { judged, markdownTable, milliseconds } from './table.ts'

const eventsDefault = 2_000_000
const length = { connections: 1, warmUpMs: 2_000, measuredMs: 10_000 }
const numberDigits = 7

/** The event that is copied: its numbers and names have the number of the copy in them. */
function model() {
  const payload = samplePayload('receivingEvent')
  Object.assign(payload.eventList, {
    eventDateTime: modelDateTime,
    purchaseOrderNumber: 'PO-NUMBER',
    asnNumber: 'ASN-NUMBER',
    billOfLadingNumber: 'BOL-NUMBER',
    dataProviderVendorName: 'Firm FIRMNO Farms',
  })
  payload.eventList.productList.forEach((line: Record<string, unknown>, i: number) => {
    line.caseLotNumber = `GV-DAYNO-NUMBER-${i}`
  })
  return payload
}

const texts = {
  NUMBER: `lpad((e * 7919 % 10000000)::text, ${numberDigits}, '0')`,
  DAYNO: `lpad((e / 500)::text, 5, '0')`,
  FIRMNO: `(e % 300)::text`,
}
const numberOf = (e: number): string => digits((e * 7919) % 10 ** numberDigits, numberDigits)

/** What people remember: of events all over the years, so that no page is read twice. */
const figures = (events: number): readonly { readonly title: string; readonly texts: readonly string[] }[] => {
  const some = Array.from({ length: 50 }, (_, n) => Math.floor(((n + 0.5) * events) / 50))
  return [
    { title: 'an order by its digits', texts: some.map((e) => numberOf(e)) },
    { title: 'a bill of lading with the word', texts: some.map((e) => `BOL ${numberOf(e)}`) },
    { title: 'the end of a lot', texts: some.map((e) => `${numberOf(e).slice(2)}-0`) },
    { title: 'five digits that many numbers have', texts: some.map((e) => numberOf(e).slice(1, 6)) },
    { title: 'a word of the name of every vendor', texts: ['farms'] },
    { title: 'a number that nobody has', texts: some.map((e) => `Q${numberOf(e)}Q`) },
  ]
}

interface Size {
  readonly events: number
  readonly bytesPerEvent: number
  readonly indexUs: number
  readonly p50Ms: readonly number[]
  readonly p99Ms: readonly number[]
}

/** Writes the blocks of what was loaded, as if it had been waiting. */
async function indexLoaded(pool: pg.Pool, provider: string, from: number, events: number): Promise<number> {
  await pool.query(
    `INSERT INTO awaiting_search (provider_id, since, id, record_ids)
     SELECT $1, now(), gen_random_uuid(), array_agg(r.id)
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM record WHERE provider_id = $1 OFFSET $2) r
     GROUP BY r.n / 1000`,
    [provider, from],
  )
  const began = performance.now()
  await indexAll(pool, provider)
  await pool.query('VACUUM ANALYZE search_block')
  return ((performance.now() - began) * 1_000) / (events - from)
}

async function measureAt(service: ServiceUnderLoad, pool: pg.Pool, from: number, events: number): Promise<Size> {
  const indexUs = await indexLoaded(pool, service.provider, from, events)
  const { rows } = await pool.query<{ bytes: string }>(`SELECT pg_total_relation_size('search_block') AS bytes`)
  const p50Ms: number[] = []
  const p99Ms: number[] = []
  for (const { title, texts } of figures(events)) {
    show(`${thousands(events)} events: ${title}`)
    const searched = texts.map((text) => `/search?text=${encodeURIComponent(text)}`)
    const { body } = await calling(service.address, service.key)('GET', searched[0] ?? '')
    if ((body.content.length === 0) !== title.includes('nobody')) throw new Error(`${title}: ${JSON.stringify(body)}`)
    const result = await service.read(length, searched)
    if (result.faults.length > 0) throw new Error(`${title}: ${result.faults.join('; ')}`)
    p50Ms.push(result.p50Ms)
    p99Ms.push(result.p99Ms)
  }
  return { events, bytesPerEvent: Number(rows[0]?.bytes) / events, indexUs, p50Ms, p99Ms }
}

async function measure(events: number): Promise<string> {
  return untilEnded(async (ending) => {
    show('Starting PostgreSQL and the service')
    const postgresql = await startPostgresqlServer()
    ending({ end: () => postgresql.stop() })
    await prepareToLoad(postgresql.url)
    const service = ending(
      await startService({ DATABASE_URL: postgresql.url }, ending(new LoadGenerator()), { env: { WORKERS: '1' } }),
    )
    const pool = ending(new pg.Pool({ connectionString: postgresql.url }))
    const statement = copying([await createModel(service, paths.receivingEvent, model())], texts)
    const sizes: Size[] = []
    for (const size of [Math.floor(events / 10), events]) {
      const from = sizes.at(-1)?.events ?? 0
      await loadRows(postgresql.url, statement, { first: service.provider, from: from + 1, to: size })
      sizes.push(await measureAt(service, pool, from, size))
    }
    show('')
    const [small, large] = sizes as [Size, Size]
    const rows = figures(events).map(({ title }, i) => {
      const [p50, p99] = [large.p50Ms[i] ?? 0, large.p99Ms[i] ?? 0]
      const { bar = '', verdict = '' } = judged(p50, { better: 'less', bar: 150, aim: 50, unit: ' ms' })
      return [title, milliseconds(small.p50Ms[i]), milliseconds(p50), milliseconds(p99), bar, verdict]
    })
    const [bytes, us] = [large.bytesPerEvent, large.indexUs].map(Math.round)
    return [
      `${new Date().toISOString().slice(0, 10)}, ${machineLine(postgresql.version)}.`,
      `Of ${thousands(events)} events of one provider, by the clock over one connection. The index takes ${bytes} bytes an event, and nothing for a replacement with the same texts; writing it takes ${us} µs an event, after the event is stored.`,
      '',
      markdownTable(
        ['search', `p50 at ${thousands(small.events)}`, `p50 at ${thousands(large.events)}`, 'p99', 'bar', 'verdict'],
        rows,
      ),
    ].join('\n')
  })
}

const { values } = parseArgs({ options: { events: { type: 'string', default: String(eventsDefault) } } })
const events = Number(values.events)
const report = await inNewFolder(() => measure(events))
console.log(report)
if (events >= eventsDefault) writeToPage('search', report)
