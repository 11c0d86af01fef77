// npm run bench:sharing: how long it takes until a partner sees 100,000 events that a grant opens,
// what writers notice meanwhile, and what PUTs cost a provider with 50 partners.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/postgresql-server.ts'
import { startServerProcess } from '../test/support/server-process.ts'
import { ask } from './listeners.ts'
import { machineLine } from './machine.ts'
import { eventsPath } from './service-under-load.ts'
import { quantile } from './statistics.ts'
import { markdownTable } from './table.ts'

const eventsDefault = 100_000
const eventsPerCreate = 500
const lineCount = 5
const partnersBeside = 50
/** Replacements by one writer, one after another, before the grant. */
const writesBefore = 500
/** PUTs over so many connections, for so long, with and without partners. */
const connections = 16
const roundMs = 10_000
const rounds = 3

const place = (locationCode: string, gln: string) => ({
  locationCode,
  locationName: `Place ${locationCode}`,
  gln,
  address: { streetAddress1: '1200 Harvest Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' },
  phoneNumber: '+1.831.555.0100',
})

function payload(numbers: readonly number[], lot = 'LOT') {
  const event = (number: number) => ({
    dataProviderVendorId: 'V-1001',
    purchaseOrderNumber: `PO-${number}`,
    eventDateTime: new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString().replace('.000Z', '-08:00'),
    shipFromLocationCode: 'FROM',
    shipToLocationCode: 'TO',
    methodOfPayment: 'Prepaid',
    productList: Array.from({ length: lineCount }, (_, line) => ({
      vendorItemCode: 'ROM-24',
      shipQuantity: 40,
      shipQuantityUom: 'case',
      caseLotNumber: `${lot}-${number}-${line}`,
      tlcSourceReferenceGln: '0614141000012',
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
    locationMasterList: [place('FROM', '0614141000012'), place('TO', '0614141000029')],
    eventList: numbers.length === 1 ? event(numbers[0] ?? 0) : numbers.map(event),
  }
}

interface Measured {
  readonly seconds: number
  readonly beforeMs: readonly [p50: number, p99: number]
  readonly besideMs: readonly [p50: number, p99: number]
  /** PUTs a second without partners and with them, round by round. */
  readonly without: readonly number[]
  readonly withPartners: readonly number[]
}

const partnerNamed = (name: string, locationCode: string) => ({
  name,
  places: [{ locationCode }],
  grants: [{ direction: 'shipTo' }],
})

async function measure(env: Record<string, string>, events: number): Promise<Measured> {
  const { address, firstKey: key = '', end } = await startServerProcess({ ...env, WORKERS: '1' })
  const send = async (method: string, path: string, body?: object) =>
    (await ask({ address, key }, method, path, body && { body })).body
  try {
    const ids: string[] = []
    for (let start = 0; start < events; start += eventsPerCreate) {
      const numbers = Array.from({ length: Math.min(eventsPerCreate, events - start) }, (_, n) => start + n)
      ids.push(...(await send('POST', eventsPath, payload(numbers))).request_ids)
      process.stderr.write(`\r${ids.length} of ${events} events`)
    }
    process.stderr.write('\n')
    let round = 0
    const write = async () => {
      const number = (++round * 7) % events
      const at = performance.now()
      await send('PUT', `${eventsPath}/${ids[number]}`, payload([number], `LOT${round}`))
      return performance.now() - at
    }
    const rate = async (): Promise<number> => {
      const until = performance.now() + roundMs
      let count = 0
      const writer = async () => {
        for (; performance.now() < until; count++) await write()
      }
      await Promise.all(Array.from({ length: connections }, writer))
      return count / (roundMs / 1_000)
    }
    const isComplete = async (id: string): Promise<boolean> => {
      const { state, completeDateTime } = await send('GET', `/partners/${id}`)
      return state === 'open' && completeDateTime !== null
    }

    // The first rounds are those of a process that is still being compiled.
    await rate()
    const without: number[] = []
    const withPartners: number[] = []
    for (let n = 0; n < rounds; n++) {
      without.push(await rate())
      const added: string[] = []
      for (let i = 0; i < partnersBeside; i++)
        added.push((await send('POST', '/partners', partnerNamed(`Partner ${n}.${i}`, `ELSEWHERE-${i}`))).id)
      for (const id of added) while (!(await isComplete(id))) await pause(200)
      withPartners.push(await rate())
      for (const id of added) await send('DELETE', `/partners/${id}`)
      await pause(5_000)
      process.stderr.write(`${without.at(-1)?.toFixed(0)} and ${withPartners.at(-1)?.toFixed(0)} PUT/s\n`)
    }

    const before: number[] = []
    while (before.length < writesBefore) before.push(await write())
    const beganAt = performance.now()
    const { id } = await send('POST', '/partners', partnerNamed('River Foods', 'TO'))
    const beside: number[] = []
    while (!(await isComplete(id))) for (let n = 0; n < 10; n++) beside.push(await write())
    const seconds = (performance.now() - beganAt) / 1_000
    const { records } = await send('GET', `/partners/${id}`)
    if (records.receivingEvents !== events) throw new Error(`Copied were ${JSON.stringify(records)}.`)
    process.stderr.write(`${seconds.toFixed(1)} s\n`)
    return { seconds, beforeMs: middleAndEnd(before), besideMs: middleAndEnd(beside), without, withPartners }
  } finally {
    await end('SIGTERM')
  }
}

function middleAndEnd(tookMs: readonly number[]): readonly [number, number] {
  const sorted = Float64Array.from(tookMs).sort()
  return [quantile(sorted, 0.5), quantile(sorted, 0.99)]
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(eventsDefault) } } })
  const events = Number(values.events)
  if (!Number.isInteger(events) || events < 1) throw new TypeError('--events takes a whole number from 1.')
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-sharing-'))
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
        `A grant opens ${events} events of ${lineCount} product lines: from POST /partners until the account is complete. One writer replaces events one after another.`,
        `PUT/s: ${connections} connections, mean of ${rounds} rounds of ${roundMs / 1_000} s in turn, with no partner and with ${partnersBeside} who have other places.`,
        '',
        markdownTable(
          [
            'database',
            'seconds',
            'PUT before, p50 / p99',
            'PUT beside, p50 / p99',
            'PUT/s, no partner',
            `PUT/s, ${partnersBeside} partners`,
            'ratio',
          ],
          Object.entries(measured).map(([name, { seconds, beforeMs, besideMs, without, withPartners }]) => [
            name,
            seconds.toFixed(1),
            milliseconds(beforeMs),
            milliseconds(besideMs),
            mean(without).toFixed(0),
            mean(withPartners).toFixed(0),
            (mean(withPartners) / mean(without)).toFixed(3),
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
