// npm run bench:recounts: how long it takes until 100,000 events are counted again after one
// location changed, and what writers notice.
import { setTimeout as pause } from 'node:timers/promises'
import { described, lineCount, loadEvents, onBothDatabases, payloadOf, place, writerOf } from './loaded-events.ts'
import { show } from './progress.ts'
import type { Place } from './service-under-load.ts'
import { middleAndEnd } from './statistics.ts'
import { markdownTable, middleAndEndCell } from './table.ts'

/** Replacements by one writer, one after another, before and beside the recount. */
const writesBefore = 300

/** Events that lack one thing alone: the address of the place they come from. */
const payload = (numbers: readonly number[], lot?: string) =>
  payloadOf(
    numbers,
    [place('FROM', { gln: described.gln }), place('TO', { ...described, gln: '0614141000029' })],
    undefined,
    { ...(lot && { lot }) },
  )

async function measure(database: Place, events: number) {
  const loaded = await loadEvents(database, events, payload)
  const { send } = loaded
  try {
    const counts = (lastDate: string) =>
      send('GET', `/traceability/completeness?eventStartDate=2025-01-01&eventEndDate=${lastDate}`)
    // Of one day: counting 100,000 events takes the embedded database 1.5 s, and the recount would
    // wait for the question.
    const recounting = async () => (await counts('2025-01-01')).recounting !== null
    const write = writerOf(loaded, payload)
    const before: number[] = []
    while (before.length < writesBefore) before.push(await write())
    await pause(2_000)

    const { content } = await send('GET', '/data-provider/locations?locationCode=FROM')
    const beganAt = performance.now()
    await send('PUT', `/data-provider/locations/${content[0].id}`, {
      locationMasterList: { ...place('FROM'), dataProviderVendorId: 'V-1001' },
    })
    const beside: number[] = []
    while (await recounting()) for (let n = 0; n < 5; n++) beside.push(await write())
    const seconds = (performance.now() - beganAt) / 1_000
    const { total } = await counts('2025-12-31')
    if (total.events !== events || total.eventsWithGaps !== 0) throw new Error(`Counted were ${JSON.stringify(total)}.`)
    show(`${seconds.toFixed(1)} s`)
    return { seconds, before: middleAndEnd(before), beside: middleAndEnd(beside) }
  } finally {
    await loaded.end()
  }
}

const { title, events, measured } = await onBothDatabases(measure)
console.log(
  [
    title,
    `${events} events of ${lineCount} product lines that one location touches; from its PUT until the counts say that they are up to date. One writer replaces events one after another.`,
    '',
    markdownTable(
      ['database', 'seconds', 'PUT before, p50 / p99', 'PUT beside, p50 / p99'],
      measured.map(([name, { seconds, before, beside }]) => [
        name,
        seconds.toFixed(1),
        middleAndEndCell(before),
        middleAndEndCell(beside),
      ]),
    ),
  ].join('\n'),
)
