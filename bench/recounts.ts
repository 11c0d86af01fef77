// npm run bench:recounts: how long it takes until 100,000 events are counted again after one
// location changed, and what writers notice.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/postgresql-server.ts'
import { startServerProcess } from '../test/support/server-process.ts'
import { machineLine } from './machine.ts'
import { eventsPath } from './service-under-load.ts'
import { quantile } from './statistics.ts'
import { markdownTable } from './table.ts'

const eventsDefault = 100_000
const eventsPerCreate = 500
const lineCount = 5
/** Replacements by one writer, one after another, before and beside the recount. */
const writesBefore = 300

const place = (locationCode: string, fields: object) => ({
  locationCode,
  locationName: `Place ${locationCode}`,
  ...fields,
})
const described = {
  gln: '0614141000012',
  address: { streetAddress1: '1200 Harvest Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' },
  phoneNumber: '+1.831.555.0100',
}
const vendor = 'V-1001'

/** Events that lack one thing alone: the address of the place they come from. */
function payload(numbers: readonly number[], lot = 'LOT') {
  const event = (number: number) => ({
    dataProviderVendorId: vendor,
    purchaseOrderNumber: `PO-${number}`,
    eventDateTime: new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString().replace('.000Z', 'Z'),
    shipFromLocationCode: 'FROM',
    shipToLocationCode: 'TO',
    productList: Array.from({ length: lineCount }, (_, line) => ({
      vendorItemCode: 'ROM-24',
      shipQuantity: 40,
      shipQuantityUom: 'case',
      caseLotNumber: `${lot}-${number}-${line}`,
      tlcSourceReferenceFfrn: '14532865782',
    })),
  })
  return {
    productMasterDataList: [
      {
        itemCode: 'ROM-24',
        itemDescription: 'Romaine hearts 24 ct',
        isFtlItem: true,
        ftlCategory: 'leafy greens',
        packStyle: 'carton',
        packSize: '24 x 10 oz',
        productCommodity: 'Romaine lettuce',
      },
    ],
    locationMasterList: [place('FROM', { gln: described.gln }), place('TO', { ...described, gln: '0614141000029' })],
    eventList: numbers.length === 1 ? event(numbers[0] ?? 0) : numbers.map(event),
  }
}

interface Measured {
  readonly seconds: number
  readonly beforeMs: readonly [p50: number, p99: number]
  readonly besideMs: readonly [p50: number, p99: number]
}

async function measure(env: Record<string, string>, events: number): Promise<Measured> {
  const { address, firstKey: key = '', end } = await startServerProcess({ ...env, WORKERS: '1' })
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${answer.slice(0, 500)}`)
    return JSON.parse(answer)
  }
  try {
    const ids: string[] = []
    for (let start = 0; start < events; start += eventsPerCreate) {
      const numbers = Array.from({ length: Math.min(eventsPerCreate, events - start) }, (_, n) => start + n)
      ids.push(...(await ask('POST', eventsPath, payload(numbers))).request_ids)
      process.stderr.write(`\r${ids.length} of ${events} events`)
    }
    process.stderr.write('\n')
    const counts = (lastDate: string) =>
      ask('GET', `/traceability/completeness?eventStartDate=2025-01-01&eventEndDate=${lastDate}`)
    // Of one day: counting 100,000 events takes the embedded database 1.5 s, and the recount would
    // wait for the question.
    const recounting = async () => (await counts('2025-01-01')).recounting !== null
    let round = 0
    const write = async () => {
      const number = (++round * 7) % events
      const at = performance.now()
      await ask('PUT', `${eventsPath}/${ids[number]}`, payload([number], `LOT${round}`))
      return performance.now() - at
    }
    const before: number[] = []
    while (before.length < writesBefore) before.push(await write())
    await pause(2_000)

    const { content } = await ask('GET', '/data-provider/locations?locationCode=FROM')
    const beganAt = performance.now()
    await ask('PUT', `/data-provider/locations/${content[0].id}`, {
      locationMasterList: { ...place('FROM', described), dataProviderVendorId: vendor },
    })
    const beside: number[] = []
    while (await recounting()) for (let n = 0; n < 5; n++) beside.push(await write())
    const seconds = (performance.now() - beganAt) / 1_000
    const { total } = await counts('2025-12-31')
    if (total.events !== events || total.eventsWithGaps !== 0) throw new Error(`Counted were ${JSON.stringify(total)}.`)
    process.stderr.write(`${seconds.toFixed(1)} s\n`)
    return { seconds, beforeMs: middleAndEnd(before), besideMs: middleAndEnd(beside) }
  } finally {
    await end('SIGTERM')
  }
}

function middleAndEnd(tookMs: readonly number[]): readonly [number, number] {
  const sorted = Float64Array.from(tookMs).sort()
  return [quantile(sorted, 0.5), quantile(sorted, 0.99)]
}

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(eventsDefault) } } })
  const events = Number(values.events)
  if (!Number.isInteger(events) || events < 1) throw new TypeError('--events takes a whole number from 1.')
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-recounts-'))
  const postgresql = await startPostgresqlServer()
  try {
    const machine = machineLine(postgresql.version)
    const measured = {
      PostgreSQL: await measure({ DATABASE_URL: postgresql.url }, events),
      embedded: await measure({ DATA_DIR: join(folder, 'data') }, events),
    }
    const milliseconds = ([p50, p99]: readonly [number, number]) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
    console.log(
      [
        `${new Date().toISOString().slice(0, 10)}, ${machine}; one process.`,
        `${events} events of ${lineCount} product lines that one location touches; from its PUT until the counts say that they are up to date. One writer replaces events one after another.`,
        '',
        markdownTable(
          ['database', 'seconds', 'PUT before, p50 / p99', 'PUT beside, p50 / p99'],
          Object.entries(measured).map(([name, { seconds, beforeMs, besideMs }]) => [
            name,
            seconds.toFixed(1),
            milliseconds(beforeMs),
            milliseconds(besideMs),
          ]),
        ),
      ].join('\n'),
    )
  } finally {
    await postgresql.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await bench()
