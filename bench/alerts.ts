// npm run bench:alerts: how long a look for alerts takes at 100,000 events of a month and 200
// vendors, when nothing new was stored, and when all records are old enough to be purged and held.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import { openDatabase } from '../src/store/database.ts'
import { lookAt } from '../test/support/alert-looks.ts'
import { startPostgresqlServer } from '../test/support/postgresql-server.ts'
import { startServerProcess } from '../test/support/server-process.ts'
import { machineLine } from './machine.ts'
import { show } from './progress.ts'
import { eventsPath, type Place } from './service-under-load.ts'
import { median } from './statistics.ts'
import { markdownTable, milliseconds } from './table.ts'

const eventsDefault = 100_000
const eventsPerCreate = 500
const lineCount = 5
const vendorCount = 200
const days = 30
const rounds = 5
/** Records are purged after two years. */
const laterMs = 3 * 366 * 86_400_000

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const described = {
  address: { streetAddress1: '1200 Harvest Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' },
  phoneNumber: '+1.831.555.0100',
}
const places = [
  { locationCode: 'FROM', locationName: 'Green Valley', gln: '0614141000012', ...described },
  { locationCode: 'TO', locationName: 'Distribution centre', gln: '0614141000029', ...described },
  { locationCode: 'BARE', locationName: 'Green Valley, yard', gln: '0614141000036' },
]

/** Events of the last days of all vendors in turn; every tenth comes from a place without address. */
function payload(numbers: readonly number[], events: number) {
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
    locationMasterList: places,
    eventList: numbers.map((number) => ({
      dataProviderVendorId: `V-${number % vendorCount}`,
      purchaseOrderNumber: `PO-${number}`,
      eventDateTime: `${new Date(Date.now() - ((number + 1) / events) * days * 86_400_000).toISOString().slice(0, 19)}Z`,
      shipFromLocationCode: number % 10 === 0 ? 'BARE' : 'FROM',
      shipToLocationCode: 'TO',
      productList: Array.from({ length: lineCount }, (_, line) => ({
        vendorItemCode: 'ROM-24',
        shipQuantity: 40,
        shipQuantityUom: 'case',
        caseLotNumber: `LOT-${number}-${line}`,
        tlcSourceReferenceFfrn: '14532865782',
      })),
    })),
  }
}

/** Stores the events, a target for each vendor, and a legal hold on everything. */
async function load(place: Place, events: number): Promise<void> {
  const { address, firstKey: key, end } = await startServerProcess({ ...place, WORKERS: '1' })
  const post = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(address + path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok)
      throw new Error(`${path} was answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
  }
  try {
    for (let start = 0; start < events; start += eventsPerCreate) {
      const numbers = Array.from({ length: Math.min(eventsPerCreate, events - start) }, (_, n) => start + n)
      await post('POST', eventsPath, payload(numbers, events))
      show(`${start + numbers.length} of ${events} events`)
    }
    const targets = Array.from({ length: vendorCount }, (_, n) => ({
      dataProviderVendorId: `V-${n}`,
      completeShare: 0.95,
      silentDays: 14,
    }))
    await post('PUT', '/vendor-targets', { targets })
    const eventStartDate = dateOf(Date.now() - 2 * days * 86_400_000)
    await post('POST', '/legal-holds', { reason: 'Benchmark', eventStartDate })
  } finally {
    await end('SIGTERM')
  }
}

const looksOf = async (pool: Pool): Promise<number> =>
  (await pool.query<{ fence: number }>('SELECT fence FROM alert_look')).rows[0]?.fence ?? 0

type Looks = Record<'everything' | 'nothingNew' | 'old', number>

/** Medians of some looks of each kind, in milliseconds. */
async function measure(pool: Pool): Promise<Looks> {
  const { rows } = await pool.query<{ provider: string }>('SELECT provider_id AS provider FROM provider')
  const provider = rows[0]?.provider ?? ''
  const timed = async (forgotten: 'seen' | 'retention_seen' | undefined, now = new Date()): Promise<number> => {
    const took: number[] = []
    // The first one begins and ends alerts. The service may have ended in the middle of a look.
    await pool.query('UPDATE alert_look SET until = NULL')
    await lookAt(pool, provider, {}, now)
    const before = await looksOf(pool)
    for (let round = 0; round < rounds; round++) {
      if (forgotten !== undefined) await pool.query(`UPDATE alert_look SET ${forgotten} = NULL`)
      const beganAt = performance.now()
      await lookAt(pool, provider, {}, now)
      took.push(performance.now() - beganAt)
    }
    if ((await looksOf(pool)) !== before + rounds) throw new Error('Some of the looks did not take place.')
    return median(took)
  }
  return {
    everything: await timed('seen'),
    nothingNew: await timed(undefined),
    old: await timed('retention_seen', new Date(Date.now() + laterMs)),
  }
}

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(eventsDefault) } } })
  const events = Number(values.events)
  if (!Number.isInteger(events) || events < 1) throw new TypeError('--events takes a whole number from 1.')
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-alerts-'))
  const postgresql = await startPostgresqlServer()
  try {
    const machine = machineLine(postgresql.version)
    const measured: [name: string, looks: Looks][] = []
    for (const [name, place] of [
      ['PostgreSQL', { DATABASE_URL: postgresql.url }],
      ['embedded', { DATA_DIR: join(folder, 'data') }],
    ] as const) {
      await load(place, events)
      const opened = await openDatabase({
        databaseUrl: 'DATABASE_URL' in place ? place.DATABASE_URL : undefined,
        dataDir: 'DATA_DIR' in place ? place.DATA_DIR : '',
      })
      if ('heldBy' in opened) throw new Error(opened.heldBy)
      measured.push([name, await measure(opened.pool)])
      await opened.close()
    }
    console.log(
      [
        `${dateOf(Date.now())}, ${machine}; one process.`,
        `${events} events of ${lineCount} product lines and ${days} days, ${vendorCount} vendors with targets; medians of ${rounds} looks.`,
        '',
        markdownTable(
          ['database', 'look at everything', 'nothing new', 'records of three years ago, all held'],
          measured.map(([name, { everything, nothingNew, old }]) => [
            name,
            ...[everything, nothingNew, old].map(milliseconds),
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
