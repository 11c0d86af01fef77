// Builds the trace of a lot from the events with its lot code. Source: decision 0028.

import { type EarlierLot, earlierLotText } from '../contract/earlier-lot.ts'
import { ignoredDifferences } from '../contract/lots/alike-lots.ts'
import { instantOf } from '../contract/shape/date-and-time.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { type Balance, balancesOf } from './balances.ts'
import { chainsOf } from './chains.ts'
import { noteItems } from './item-notes.ts'
import { eventsOf, type FoundLine, gtinsIn, linesOfItem } from './items.ts'
import { linksOf, type Movement, placeId, sourceId, tracedLink } from './links.ts'
import type { LotEvent } from './lot-event.ts'
import type { LotQuery } from './lot-query.ts'
import type { LotTrace, TracedSource, TracedSpelling } from './lot-trace.ts'
import { Notes } from './notes.ts'
import { notePlaces } from './place-notes.ts'
import { type Places, placesOf } from './places.ts'
import { sumOf } from './quantities.ts'
import { readAlikeOf } from './read-alike.ts'
import { noteNotReceived, shippedFrom, shippedLegs, shippedLink, shippingEventsOf } from './shipped.ts'
import { noteSources } from './source-notes.ts'
import { isNamed, sourceChoice, sourcesOf, withNamesOfPlaces } from './sources.ts'
import { tracedEvents, vendorsOf } from './traced-events.ts'
import { tracedPlaces } from './traced-places.ts'
import type { UnitConversions } from './unit-conversions.ts'
import { listSome } from './wording.ts'

export interface TraceQuery extends LotQuery {
  readonly tlcSource: string | undefined
  readonly conversions: UnitConversions
  /** The dates that limit the events, in words; undefined without limits. */
  readonly period: string | undefined
  /** Why events are missing, and what to do about it; undefined when none are. */
  readonly leftOut: { readonly why: string; readonly remedy: string } | undefined
  /** True when further events have lot codes that read alike. */
  readonly moreAlike: boolean
  /** The date in UTC, `yyyy-MM-dd`: goods shipped a few days ago may be under way. */
  readonly today: string
  /** Records that had the lot code, or one that reads alike, until a correction. */
  readonly earlier: readonly EarlierLot[]
}

export type TraceEnd =
  | { readonly trace: LotTrace }
  /** No line is left; the sentence is the reason. */
  | { readonly unknownLot: string }
  | { readonly unknownSource: readonly string[] }

/**
 * Expects receiving and shipping events with lines of the lot or of one that reads alike, in any
 * order.
 */
export function* traceOf(
  query: TraceQuery,
  unordered: readonly LotEvent[],
  shipping: readonly LotEvent[] = [],
): Steps<TraceEnd> {
  const events = inOrder(unordered)
  yield
  const notes = new Notes()
  const shippedEvents = inOrder(shipping)
  const alike = yield* readAlikeOf(events, shippedEvents, query.moreAlike, notes)
  const wanted = yield* wantedLines(query, { events, shipping: shippedEvents }, alike.count, notes)
  if (!('kept' in wanted)) return wanted
  const { kept, shipped, allSources, chosen, places } = wanted
  const keptEvents = eventsOf(kept)
  const movements = yield* mapInSteps(
    kept,
    (found): Movement => ({
      ...found,
      from: places.of(found.event, 'shipFrom'),
      to: places.of(found.event, 'shipTo'),
    }),
  )
  const balances = balancesOf(movements)
  yield
  const links = linksOf(movements)
  yield
  const { chains, truncated } = chainsOf(links)
  yield
  const legs = shippedLegs(shipped, places, links, query)

  const { form, lotCode } = query.reading
  const spellings = spellingsOf(movements)
  noteReach(query, spellings, movements, notes)
  yield
  yield* noteSources({ lotCode, all: allSources, chosen, movements, balances, places: places.list }, notes)
  yield* noteItems(movements, balances, { sources: allSources, placeNames: places.list.map(({ name }) => name) }, notes)
  yield* notePlaces({ places, balances, links, sources: allSources, conversions: query.conversions }, notes)
  noteNotReceived(legs, places, notes)
  const shownPlaces = yield* tracedPlaces(places, balances, links, new Set(legs.map(({ to }) => to)))
  const shownEvents = yield* tracedEvents(movements)

  const sources = chosen.flatMap((number) => allSources[number] ?? [])
  return {
    trace: {
      lotCode,
      reading: { form, ...(query.gtin !== undefined && { gtin: query.gtin }), spellings },
      totals: {
        events: keptEvents.length,
        lines: movements.length,
        places: places.list.length,
        sources: sources.filter(({ known }) => known).length,
        sourcesOfCode: allSources.filter(({ known }) => known).length,
        moved: sumOf(links.map(({ quantities }) => quantities)),
        ...endsOf(balances),
      },
      notes: notes.list,
      noteCount: notes.count,
      sources,
      places: shownPlaces,
      vendors: vendorsOf(keptEvents),
      links: links.map(tracedLink),
      chains: chains.map(({ source, places: way }) => ({ source: sourceId(source), places: way.map(placeId) })),
      chainsTruncated: truncated,
      events: shownEvents,
      shippedLinks: legs.map(shippedLink),
      shippingEvents: shippingEventsOf(shipped, places),
      readAlike: [...alike.lines],
      readAlikeCount: alike.count,
      readAlikeIgnores: [...ignoredDifferences],
    },
  }
}

interface WantedLines {
  readonly kept: readonly (FoundLine & { readonly source: number })[]
  readonly shipped: readonly FoundLine[]
  /** Also those that the query does not name. */
  readonly allSources: readonly TracedSource[]
  /** Indexes into `allSources`. */
  readonly chosen: readonly number[]
  /** Of the lines that are kept. */
  readonly places: Places
}

/** The lines of the item and the sources that the query names, or why there are none. */
function* wantedLines(
  query: TraceQuery,
  { events, shipping }: { readonly events: readonly LotEvent[]; readonly shipping: readonly LotEvent[] },
  alikeCount: number,
  notes: Notes,
): Steps<WantedLines | Exclude<TraceEnd, { readonly trace: LotTrace }>> {
  const ofItem = yield* linesOfItem(query, events, notes, { saysMore: alikeCount > 0 })
  // Notes about items are about receipts only.
  const allShipped = yield* linesOfItem(query, shipping, new Notes(), { saysMore: false })
  const sourcesOfLines = yield* sourcesOf(ofItem.map(({ event, line }) => ({ line: line.line, eventId: event.id })))
  yield
  const allPlaces = yield* placesOf([...eventsOf(ofItem), ...eventsOf(allShipped)])
  const allSources = yield* withNamesOfPlaces(sourcesOfLines.list, allPlaces.list)
  const chosen = allSources.flatMap((source, number) =>
    query.tlcSource === undefined || isNamed(source, query.tlcSource) ? [number] : [],
  )
  const isChosen = new Set(chosen)
  const kept = ofItem.flatMap((found, i) => {
    const number = sourcesOfLines.ofLines[i] ?? 0
    return isChosen.has(number) ? [{ ...found, source: number }] : []
  })
  yield
  const shipped = yield* shippedFrom(query.tlcSource, allShipped, kept, allPlaces.list)
  if (chosen.length === 0 && ofItem.length > 0 && shipped.length === 0)
    return { unknownSource: allSources.map(sourceChoice) }
  if (kept.length === 0 && alikeCount === 0 && shipped.length === 0)
    return { unknownLot: yield* unknownLotWords(events) }
  const isWhole = kept.length === ofItem.length && shipped.length === allShipped.length
  const places = isWhole ? allPlaces : yield* placesOf([...eventsOf(kept), ...eventsOf(shipped)])
  return { kept, shipped, allSources, chosen, places }
}

function* unknownLotWords(events: readonly LotEvent[]): Steps<string> {
  if (events.every(({ lines }) => lines.length === 0)) return 'No receiving or shipping event has this lot code.'
  return `Only lines of other items have it: ${listSome(yield* gtinsIn(events))}.`
}

/** What came from places that received nothing, and what stayed at places that sent nothing on. */
const endsOf = (balances: readonly Balance[]): Pick<LotTrace['totals'], 'entered' | 'remained'> => ({
  entered: sumOf(
    balances.filter(({ received }) => received.events.length === 0).map(({ sentOn }) => sentOn.quantities),
  ),
  remained: sumOf(
    balances.filter(({ sentOn }) => sentOn.events.length === 0).map(({ received }) => received.quantities),
  ),
})

const inOrder = (events: readonly LotEvent[]): readonly LotEvent[] =>
  events
    .map((event) => ({ event, instant: instantOf(event.event.eventDateTime) }))
    .sort((a, b) => a.instant - b.instant || (a.event.id < b.event.id ? -1 : 1))
    .map(({ event }) => event)

const spellingsOf = (movements: readonly Movement[]): TracedSpelling[] =>
  [...groupsOf(movements, ({ line }) => line.line.caseLotNumber ?? '')].map(([lotCode, own]) => ({
    lotCode,
    lines: own.length,
  }))

/** The lines that the trace leaves out, and the texts by which it was found. */
function noteReach(
  { leftOut, period, earlier }: TraceQuery,
  spellings: readonly TracedSpelling[],
  movements: readonly Movement[],
  notes: Notes,
): void {
  if (leftOut !== undefined)
    notes.add('truncated', {
      message: `${leftOut.why} Quantities and first and last places here cover these events only.`,
      remedy: leftOut.remedy,
    })
  if (period !== undefined)
    notes.add('narrowed', {
      message: `This trace covers only events received ${period}. A place may have received the lot or sent it on at another time.`,
      remedy: 'Leave out eventStartDate and eventEndDate to see all events.',
    })
  if (earlier.length > 0)
    notes.add('earlierLots', {
      message: `${pluralize(new Set(earlier.map(({ id }) => id)).size, 'record')} had such a lot code until a correction or a void: ${listSome(earlier.map(earlierLotText))}. They are not in this trace.`,
      remedy:
        'If the correction or the void was wrong, replace the record again. Otherwise trace the lot code that it has now.',
      events: earlier,
    })
  const near = movements.filter(({ event }) => event.nearCodes.length > 0).map(({ event }) => event)
  if (near.length > 0)
    notes.add('nearCodes', {
      message: `The same events have lines with lot codes that match when letters are read as digits (O as 0, I and L as 1): ${listSome([...new Set(near.flatMap(({ nearCodes }) => nearCodes))])}. They are not in this trace.`,
      remedy: 'If a code is mistyped, correct it in its event. Until then, trace that code too.',
      events: near,
    })
  if (spellings.length > 1)
    notes.add('spellings', {
      message: `The lot code is stored in ${spellings.length} spellings: ${listSome(spellings.map(({ lotCode, lines }) => `${lotCode} on ${pluralize(lines, 'line')}`))}.`,
      remedy: 'Send the same lot code in every event: as printed on the case label, without the GTIN.',
      events: movements.map(({ event }) => event),
    })
}
