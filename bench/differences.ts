// npm run bench:differences: how long it takes to compare a month of 100,000 product lines, shipped
// and received, and whether each of 100 planted mismatches is found.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { differenceKinds } from '../src/contract/difference-kinds.ts'
import type { DeliveryEvent } from '../src/tracing/delivery-event.ts'
import { type DeliveryWorld, deliveryWorld } from '../test/samples/delivery-world.ts'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { ask } from './listeners.ts'
import { machineLine } from './machine.ts'
import { processorMs, watchMemory } from './processes.ts'
import { show } from './progress.ts'
import { median } from './statistics.ts'
import { markdownTable } from './table.ts'

const linesDefault = 100_000
/** Lines of a pair of events, on average. */
const linesOfPair = 7.8
const mismatches = 100
const eventsPerCreate = 500
const rounds = 5
/** What is measured. Wrong dates are up to 40 days off, so all is looked for in more months. */
const month = 'eventStartDate=2026-03-01&eventEndDate=2026-03-31'
const allDates = 'eventStartDate=2026-01-01&eventEndDate=2026-06-30'

const place = (locationCode: string) => ({
  locationCode,
  locationName: `Place ${locationCode}`,
  address: { streetAddress1: '1200 Harvest Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' },
  phoneNumber: '+1.831.555.0100',
})

function payloadOf(events: readonly DeliveryEvent[]) {
  const items = new Set(events.flatMap(({ lines }) => lines.map(({ itemCode }) => itemCode)))
  const codes = new Set(events.flatMap(({ shipFrom, shipTo }) => [shipFrom.code, shipTo.code]))
  return {
    productMasterDataList: [...items].map((itemCode) => ({
      itemCode,
      itemDescription: `Item ${itemCode}`,
      isFtlItem: true,
      ftlCategory: 'leafy greens',
      packStyle: 'carton',
      packSize: '24 x 10 oz',
      productCommodity: 'Romaine lettuce',
    })),
    locationMasterList: [...codes].map(place),
    eventList: events.map(({ vendor, instant, shipFrom, shipTo, documents, lines }) => ({
      dataProviderVendorId: vendor,
      ...documents,
      eventDateTime: new Date(instant).toISOString().replace('.000Z', 'Z'),
      shipFromLocationCode: shipFrom.code,
      shipToLocationCode: shipTo.code,
      productList: lines.map(({ itemCode, lotCode, quantity, unit, palletId }) => ({
        vendorItemCode: itemCode,
        shipQuantity: quantity,
        shipQuantityUom: unit,
        ...(palletId !== undefined && { palletId }),
        caseLotNumber: lotCode,
        tlcSourceReferenceGln: '0614141000012',
      })),
    })),
  }
}

interface Measured {
  readonly events: number
  readonly lines: number
  readonly missed: number
  readonly wrong: number
  readonly seconds: readonly number[]
  /** Of the service and the database together. */
  readonly processorSeconds: readonly number[]
  readonly memoryMb: number
}

const paths = { shipped: '/data-provider/events/shipping', received: '/data-provider/events/receiving' } as const

async function measure(env: Record<string, string>, { events, planted }: DeliveryWorld): Promise<Measured> {
  const { address, firstKey: key = '', pid, end } = await startServerProcess({ ...env, WORKERS: '1' })
  const send = async (method: string, path: string, body?: object) =>
    (await ask({ address, key }, method, path, body && { body })).body
  try {
    const idOf = new Map<string, string>()
    for (const side of ['shipped', 'received'] as const) {
      const own = events.filter((event) => event.side === side)
      for (let start = 0; start < own.length; start += eventsPerCreate) {
        const batch = own.slice(start, start + eventsPerCreate)
        const { request_ids: ids } = await send('POST', paths[side], payloadOf(batch))
        for (const [i, { id }] of batch.entries()) idOf.set(ids[i], id)
        show(`${idOf.size} of ${events.length} events`)
      }
    }
    const memory = watchMemory(pid)
    const [seconds, processorSeconds]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const [at, used] = [performance.now(), processorMs()]
      await send('GET', `/traceability/differences?${month}`)
      seconds.push((performance.now() - at) / 1_000)
      processorSeconds.push((processorMs() - used) / 1_000)
    }
    const memoryMb = memory.end()
    const found: { kind: string; records: (string | undefined)[] }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof send>> = await send(
        'GET',
        `/traceability/differences?${allDates}&limit=200${cursor && `&cursor=${cursor}`}`,
      )
      for (const { kind, shipped, received } of page.content)
        found.push({
          kind,
          records: [shipped, received].flatMap((side) =>
            side === null ? [] : side.records.map(({ id }: { readonly id: string }) => idOf.get(id)),
          ),
        })
      cursor = page.nextCursor
    }
    const isOf = (one: (typeof planted)[number], other: (typeof found)[number]) =>
      one.kind === other.kind && other.records.every((id) => id !== undefined && one.records.has(id))
    return {
      events: events.length,
      lines: events.reduce((sum, { lines }) => sum + lines.length, 0),
      missed: planted.filter((one) => !found.some((other) => isOf(one, other))).length,
      wrong: found.filter((one) => !planted.some((other) => isOf(other, one))).length,
      seconds,
      processorSeconds,
      memoryMb,
    }
  } finally {
    await end('SIGTERM')
  }
}

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { lines: { type: 'string', default: String(linesDefault) } } })
  const lines = Number(values.lines)
  if (!Number.isInteger(lines) || lines < 1_000) throw new TypeError('--lines takes a whole number from 1000.')
  const world = deliveryWorld(
    Math.ceil(lines / linesOfPair),
    Array.from({ length: mismatches }, (_, i) => differenceKinds[i % differenceKinds.length] ?? 'quantity'),
    1,
  )
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-differences-'))
  const postgresql = await startPostgresqlServer()
  try {
    const machine = machineLine(postgresql.version)
    const measured = {
      PostgreSQL: await measure({ DATABASE_URL: postgresql.url }, world),
      embedded: await measure({ DATA_DIR: join(folder, 'data') }, world),
    }
    console.log(
      [
        `${new Date().toISOString().slice(0, 10)}, ${machine}; one worker. Median and worst of ${rounds}.`,
        '',
        markdownTable(
          [
            'database',
            'events',
            'lines',
            'planted',
            'missed',
            'found falsely',
            'seconds',
            'worst',
            'processor',
            'memory',
          ],
          Object.entries(measured).map(
            ([name, { events, lines, missed, wrong, seconds, processorSeconds, memoryMb }]) => [
              name,
              events.toLocaleString('en'),
              lines.toLocaleString('en'),
              String(world.planted.length),
              String(missed),
              String(wrong),
              median(seconds).toFixed(2),
              Math.max(...seconds).toFixed(2),
              `${median(processorSeconds).toFixed(2)} s`,
              `${Math.round(memoryMb)} MB`,
            ],
          ),
        ),
      ].join('\n'),
    )
  } finally {
    await postgresql.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await bench()
