// What benchmarks of many stored events share: small events between two places, how they are
// loaded into both databases, and a writer who replaces them one after another.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { ask } from './listeners.ts'
import { machineLine } from './machine.ts'
import { show } from './progress.ts'
import { eventsPath, type Place } from './service-under-load.ts'

const eventsDefault = 100_000
const eventsPerCreate = 500
export const lineCount = 5

/** What a location needs beside its code and name. */
export const described = {
  gln: '0614141000012',
  address: { streetAddress1: '1200 Harvest Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' },
  phoneNumber: '+1.831.555.0100',
}

export const place = (locationCode: string, fields: object = described) => ({
  locationCode,
  locationName: `Place ${locationCode}`,
  ...fields,
})

const product = {
  itemCode: 'ROM-24',
  itemDescription: 'Romaine hearts 24 ct',
  isFtlItem: true,
  ftlCategory: 'leafy greens',
  packStyle: 'carton',
  packSize: '24 x 10 oz',
  productCommodity: 'Romaine lettuce',
}

/** Where the lots were assigned: no place that events name. */
const source = { tlcSourceReferenceFfrn: '14532865782' }

/**
 * A create of these events, or a replacement of one. They are a minute apart, from FROM to TO;
 * `fields` says what is different.
 */
export function payloadOf(
  numbers: readonly number[],
  places: readonly object[],
  fields: (number: number) => object = () => ({}),
  { lot = 'LOT', line = source }: { readonly lot?: string; readonly line?: object } = {},
) {
  const events = numbers.map((number) => ({
    dataProviderVendorId: 'V-1001',
    purchaseOrderNumber: `PO-${number}`,
    eventDateTime: new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString().replace('.000Z', 'Z'),
    shipFromLocationCode: 'FROM',
    shipToLocationCode: 'TO',
    productList: Array.from({ length: lineCount }, (_, n) => ({
      vendorItemCode: product.itemCode,
      shipQuantity: 40,
      shipQuantityUom: 'case',
      caseLotNumber: `${lot}-${number}-${n}`,
      ...line,
    })),
    ...fields(number),
  }))
  return {
    productMasterDataList: [product],
    locationMasterList: places,
    eventList: events.length === 1 ? events[0] : events,
  }
}

/** A service with events in it. */
export interface Loaded {
  /** Sends a request with the key of an administrator; the body of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: what a benchmark reads of an answer, it knows.
  readonly send: (method: string, path: string, body?: object) => Promise<any>
  readonly ids: readonly string[]
  readonly end: () => Promise<unknown>
}

/** Starts one process on an empty database and stores events in it. */
export async function loadEvents(
  database: Place,
  events: number,
  payload: (numbers: readonly number[]) => object,
): Promise<Loaded> {
  const { address, firstKey: key = '', end } = await startServerProcess({ ...database, WORKERS: '1' })
  const send: Loaded['send'] = async (method, path, body) =>
    (await ask({ address, key }, method, path, body && { body })).body
  const ids: string[] = []
  while (ids.length < events) {
    const numbers = Array.from({ length: Math.min(eventsPerCreate, events - ids.length) }, (_, n) => ids.length + n)
    ids.push(...(await send('POST', eventsPath, payload(numbers))).request_ids)
    show(`${ids.length} of ${events} events`)
  }
  return { send, ids, end: () => end('SIGTERM') }
}

/** A writer who replaces one event after another with new lots; resolves to the time it took. */
export function writerOf(
  { send, ids }: Loaded,
  payload: (numbers: readonly number[], lot: string) => object,
): () => Promise<number> {
  let round = 0
  return async () => {
    const number = (++round * 7) % ids.length
    const at = performance.now()
    await send('PUT', `${eventsPath}/${ids[number]}`, payload([number], `LOT${round}`))
    return performance.now() - at
  }
}

/** Measures on PostgreSQL and then on the embedded database, with `--events` events. */
export async function onBothDatabases<Measured>(
  measure: (database: Place, events: number) => Promise<Measured>,
): Promise<{ readonly title: string; readonly events: number; readonly measured: readonly [string, Measured][] }> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(eventsDefault) } } })
  const events = Number(values.events)
  if (!Number.isInteger(events) || events < 1) throw new TypeError('--events takes a whole number from 1.')
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-bench-'))
  const postgresql = await startPostgresqlServer()
  try {
    const title = `${new Date().toISOString().slice(0, 10)}, ${machineLine(postgresql.version)}; one process.`
    const measured: [string, Measured][] = [
      ['PostgreSQL', await measure({ DATABASE_URL: postgresql.url }, events)],
      ['embedded', await measure({ DATA_DIR: join(folder, 'data') }, events)],
    ]
    return { title, events, measured }
  } finally {
    await postgresql.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
