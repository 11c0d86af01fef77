// A trace as tables and lists: everything in its drawing is also here.
import { Fragment } from 'preact'
import { arrivals } from '../../../contract/arrivals.ts'
import { ignoredText } from '../../../contract/lots/alike-lots.ts'
import { type RecordKind, receivingEvent, shippingEvent } from '../../../contract/record-kinds.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { datesText } from '../../../drawing/figure.ts'
import type { LotTrace } from '../../../tracing/lot-trace.ts'
import { queryOf } from '../../records/filters.ts'
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
import { dateTimeWords } from '../../words/labels.ts'
import { screenRemedy, screenText } from '../../words/screen-words.ts'
import { PlainTable } from '../tables/plain-table.tsx'

interface Props {
  readonly trace: LotTrace
}

const eventHref = (id: string, pointer = '', kind: RecordKind = receivingEvent): string =>
  hrefTo(`${sectionOf(kind).path}/${id}${pointer && `#${encodeURIComponent(anchorOf(pointer))}`}`)

type Source = LotTrace['sources'][number]

/** The name of a source, with its kind: its first identifier, else its name. */
function identifierOf({ glns, ffrns, feis, duns, urls, others, names }: Source): readonly [kind: string, text: string] {
  const kinds = { GLN: glns, FFRN: ffrns, FEI: feis, DUNS: duns, '': [...urls, ...others, ...names] }
  const [kind, texts] = Object.entries(kinds).find(([, values]) => values.length > 0) ?? ['', []]
  return [kind, texts[0] ?? '']
}

const identifierText = (source: Source): string => identifierOf(source).filter(Boolean).join(' ')

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
            {shared && tlcSource === undefined && identifierOf(source)[1] !== '' ? (
              <a href={hrefTo(hrefOf(identifierOf(source)[1]))} dir="auto">
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
      <PlainTable
        isCards
        label="Lot codes that read alike"
        heads={['Lot code', 'Date', 'Vendor', 'From', 'To', 'Item', 'Quantity', 'Source']}
      >
        {readAlike.map((line) => (
          <tr key={`${line.id}${line.pointer}`}>
            <td>
              <a class="mono" dir="auto" href={hrefTo(`/trace${queryOf({ lotCode: line.lotCode })}`)}>
                {line.lotCode}
              </a>
            </td>
            <td data-words="Date">
              <a
                href={eventHref(
                  line.id,
                  line.pointer,
                  line.record === 'shippingEvent' ? shippingEvent : receivingEvent,
                )}
              >
                {dateTimeWords(line.eventDateTime)}
              </a>
              {line.record === 'shippingEvent' && ' (shipped)'}
            </td>
            <td data-words="Vendor" dir="auto">
              {line.dataProviderVendorName ?? line.dataProviderVendorId}
            </td>
            <td data-words="From" dir="auto">
              {line.shipFromLocationCode}
            </td>
            <td data-words="To" dir="auto">
              {line.shipToLocationCode}
            </td>
            <td data-words="Item" dir="auto">
              {line.itemDescription ?? line.vendorItemCode}
            </td>
            <td data-words="Quantity">
              {line.shipQuantity.toLocaleString('en')} {line.shipQuantityUom}
            </td>
            <td data-words="Source" dir="auto">
              {line.source}
            </td>
          </tr>
        ))}
      </PlainTable>
    </section>
  )
}

export function TraceNotes({ trace: { notes, noteCount, places, shippingEvents } }: Props) {
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
        {notes.map((note, i) => (
          <li key={`${note.kind} ${note.message}`} class="finding warning">
            <p dir="auto">
              <strong class="note-number">{i + 1}</strong> {screenText(note.message)}
            </p>
            <p class="quiet" dir="auto">
              {screenRemedy('', note.remedy)}
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
          </li>
        ))}
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

/** Of one place; the list of its events has the others. */
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
      <PlainTable
        isCards
        label="Places"
        heads={['Place', 'Role', 'Received', 'Sent on', 'Events', 'One step back', 'One step forward']}
      >
        {places.map((place) => (
          <tr
            key={place.id}
            id={placeAnchor(place.id)}
            tabIndex={-1}
            class={place.id === chosen ? 'chosen-row' : undefined}
          >
            <td dir="auto">
              <strong>{place.name}</strong>
              <br />
              <span class="quiet small">
                {[...new Set(place.codes.map(({ locationCode }) => locationCode))].join(', ')}
                {place.gln && ` · GLN ${place.gln}`}
                {place.assumed && ' · one place by assumption'}
              </span>
              <br />
              <span class="quiet small">
                {[place.address, place.phoneNumber].filter(Boolean).join(' · ') || 'no address'}
              </span>
            </td>
            <td data-words="Role">{roleWords[place.role]}</td>
            <td data-words="Received">{amounts(place.received)}</td>
            <td data-words="Sent on">{amounts(place.sentOn)}</td>
            <td data-words="Events">
              <a href={`#${eventsOfPlace(place.id)}`}>
                {pluralize(eventCount.get(place.id) ?? 0, 'event')}
                <span class="hidden"> of {place.name}</span>
              </a>
            </td>
            <td data-words="One step back">{links(place.previous, place.id)}</td>
            <td data-words="One step forward">{links(place.next, place.id)}</td>
          </tr>
        ))}
      </PlainTable>
    </section>
  )
}

/** The others are in the table that is saved. */
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
      <PlainTable
        isCards
        label="Shipped and received"
        heads={['Shipped', 'From', 'To', 'Quantity', 'Received', 'Missing', 'Arrival']}
      >
        {shippedLinks.slice(0, waysShown).map(({ from, to, firstDateTime, lastDateTime, ...link }) => (
          <tr key={`${from} ${to}`}>
            <td>
              <a href={`#${eventsOfLeg({ from, to })}`}>{datesText([firstDateTime, lastDateTime])}</a>
            </td>
            <td data-words="From" dir="auto">
              {nameOf.get(from)}
            </td>
            <td data-words="To" dir="auto">
              {nameOf.get(to)}
            </td>
            <td data-words="Quantity">{amounts(link.quantities)}</td>
            <td data-words="Received">{amounts(link.received)}</td>
            <td data-words="Missing">{amounts(link.missing)}</td>
            <td data-words="Arrival">
              <span class={['received', 'underWay'].includes(link.arrival) ? 'tag' : 'tag warning'}>
                {arrivals[link.arrival]}
              </span>
            </td>
          </tr>
        ))}
      </PlainTable>
    </section>
  )
}

/** More are in the table that is saved. */
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
  const isReceived = kind === receivingEvent
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
      <PlainTable
        isCards
        label={title}
        heads={[date, 'From', 'To', 'Item', 'Quantity', ...(isReceived ? ['Source'] : []), 'Order']}
      >
        {chosen.slice(0, eventsShown).flatMap(({ event, lines }) =>
          lines.map((line) => (
            <tr key={`${event.id}${line.pointer}`}>
              <td>
                <a href={eventHref(event.id, line.pointer, kind)}>{dateTimeWords(event.eventDateTime)}</a>
              </td>
              <td data-words="From" dir="auto">
                {nameOf.get(event.from)}
              </td>
              <td data-words="To" dir="auto">
                {nameOf.get(event.to)}
              </td>
              <td data-words="Item" dir="auto">
                {line.itemDescription ?? line.vendorItemCode}
              </td>
              <td data-words="Quantity">
                {line.shipQuantity.toLocaleString('en')} {line.shipQuantityUom}
              </td>
              {isReceived && (
                <td data-words="Source" dir="auto">
                  {sourceOf.get(line.source ?? '')}
                </td>
              )}
              <td data-words="Order">{event.purchaseOrderNumber ?? event.billOfLadingNumber ?? event.asnNumber}</td>
            </tr>
          )),
        )}
      </PlainTable>
    </section>
  )
}
