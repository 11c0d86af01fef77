// What a trace says, as tables and lists: everything in its drawing can be reached here.
import type { LotTrace, QuantityByUnit } from '../../contract/lot-trace.ts'
import { receivingEvent } from '../../contract/record-kinds.ts'
import { hrefTo } from '../address.ts'
import { counted, dateTimeWords } from '../labels.ts'
import { recordSections } from '../record-sections.ts'

interface Props {
  readonly trace: LotTrace
}

const eventsPath = recordSections.find(({ kind }) => kind.name === receivingEvent.name)?.path ?? '/events'

const eventHref = (id: string, pointer = ''): string =>
  hrefTo(`${eventsPath}/${id}${pointer && `#${encodeURIComponent(pointer)}`}`)

const amounts = (quantities: readonly QuantityByUnit[]): string =>
  quantities.map(({ quantity, unit }) => `${quantity.toLocaleString('en')} ${unit}`).join(', ') || '–'

type Source = LotTrace['sources'][number]

/** What tells a source from others, with the kind of it: its first identifier, else its name. */
function identifierOf({ glns, ffrns, feis, duns, urls, others, names }: Source): readonly [kind: string, text: string] {
  const kinds = { GLN: glns, FFRN: ffrns, FEI: feis, DUNS: duns, '': [...urls, ...others, ...names] }
  const [kind, texts] = Object.entries(kinds).find(([, values]) => values.length > 0) ?? ['', []]
  return [kind, texts[0] ?? '']
}

const identified = (source: Source): string => identifierOf(source).filter(Boolean).join(' ')

const nameOfSource = (source: Source): string => source.names[0] ?? identified(source)

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
        <h2>{shared ? `${counted(totals.sourcesOfCode, 'source')} use this lot code` : 'Lot code source'}</h2>
      </div>
      {shared && (
        <p class="quiet">
          A lot code is unique only within its source.{' '}
          {tlcSource === undefined ? (
            'This is all of them; choose the one that is meant.'
          ) : (
            <a href={hrefTo(hrefOf(undefined))}>Show all of them</a>
          )}
        </p>
      )}
      <ul class="trace-sources">
        {sources.map((source) => (
          <li key={source.id}>
            {shared && tlcSource === undefined ? (
              <a href={hrefTo(hrefOf(identifierOf(source)[1]))} dir="auto">
                {nameOfSource(source)}
              </a>
            ) : (
              <strong dir="auto">{nameOfSource(source)}</strong>
            )}{' '}
            <span class="quiet">
              {identified(source) !== nameOfSource(source) && `${identified(source)} · `}
              {counted(source.lines, 'line')} in {counted(source.events, 'event')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function TraceNotes({ trace: { notes, noteCount, places } }: Props) {
  if (notes.length === 0)
    return (
      <p class="quiet">
        The records leave nothing open: every place received what it sent on, and every source is described.
      </p>
    )
  const nameOf = new Map(places.map(({ id, name }) => [id, name]))
  return (
    <section>
      <div class="section-head">
        <h2>What the records leave open</h2> <span class="quiet">{counted(noteCount, 'note')}</span>
      </div>
      <ol class="trace-notes">
        {notes.map((note) => (
          <li key={`${note.kind} ${note.message}`} class="finding warning">
            <p dir="auto">{note.message}</p>
            <p class="quiet" dir="auto">
              {note.remedy}
            </p>
            <p class="small">
              {note.places.map((id) => (
                <a key={id} href={`#place-${id}`} dir="auto">
                  {nameOf.get(id) ?? id}
                </a>
              ))}
              {note.events.slice(0, 5).map((id, i) => (
                <a key={id} href={eventHref(id)}>
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

const roleWords = { first: 'first seen', between: 'passed through', last: 'last seen' } as const

export function TracePlaces({ trace: { places } }: Props) {
  const nameOf = new Map(places.map(({ id, name }) => [id, name]))
  const links = (ids: readonly string[]) =>
    ids.map((id, i) => (
      <>
        {i > 0 && ', '}
        <a key={id} href={`#place-${id}`} dir="auto">
          {nameOf.get(id) ?? id}
        </a>
      </>
    ))
  return (
    <section>
      <div class="section-head">
        <h2>Places</h2> <span class="quiet">{counted(places.length, 'place')}, in the order the lot is seen there</span>
      </div>
      <div class="scroller">
        <table class="entry-table">
          <thead>
            <tr>
              {['Place', 'Role', 'Received', 'Sent on', 'One step back', 'One step forward'].map((words) => (
                <th key={words} scope="col">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((place) => (
              <tr key={place.id} id={`place-${place.id}`}>
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
                <td>{roleWords[place.role]}</td>
                <td>{amounts(place.received)}</td>
                <td>{amounts(place.sentOn)}</td>
                <td>{links(place.previous)}</td>
                <td>{links(place.next)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** More are drawn when they are asked for by the table that is saved. */
const eventsShown = 200

export function TraceEvents({ trace: { events, places, sources, totals } }: Props) {
  const nameOf = new Map(places.map(({ id, name }) => [id, name]))
  const sourceOf = new Map(sources.map((source) => [source.id, nameOfSource(source)]))
  return (
    <section>
      <div class="section-head">
        <h2>Receiving events</h2>{' '}
        <span class="quiet">
          {counted(totals.events, 'event')}, {counted(totals.lines, 'line')}
          {events.length > eventsShown && `; the first ${eventsShown} are shown, the CSV has all`}
        </span>
      </div>
      <div class="scroller">
        <table class="entry-table">
          <thead>
            <tr>
              {['Received', 'From', 'To', 'Item', 'Quantity', 'Source', 'Order'].map((words) => (
                <th key={words} scope="col">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {events.slice(0, eventsShown).flatMap((event) =>
              event.lines.map((line) => (
                <tr key={`${event.id}${line.pointer}`}>
                  <td>
                    <a href={eventHref(event.id, line.pointer)}>{dateTimeWords(event.eventDateTime)}</a>
                  </td>
                  <td dir="auto">{nameOf.get(event.from)}</td>
                  <td dir="auto">{nameOf.get(event.to)}</td>
                  <td dir="auto">{line.itemDescription ?? line.vendorItemCode}</td>
                  <td>
                    {line.shipQuantity.toLocaleString('en')} {line.shipQuantityUom}
                  </td>
                  <td dir="auto">{sourceOf.get(line.source)}</td>
                  <td>{event.purchaseOrderNumber}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </section>
  )
}
