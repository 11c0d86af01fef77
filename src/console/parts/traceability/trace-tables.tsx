// A trace as tables and lists: everything in its drawing is also here.
import { Fragment } from 'preact'
import { arrivals } from '../../../contract/arrivals.ts'
import { ignoredText } from '../../../contract/lots/alike-lots.ts'
import { type RecordKind, receivingEvent, shippingEvent } from '../../../contract/record-kinds.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { datesText } from '../../../drawing/figure.ts'
import type { LotTrace } from '../../../tracing/lot-trace.ts'
import type { Column } from '../../records/drawn-column.ts'
import { queryOf } from '../../records/filters.ts'
import { identifierOfSource, traceAdvice } from '../../records/note-ways.ts'
import { anchorOf } from '../../records/pointers.ts'
import { sectionOf } from '../../records/record-sections.ts'
import {
  allEvents,
  amounts,
  type EventChoice,
  eventsOfLeg,
  eventsOfPlace,
  placeAnchor,
} from '../../records/trace-choice.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMay } from '../../state/frame/session.ts'
import { dateTimeWords } from '../../words/labels.ts'
import { screenText } from '../../words/screen-words.ts'
import { TextList } from '../records/text-list.tsx'
import { DataTable } from '../tables/data-table.tsx'
import { NoteWays } from './chain-notes.tsx'

interface Props {
  readonly trace: LotTrace
}

const eventHref = (id: string, pointer = '', kind: RecordKind = receivingEvent): string =>
  hrefTo(`${sectionOf(kind).path}/${id}${pointer && `#${encodeURIComponent(anchorOf(pointer))}`}`)

type Source = LotTrace['sources'][number]

const identifierText = (source: Source): string => identifierOfSource(source).filter(Boolean).join(' ')

const nameOfSource = (source: Source): string => {
  if (source.known) return source.names[0] ?? (identifierText(source) || (source.addresses[0] ?? 'no name'))
  return source.gtins[0] === undefined ? 'unknown source' : `unknown source of GTIN ${source.gtins[0]}`
}

interface SourcesProps extends Props {
  readonly tlcSource: string | undefined
  readonly hrefOf: (source: string | undefined) => string
}

/** A lot code is unique only within its source: with several, the reader has to choose. */
export function TraceSources({ trace: { sources, totals }, tlcSource, hrefOf }: SourcesProps) {
  const shared = totals.sourcesOfCode > 1
  return (
    <section>
      <div class="section-head">
        <h2>{shared ? `${pluralize(totals.sourcesOfCode, 'source')} use this lot code` : 'Lot code source'}</h2>
      </div>
      {shared && (
        <p class="quiet">
          A lot code is unique only within its source.{' '}
          {tlcSource === undefined ? (
            'All sources are shown. Choose the one you mean.'
          ) : (
            <a href={hrefTo(hrefOf(undefined))}>Show all sources</a>
          )}
        </p>
      )}
      <ul class="trace-sources">
        {sources.map((source) => (
          <li key={source.id}>
            {shared && tlcSource === undefined && identifierOfSource(source)[1] !== '' ? (
              <a href={hrefTo(hrefOf(identifierOfSource(source)[1]))} dir="auto">
                {nameOfSource(source)}
              </a>
            ) : (
              <strong dir="auto">{nameOfSource(source)}</strong>
            )}{' '}
            <span class="quiet">
              {identifierText(source) !== '' &&
                identifierText(source) !== nameOfSource(source) &&
                `${identifierText(source)} · `}
              {pluralize(source.lines, 'line')} in {pluralize(source.events, 'event')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type AlikeLine = LotTrace['readAlike'][number]
type TracedLine = Pick<AlikeLine, 'itemDescription' | 'vendorItemCode' | 'shipQuantity' | 'shipQuantityUom'>

const item = ({ itemDescription, vendorItemCode }: TracedLine) => <bdi>{itemDescription ?? vendorItemCode}</bdi>

const quantity = ({ shipQuantity, shipQuantityUom }: TracedLine): string =>
  `${shipQuantity.toLocaleString('en')} ${shipQuantityUom}`

const alikeColumns: readonly Column<AlikeLine>[] = [
  {
    heading: 'Lot code',
    cell: ({ lotCode }) => (
      <a class="mono" dir="auto" href={hrefTo(`/trace${queryOf({ lotCode })}`)}>
        {lotCode}
      </a>
    ),
  },
  {
    heading: 'Date',
    cell: ({ id, pointer, record, eventDateTime }) => (
      <>
        <a href={eventHref(id, pointer, record === 'shippingEvent' ? shippingEvent : receivingEvent)}>
          {dateTimeWords(eventDateTime)}
        </a>
        {record === 'shippingEvent' && ' (shipped)'}
      </>
    ),
  },
  { heading: 'Vendor', cell: (line) => <bdi>{line.dataProviderVendorName ?? line.dataProviderVendorId}</bdi> },
  { heading: 'From', cell: ({ shipFromLocationCode }) => <bdi>{shipFromLocationCode}</bdi> },
  { heading: 'To', cell: ({ shipToLocationCode }) => <bdi>{shipToLocationCode}</bdi> },
  { heading: 'Item', cell: item },
  { heading: 'Quantity', cell: quantity },
  { heading: 'Source', cell: ({ source }) => <bdi>{source}</bdi> },
]

/** Lines that may be of the lot: apart from all others, and each with a way to trace it. */
export function TraceReadAlike({ trace: { readAlike, readAlikeCount } }: Props) {
  if (readAlike.length === 0) return null
  return (
    <section>
      <div class="section-head">
        <h2>Lot codes that read alike</h2>{' '}
        <span class="quiet">
          {pluralize(readAlikeCount, 'line')}
          {readAlikeCount > readAlike.length && `; the first ${readAlike.length} are shown`}
        </span>
      </div>
      <p class="quiet">
        The figures above do not count these lines. Ask the sender whether they belong to the lot. These differences
        were ignored: {ignoredText}.
      </p>
      <DataTable
        isWide
        label="Lot codes that read alike"
        columns={alikeColumns}
        rows={readAlike}
        keyOf={({ id, pointer }) => id + pointer}
      />
    </section>
  )
}

interface NotesProps extends Props {
  /** The address of this trace with other values of its query. */
  readonly pathWith: (values: Readonly<Record<string, string>>) => string
}

export function TraceNotes({ trace, pathWith }: NotesProps) {
  const { notes, noteCount, places, shippingEvents } = trace
  const mayWrite = useMay('writer')
  if (notes.length === 0)
    return (
      <p class="quiet">
        The records leave no questions open: every place received what it sent on, and every source is described.
      </p>
    )
  const nameOf = new Map(places.map(({ id, name }) => [id, name]))
  const shipped = new Set(shippingEvents.map(({ id }) => id))
  return (
    <section>
      <div class="section-head">
        <h2>Open questions</h2> <span class="quiet">{pluralize(noteCount, 'note')}</span>
      </div>
      <ol class="trace-notes">
        {notes.map((note, i) => {
          const { says, ways } = traceAdvice(note, { trace, mayWrite, pathWith })
          return (
            <li key={`${note.kind} ${note.message}`} class="finding warning">
              <p dir="auto">
                <strong class="note-number">{i + 1}</strong> {screenText(note.message)}
              </p>
              <p class="quiet" dir="auto">
                {says}
              </p>
              <p class="small">
                {note.places.map((id) => (
                  <a key={id} href={`#${placeAnchor(id)}`} dir="auto">
                    {nameOf.get(id) ?? id}
                  </a>
                ))}
                {note.events.slice(0, 5).map((id, i) => (
                  <a key={id} href={eventHref(id, '', shipped.has(id) ? shippingEvent : receivingEvent)}>
                    event {i + 1}
                  </a>
                ))}
                {note.eventCount > 5 && <span class="quiet">and {note.eventCount - 5} more events</span>}
              </p>
              <div class="actions">
                <NoteWays ways={ways} />
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const roleWords = {
  first: 'first seen',
  between: 'passed through',
  last: 'last seen',
  expected: 'not received',
} as const

/** Steps shown of one place; the list of its events has all. */
const stepsShown = 8

interface PlacesProps extends Props {
  /** Id of the place the address points at. */
  readonly chosen: string | undefined
}

export function TracePlaces({ trace: { places, events, shippingEvents }, chosen }: PlacesProps) {
  const nameOf = new Map(places.map(({ id, name }) => [id, name]))
  const eventCount = new Map<string, number>()
  for (const { from, to } of [...events, ...shippingEvents])
    for (const id of new Set([from, to])) eventCount.set(id, (eventCount.get(id) ?? 0) + 1)
  const links = (ids: readonly string[], of: string) => (
    <>
      {ids.slice(0, stepsShown).map((id, i) => (
        <Fragment key={id}>
          {i > 0 && ', '}
          <a href={`#${placeAnchor(id)}`} dir="auto">
            {nameOf.get(id) ?? id}
          </a>
        </Fragment>
      ))}
      {ids.length > stepsShown && (
        <>
          {' '}
          and <a href={`#${eventsOfPlace(of)}`}>{ids.length - stepsShown} more</a>
        </>
      )}
    </>
  )
  return (
    <section>
      <div class="section-head">
        <h2>Places</h2>{' '}
        <span class="quiet">{pluralize(places.length, 'place')}, in the order the lot is seen there</span>
      </div>
      <DataTable
        isWide
        label="Places"
        columns={[
          ...placeColumns,
          {
            heading: 'Events',
            cell: ({ id, name }) => (
              <a href={`#${eventsOfPlace(id)}`}>
                {pluralize(eventCount.get(id) ?? 0, 'event')}
                <span class="hidden"> of {name}</span>
              </a>
            ),
          },
          { heading: 'One step back', cell: ({ id, previous }) => links(previous, id) },
          { heading: 'One step forward', cell: ({ id, next }) => links(next, id) },
        ]}
        rows={places}
        keyOf={({ id }) => id}
        rowAttributes={({ id }) => ({
          id: placeAnchor(id),
          tabIndex: -1,
          class: id === chosen ? 'chosen-row' : undefined,
        })}
      />
    </section>
  )
}

const placeColumns: readonly Column<LotTrace['places'][number]>[] = [
  {
    heading: 'Place',
    cell: ({ name, codes, gln, assumed, address, phoneNumber }) => (
      <>
        <bdi>{name}</bdi>
        <span class="quiet small">
          <TextList texts={[...new Set(codes.map(({ locationCode }) => locationCode))]} />
          {gln && ` · GLN ${gln}`}
          {assumed && ' · one place by assumption'}
        </span>
        <span class="quiet small">
          {[address, phoneNumber].filter(Boolean).length === 0 && 'no address'}
          <bdi>{address}</bdi>
          {address && phoneNumber && ' · '}
          <bdi>{phoneNumber}</bdi>
        </span>
      </>
    ),
  },
  { heading: 'Role', cell: ({ role }) => roleWords[role] },
  { heading: 'Received', cell: ({ received }) => amounts(received) },
  { heading: 'Sent on', cell: ({ sentOn }) => amounts(sentOn) },
]

/** Ways shown; the saved table has all. */
const waysShown = 200

/** Shipments on each way, and their arrivals. */
export function TraceShipped({ trace: { shippedLinks, places } }: Props) {
  if (shippedLinks.length === 0) return null
  const nameOf = new Map(places.map(({ id, name }) => [id, name]))
  return (
    <section>
      <div class="section-head">
        <h2>Shipped and received</h2>{' '}
        <span class="quiet">
          {pluralize(shippedLinks.length, 'way')}
          {shippedLinks.length > waysShown && `; the first ${waysShown} are shown`}
        </span>
      </div>
      <DataTable
        isWide
        label="Shipped and received"
        columns={[
          {
            heading: 'Shipped',
            cell: ({ from, to, firstDateTime, lastDateTime }) => (
              <a href={`#${eventsOfLeg({ from, to })}`}>{datesText([firstDateTime, lastDateTime])}</a>
            ),
          },
          { heading: 'From', cell: ({ from }) => <bdi>{nameOf.get(from)}</bdi> },
          { heading: 'To', cell: ({ to }) => <bdi>{nameOf.get(to)}</bdi> },
          { heading: 'Quantity', cell: ({ quantities }) => amounts(quantities) },
          { heading: 'Received', cell: ({ received }) => amounts(received) },
          { heading: 'Missing', cell: ({ missing }) => amounts(missing) },
          {
            heading: 'Arrival',
            cell: ({ arrival }) => (
              <span class={['received', 'underWay'].includes(arrival) ? 'tag' : 'tag warning'}>
                {arrivals[arrival]}
              </span>
            ),
          },
        ]}
        rows={shippedLinks.slice(0, waysShown)}
        keyOf={({ from, to }) => `${from} ${to}`}
      />
    </section>
  )
}

/** Events shown; the saved table has all. */
const eventsShown = 200

interface EventsProps extends Props {
  /** Which of them the address chooses; undefined for all. */
  readonly choice: EventChoice | undefined
}

/** The events of both kinds, those that were received first. */
export function TraceEvents({ trace, choice }: EventsProps) {
  const kinds = [
    { kind: receivingEvent, title: 'Receiving events', date: 'Received', events: trace.events },
    { kind: shippingEvent, title: 'Shipping events', date: 'Shipped', events: trace.shippingEvents },
  ].map(({ events, ...words }) => ({ ...words, all: events.length, chosen: chosenOf(events, choice) }))
  const shown = kinds.filter(({ chosen }) => chosen.length > 0)
  return (
    <>
      {(shown.length > 0 ? shown : kinds.slice(0, 1)).map((one, i) => (
        <EventTable key={one.title} {...one} id={i === 0 ? allEvents : undefined} trace={trace} choice={choice} />
      ))}
    </>
  )
}

type Event = LotTrace['shippingEvents'][number]

/** A line of a shipping event has no source. */
type Line = Event['lines'][number] & { readonly source?: string }

interface ChosenEvent {
  readonly event: Event
  readonly lines: readonly Line[]
}

const chosenOf = (events: readonly Event[], choice: EventChoice | undefined): readonly ChosenEvent[] =>
  events.flatMap((event) => {
    const all: readonly Line[] = event.lines
    const lines = choice === undefined ? all : all.filter((line) => choice.holds(event, line))
    return lines.length > 0 ? [{ event, lines }] : []
  })

interface TableProps extends EventsProps {
  readonly kind: RecordKind
  readonly title: string
  readonly date: string
  readonly id: string | undefined
  readonly all: number
  readonly chosen: readonly ChosenEvent[]
}

function EventTable({ trace: { places, sources }, choice, kind, title, date, id, all, chosen }: TableProps) {
  const nameOf = new Map(places.map(({ id, name }) => [id, name]))
  const sourceOf = new Map(sources.map((source) => [source.id, nameOfSource(source)]))
  const lineCount = chosen.reduce((count, { lines }) => count + lines.length, 0)
  return (
    <section>
      <div class="section-head">
        <h2 id={id} tabIndex={-1} dir="auto">
          {title}
          {choice && ` ${choice.words}`}
        </h2>{' '}
        <span class="quiet">
          {pluralize(chosen.length, 'event')}, {pluralize(lineCount, 'line')}
          {chosen.length > eventsShown && `; the first ${eventsShown} events are shown, the CSV has all`}
        </span>
        {choice && <a href={`#${allEvents}`}>Show all {pluralize(all, 'event')}</a>}
      </div>
      <DataTable
        isWide
        label={title}
        columns={[
          {
            heading: date,
            cell: ({ event, line }) => (
              <a href={eventHref(event.id, line.pointer, kind)}>{dateTimeWords(event.eventDateTime)}</a>
            ),
          },
          { heading: 'From', cell: ({ event }) => <bdi>{nameOf.get(event.from)}</bdi> },
          { heading: 'To', cell: ({ event }) => <bdi>{nameOf.get(event.to)}</bdi> },
          { heading: 'Item', cell: ({ line }) => item(line) },
          { heading: 'Quantity', cell: ({ line }) => quantity(line) },
          kind === receivingEvent && {
            heading: 'Source',
            cell: ({ line }) => <bdi>{sourceOf.get(line.source ?? '')}</bdi>,
          },
          {
            heading: 'Order',
            cell: ({ event }) => event.purchaseOrderNumber ?? event.billOfLadingNumber ?? event.asnNumber,
          },
        ]}
        rows={chosen.slice(0, eventsShown).flatMap(({ event, lines }) => lines.map((line) => ({ event, line })))}
        keyOf={({ event, line }) => event.id + line.pointer}
      />
    </section>
  )
}
