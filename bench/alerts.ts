// npm run bench:alerts: how long a look for alerts takes at 100,000 events of a month and 200
// vendors, when nothing new was stored, and when all records are old enough to be purged and held.
import type { Pool } from 'pg'
import { openDatabase } from '../src/store/database/database.ts'
import { lookAt } from '../test/support/records/alert-looks.ts'
import { described, lineCount, loadEvents, onBothDatabases, payloadOf, place } from './loaded-events.ts'
import type { Place } from './service-under-load.ts'
import { median } from './statistics.ts'
import { markdownTable, milliseconds } from './table.ts'

const vendorCount = 200
const days = 30
const rounds = 5
/** Records are purged after two years. */
const laterMs = 3 * 366 * 86_400_000

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const places = [
  place('FROM'),
  place('TO', { ...described, gln: '0614141000029' }),
  place('BARE', { gln: '0614141000036' }),
]

/** Stores the events, a target for each vendor, and a legal hold on everything. */
async function load(database: Place, events: number): Promise<void> {
  // Of the last days, of all vendors in turn; every tenth comes from a place without address.
  const { send, end } = await loadEvents(database, events, (numbers) =>
    payloadOf(numbers, places, (number) => ({
      dataProviderVendorId: `V-${number % vendorCount}`,
      eventDateTime: `${new Date(Date.now() - ((number + 1) / events) * days * 86_400_000).toISOString().slice(0, 19)}Z`,
      ...(number % 10 === 0 && { shipFromLocationCode: 'BARE' }),
    })),
  )
  try {
    const targets = Array.from({ length: vendorCount }, (_, n) => ({
      dataProviderVendorId: `V-${n}`,
      completeShare: 0.95,
      silentDays: 14,
    }))
    await send('PUT', '/vendor-targets', { targets })
    const eventStartDate = dateOf(Date.now() - 2 * days * 86_400_000)
    await send('POST', '/legal-holds', { reason: 'Benchmark', eventStartDate })
  } finally {
    await end()
  }
}

const looksOf = async (pool: Pool): Promise<number> =>
  (await pool.query<{ fence: number }>('SELECT fence FROM alert_look')).rows[0]?.fence ?? 0

type Looks = Record<'everything' | 'nothingNew' | 'old', number>

/** Medians of some looks of each kind, in milliseconds. */
async function timeLooks(pool: Pool): Promise<Looks> {
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

async function measure(database: Place, events: number): Promise<Looks> {
  await load(database, events)
  const opened = await openDatabase({
    databaseUrl: 'DATABASE_URL' in database ? database.DATABASE_URL : undefined,
    dataDir: 'DATA_DIR' in database ? database.DATA_DIR : '',
  })
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  try {
    return await timeLooks(opened.pool)
  } finally {
    await opened.close()
  }
}

const { title, events, measured } = await onBothDatabases(measure)
console.log(
  [
    title,
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
