// npm run bench:sharing: how long it takes until a partner sees 100,000 events that a grant opens,
// what writers notice meanwhile, and what PUTs cost a provider with 50 partners.
import { setTimeout as pause } from 'node:timers/promises'
import { described, lineCount, loadEvents, onBothDatabases, payloadOf, place, writerOf } from './loaded-events.ts'
import { show } from './progress.ts'
import type { Place } from './service-under-load.ts'
import { median, middleAndEnd } from './statistics.ts'
import { markdownTable, middleAndEndCell } from './table.ts'

const partnersBeside = 50
/** Replacements by one writer, one after another, before the grant. */
const writesBefore = 500
/** PUTs over so many connections, for so long, with and without partners. */
const connections = 16
const roundMs = 10_000
const rounds = 7

/** A partner gets the place of FROM with the lines, and is not shown how it was paid. */
const payload = (numbers: readonly number[], lot?: string) =>
  payloadOf(
    numbers,
    [place('FROM'), place('TO', { ...described, gln: '0614141000029' })],
    () => ({ methodOfPayment: 'Prepaid' }),
    { line: { tlcSourceReferenceGln: described.gln }, ...(lot && { lot }) },
  )

const partnerNamed = (name: string, locationCode: string) => ({
  name,
  places: [{ locationCode }],
  grants: [{ direction: 'shipTo' }],
})

async function measure(database: Place, events: number) {
  const loaded = await loadEvents(database, events, payload)
  const { send } = loaded
  try {
    const write = writerOf(loaded, payload)
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
      show(`${without.at(-1)?.toFixed(0)} and ${withPartners.at(-1)?.toFixed(0)} PUT/s`)
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
    show(`${seconds.toFixed(1)} s`)
    return { seconds, before: middleAndEnd(before), beside: middleAndEnd(beside), without, withPartners }
  } finally {
    await loaded.end()
  }
}

const { title, events, measured } = await onBothDatabases(measure)
console.log(
  [
    title,
    `A grant opens ${events} events of ${lineCount} product lines: from POST /partners until the account is complete. One writer replaces events one after another.`,
    `PUT/s: ${connections} connections, median of ${rounds} rounds of ${roundMs / 1_000} s in turn, with no partner and with ${partnersBeside} who have other places.`,
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
      measured.map(([name, { seconds, before, beside, without, withPartners }]) => [
        name,
        seconds.toFixed(1),
        middleAndEndCell(before),
        middleAndEndCell(beside),
        median(without).toFixed(0),
        median(withPartners).toFixed(0),
        median(without.map((rate, i) => (withPartners[i] ?? 0) / rate)).toFixed(3),
      ]),
    ),
  ].join('\n'),
)
