// From the events that carry a lot code to what they say together. Source: decision 0028.
import { instantOf } from '../../contract/date-and-time.ts'
import { type EarlierLot, earlierLotText } from '../../contract/earlier-lot.ts'
import type { LotTrace, TracedSpelling } from '../../contract/lot-trace.ts'
import { balancesOf } from './balances.ts'
import { chainsOf } from './chains.ts'
import { groupsOf } from './groups.ts'
import { noteItems } from './item-notes.ts'
import { eventsOf, gtinsIn, linesOfItem } from './items.ts'
import { linksOf, type Movement, placeId, sourceId, tracedLink } from './links.ts'
import type { LotAsk } from './lot-ask.ts'
import type { LotEvent } from './lot-event.ts'
import { Notes } from './notes.ts'
import { notePlaces } from './place-notes.ts'
import { placesOf } from './places.ts'
import { summed } from './quantities.ts'
import { readAlikeOf } from './read-alike.ts'
import { noteSources } from './source-notes.ts'
import { isNamed, sourceChoice, sourcesOf, withNamesOfPlaces } from './sources.ts'
import { counted, named } from './spoken.ts'
import { tracedEvents, vendorsOf } from './traced-events.ts'
import { tracedPlaces } from './traced-places.ts'

export interface TraceAsk extends LotAsk {
  readonly tlcSource: string | undefined
  /** The dates events were narrowed to, as a sentence has them; undefined when all were looked for. */
  readonly period: string | undefined
  /** Why there are more events than these, as a sentence; undefined when these are all. */
  readonly leftOut: string | undefined
  /** True when more events than these have lot codes that read alike. */
  readonly moreAlike: boolean
  /** Records that had the lot code, or one that reads alike, until a correction. */
  readonly earlier: readonly EarlierLot[]
}

export type TraceEnd =
  | { readonly trace: LotTrace }
  /** No line is left; the sentence says why. */
  | { readonly unknownLot: string }
  | { readonly unknownSource: readonly string[] }

/** Expects events whose lines are of the lot or read alike; their order does not matter. */
export function traceOf(ask: TraceAsk, unordered: readonly LotEvent[]): TraceEnd {
  const events = [...unordered].sort(
    (a, b) => instantOf(a.event.eventDateTime) - instantOf(b.event.eventDateTime) || (a.id < b.id ? -1 : 1),
  )
  const notes = new Notes()
  const alike = readAlikeOf(events, ask.moreAlike, notes)
  const ofItem = linesOfItem(ask, events, notes, alike.count > 0)
  if (ofItem.length === 0 && alike.count === 0)
    return {
      unknownLot: events.every(({ lines }) => lines.length === 0)
        ? 'No product line carries it.'
        : `It is on lines of other items only: ${named(gtinsIn(events))}.`,
    }
  const said = sourcesOf(ofItem.map(({ event, line }) => ({ line: line.line, eventId: event.id })))
  const allSources = withNamesOfPlaces(said.list, placesOf(eventsOf(ofItem)).list)
  const chosen = allSources.flatMap((source, number) =>
    ask.tlcSource === undefined || isNamed(source, ask.tlcSource) ? [number] : [],
  )
  if (chosen.length === 0 && ofItem.length > 0) return { unknownSource: allSources.map(sourceChoice) }

  const isChosen = new Set(chosen)
  const kept = ofItem.flatMap((found, i) => {
    const number = said.ofLines[i] ?? 0
    return isChosen.has(number) ? [{ ...found, source: number }] : []
  })
  const keptEvents = eventsOf(kept)
  const places = placesOf(keptEvents)
  const movements = kept.map(
    (found): Movement => ({
      ...found,
      from: places.of(found.event, 'shipFrom'),
      to: places.of(found.event, 'shipTo'),
    }),
  )
  const balances = balancesOf(movements)
  const links = linksOf(movements)
  const { chains, truncated } = chainsOf(links)

  const { form, lotCode } = ask.reading
  const spellings = spellingsOf(movements)
  noteReach(ask, spellings, movements, notes)
  noteSources({ lotCode, all: allSources, chosen, movements, balances, places: places.list }, notes)
  noteItems(
    movements,
    balances,
    allSources,
    places.list.map(({ name }) => name),
    notes,
  )
  notePlaces({ places, balances, links, sources: allSources }, notes)

  const sources = chosen.flatMap((number) => allSources[number] ?? [])
  return {
    trace: {
      lotCode,
      reading: { form, ...(ask.gtin !== undefined && { gtin: ask.gtin }), spellings },
      totals: {
        events: keptEvents.length,
        lines: movements.length,
        places: places.list.length,
        sources: sources.filter(({ known }) => known).length,
        sourcesOfCode: allSources.filter(({ known }) => known).length,
        moved: summed(links.map(({ quantities }) => quantities)),
        entered: summed(
          balances.filter(({ received }) => received.events.length === 0).map(({ sentOn }) => sentOn.quantities),
        ),
        remained: summed(
          balances.filter(({ sentOn }) => sentOn.events.length === 0).map(({ received }) => received.quantities),
        ),
      },
      notes: notes.list,
      noteCount: notes.count,
      sources,
      places: tracedPlaces(places, balances, links),
      vendors: vendorsOf(keptEvents),
      links: links.map(tracedLink),
      chains: chains.map(({ source, places: way }) => ({ source: sourceId(source), places: way.map(placeId) })),
      chainsTruncated: truncated,
      events: tracedEvents(movements),
      readAlike: [...alike.lines],
      readAlikeCount: alike.count,
    },
  }
}

const spellingsOf = (movements: readonly Movement[]): TracedSpelling[] =>
  [...groupsOf(movements, ({ line }) => line.line.caseLotNumber ?? '')].map(([lotCode, own]) => ({
    lotCode,
    lines: own.length,
  }))

/** What the trace does not reach, and by which texts it was found. */
function noteReach(
  { leftOut, period, earlier }: TraceAsk,
  spellings: readonly TracedSpelling[],
  movements: readonly Movement[],
  notes: Notes,
): void {
  if (leftOut !== undefined)
    notes.add('truncated', {
      message: `${leftOut} What is said here of quantities, first and last places holds for these only.`,
      remedy: 'Narrow the events by eventStartDate and eventEndDate, and trace period by period.',
    })
  if (period !== undefined)
    notes.add('narrowed', {
      message: `Only events received ${period} are here; a place may have received or sent on the lot at another time.`,
      remedy: 'Leave out eventStartDate and eventEndDate to see all.',
    })
  if (earlier.length > 0)
    notes.add('earlierLots', {
      message: `${counted(earlier.length, 'record')} had such a lot code until a correction: ${named(earlier.map(earlierLotText))}. They are not in this trace.`,
      remedy: 'If the correction was wrong, replace the record again; else trace the lot code it has now.',
      events: earlier,
    })
  const near = movements.filter(({ event }) => event.nearCodes.length > 0).map(({ event }) => event)
  if (near.length > 0)
    notes.add('nearCodes', {
      message: `The same events have lines of lot codes that are the same when letters are taken for digits (O for 0, I and L for 1): ${named([...new Set(near.flatMap(({ nearCodes }) => nearCodes))])}. They are not in this trace.`,
      remedy: 'If a code is mistyped, correct it in its event; trace it too.',
      events: near,
    })
  if (spellings.length > 1)
    notes.add('spellings', {
      message: `The lot is stored under ${spellings.length} texts: ${named(spellings.map(({ lotCode, lines }) => `${lotCode} on ${counted(lines, 'line')}`))}.`,
      remedy: 'Send the same lot code at every event: as it stands on the case label, without the GTIN.',
      events: movements.map(({ event }) => event),
    })
}
