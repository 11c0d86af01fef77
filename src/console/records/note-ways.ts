// What a note of a trace or chain advises, in the words of the page, and the pages on which it is
// done. Pure.
import { eventKinds, receivingEvent, shippingEvent } from '../../contract/record-kinds.ts'
import type { ChainNoteKind, LotChain } from '../../tracing/lot-chain.ts'
import type { LotTrace } from '../../tracing/lot-trace.ts'
import { dateTimeWords } from '../words/labels.ts'
import { screenRemedy } from '../words/screen-words.ts'
import { queryOf } from './filters.ts'
import { sectionOf } from './record-sections.ts'
import { eventsOfPlace } from './trace-choice.ts'

/** A button: a path of the console, or a place on this page. */
export interface Way {
  readonly words: string
  readonly to: string
}

export interface Advice {
  readonly says: string
  readonly ways: readonly Way[]
}

type Note = LotTrace['notes'][number]

interface NoteReader {
  readonly trace: LotTrace
  readonly mayWrite: boolean
  /** The address of this trace with other values of its query. */
  readonly pathWith: (values: Readonly<Record<string, string>>) => string
}

/** Buttons of one kind that one note has at most. */
const waysMax = 3

const quoted = (text: string): string => `“${text}”`

const correction = (values: Readonly<Record<string, string>>): string => `/corrections/new${queryOf(values)}`

const pageOfEvent = (id: string, { shippingEvents }: LotTrace): string =>
  `${sectionOf(shippingEvents.some((one) => one.id === id) ? shippingEvent : receivingEvent).path}/${id}`

/** The first events of a note, to be edited one by one. */
const edits = ({ events }: Note, { trace, mayWrite }: NoteReader): readonly Way[] =>
  !mayWrite
    ? []
    : events.slice(0, waysMax).map((id, i) => ({
        words: events.length === 1 ? 'Edit the event' : `Edit event ${i + 1}`,
        to: `${pageOfEvent(id, trace)}/edit`,
      }))

/** Lines of the lot, corrected together where the note is about several events. */
const corrects = (words: string, values: Readonly<Record<string, string>>) => (note: Note, reader: NoteReader) =>
  note.events.length === 1
    ? edits(note, reader)
    : reader.mayWrite
      ? [{ words, to: correction({ lotCode: reader.trace.lotCode, ...values }) }]
      : []

/** A lot code in the place of another one, in every event that has the other. */
const rewrites = (codes: readonly string[], { trace, mayWrite }: NoteReader): readonly Way[] =>
  !mayWrite
    ? []
    : codes.slice(0, waysMax).map((code) => ({
        words: `Correct ${quoted(code)} to ${quoted(trace.lotCode)}`,
        to: correction({ lotCode: code, field: 'line.caseLotNumber', replace: code, set: trace.lotCode }),
      }))

/** The places of a note, completed once for all events that name them. */
const completed = ({ places }: Note, { trace, mayWrite }: NoteReader): readonly Way[] =>
  !mayWrite
    ? []
    : trace.places
        .filter(({ id }) => places.includes(id))
        .flatMap(({ codes }) => codes.slice(0, 1))
        .slice(0, waysMax)
        .map(({ locationCode, dataProviderVendorId }) => ({
          words: `Complete location ${locationCode}`,
          to: `/completeness/complete${queryOf({ location: locationCode, dataProviderVendorId })}`,
        }))

const placeEvents = ({ places }: Note, { trace }: NoteReader): readonly Way[] =>
  trace.places
    .filter(({ id }) => places.includes(id))
    .slice(0, waysMax)
    .map(({ id, name }) => ({ words: `Events to and from ${name}`, to: `#${eventsOfPlace(id)}` }))

/** Receiving events of the places of a note, whichever lot they are of. */
const receiptsAt = ({ places }: Note, { trace }: NoteReader): readonly Way[] => {
  const { path, filters } = sectionOf(receivingEvent)
  return trace.places
    .filter(({ id }) => places.includes(id))
    .map(({ name, codes }) => ({
      words: `Receiving events at ${name}`,
      to: path + queryOf({ shipToLocationCode: codes.map(({ locationCode }) => locationCode).join('\n') }, filters),
    }))
}

const traceOf = (code: string, { pathWith }: NoteReader): Way => ({
  words: `Trace ${code}`,
  to: pathWith({ lotCode: code, tlcSource: '' }),
})

export const identifierOfSource = ({
  glns,
  ffrns,
  feis,
  duns,
  urls,
  others,
  names,
}: LotTrace['sources'][number]): readonly [kind: string, text: string] => {
  const kinds = { GLN: glns, FFRN: ffrns, FEI: feis, DUNS: duns, '': [...urls, ...others, ...names] }
  const [kind, texts] = Object.entries(kinds).find(([, values]) => values.length > 0) ?? ['', []]
  return [kind, texts[0] ?? '']
}

/** Id of the field where a period begins on the page of a trace. */
const periodField = 'trace-eventStartDate'
export const periodWords = { from: 'Received from', until: 'Received until' } as const

interface Declared {
  /** In place of the remedy, where that names what only a program has. */
  readonly says?: (note: Note) => string
  readonly ways: (note: Note, reader: NoteReader) => readonly Way[]
}

const fillSource = corrects('Enter the source of all lines', { gap: 'product-line/tlc-source-place' })

const ofTrace: Readonly<Record<Note['kind'], Declared>> = {
  truncated: {
    says: ({ remedy }) =>
      remedy.includes('eventStartDate')
        ? `Choose a period under ${quoted(periodWords.from)} and ${quoted(periodWords.until)}, and trace one at a time.`
        : screenRemedy('', remedy),
    ways: ({ remedy }) =>
      remedy.includes('eventStartDate') ? [{ words: 'Choose a period', to: `#${periodField}` }] : [],
  },
  narrowed: {
    says: () => `Empty ${quoted(periodWords.from)} and ${quoted(periodWords.until)} to see all events.`,
    ways: (_, { pathWith }) => [{ words: 'Trace all dates', to: pathWith({ eventStartDate: '', eventEndDate: '' }) }],
  },
  earlierLots: {
    says: () =>
      'If the correction or the void was wrong, restore the version before it. Otherwise trace the lot code that the record has now.',
    ways: ({ events }, { trace }) =>
      events.slice(0, waysMax).map((id, i) => ({
        words: events.length === 1 ? 'See its versions' : `See versions of event ${i + 1}`,
        to: `${pageOfEvent(id, trace)}/versions`,
      })),
  },
  sharedCode: {
    says: () =>
      'To trace one of them, choose it. If they are one source, enter an identifier that all its lines share.',
    ways: ({ sources }, reader) =>
      reader.trace.sources
        .filter((source) => source.known && sources.includes(source.id) && identifierOfSource(source)[1] !== '')
        .slice(0, waysMax)
        .map((source) => {
          const [, identifier] = identifierOfSource(source)
          return { words: `Only ${source.names[0] ?? identifier}`, to: reader.pathWith({ tlcSource: identifier }) }
        }),
  },
  sourceUnknown: { ways: fillSource },
  spellings: {
    ways: (_, reader) =>
      rewrites(
        reader.trace.reading.spellings
          .map(({ lotCode }) => lotCode)
          .filter((lotCode) => lotCode !== reader.trace.lotCode),
        reader,
      ),
  },
  readAlike: {
    ways: (_, reader) => {
      const codes = [...new Set(reader.trace.readAlike.map(({ lotCode }) => lotCode))].slice(0, waysMax)
      return [...codes.map((code) => traceOf(code, reader)), ...rewrites(codes, reader)]
    },
  },
  nearCodes: { ways: edits },
  otherItems: { ways: (_, reader) => [traceOf(reader.trace.lotCode, reader)] },
  itemUnknown: { ways: corrects('Enter the GTIN of these lines', { field: 'line.caseGtin' }) },
  itemsDiffer: {
    ways: (note, reader) => {
      const events = reader.trace.events.filter(({ id }) => note.events.includes(id))
      const gtins = [...new Set(events.flatMap(({ lines }) => lines.flatMap(({ gtin }) => gtin ?? [])))]
      return [
        ...gtins.slice(0, waysMax).map((gtin) => ({
          words: `Trace only GTIN ${gtin}`,
          to: reader.pathWith({ lotCode: `(01)${gtin}(10)${reader.trace.lotCode}` }),
        })),
        ...edits(note, reader),
      ]
    },
  },
  sourcePlaceMissing: { ways: fillSource },
  sourceIdentifiersDiffer: { ways: edits },
  sourceChanged: { ways: (note, reader) => [...edits(note, reader), ...receiptsAt(note, reader)] },
  placeAssumed: { ways: completed },
  placeKeptApart: { ways: completed },
  receiptMissing: { ways: receiptsAt },
  notReceived: {
    ways: ({ events: [id] }, { trace, mayWrite }) =>
      id === undefined
        ? []
        : [
            ...(mayWrite ? [{ words: 'Receive the shipment', to: `/dock/${id}` }] : []),
            { words: 'Open the shipping event', to: pageOfEvent(id, trace) },
          ],
  },
  sentBeforeReceived: { ways: edits },
  sentMoreThanReceived: { ways: placeEvents },
  unitNeverReceived: { ways: () => [{ words: 'Unit conversions', to: '/unit-conversions' }] },
  cycle: { ways: placeEvents },
}

export const traceNoteKinds = Object.keys(ofTrace) as readonly Note['kind'][]

export function traceAdvice(note: Note, reader: NoteReader): Advice {
  const { says, ways } = ofTrace[note.kind]
  // Two places may have one code.
  const each = new Map(ways(note, reader).map((way) => [way.to, way]))
  return { says: says?.(note) ?? screenRemedy('', note.remedy), ways: [...each.values()] }
}

type ChainNote = LotChain['notes'][number]
type Least = LotChain['least']

export const groundChoices = [
  ['reference', 'steps by lot code, place and date'],
  ['sourceUnknown', 'steps by lot code'],
  ['sameSource', 'only what is certain'],
  ['readAlike', 'also lot codes that read alike'],
  ['severalLots', 'also codes of several lots'],
] as const satisfies readonly (readonly [Least, string])[]

/** What is followed where the note advises other steps. */
export interface ChainAdvice extends Advice {
  readonly follow: readonly (readonly [least: Least, words: string])[]
}

const editedNotes: readonly ChainNoteKind[] = ['madeTwice', 'usedBeforeMade', 'moreOutThanIn', 'sourceUnknown']

export function chainAdvice(
  { kind, remedy, events }: ChainNote,
  { chain, mayWrite }: { readonly chain: LotChain; readonly mayWrite: boolean },
): ChainAdvice {
  const follow = groundChoices.filter(([ground]) => remedy.includes(`with least=${ground}`))
  const says = follow.reduce(
    (text, [ground, words]) =>
      text
        .replace(`ask with least=${ground}`, `follow ${quoted(words)}`)
        .replace(`Ask with least=${ground}`, `Follow ${quoted(words)}`)
        .replace(`with least=${ground}`, `with ${quoted(words)}`),
    screenRemedy('', remedy),
  )
  const named = chain.events.filter(({ id }) => events.includes(id)).slice(0, waysMax)
  const isEdited = mayWrite && editedNotes.includes(kind)
  const ways = [
    ...named.map(({ id, record, eventDateTime, place }) => ({
      words: `${isEdited ? 'Edit' : 'Open'} ${eventKinds[record].noun} of ${dateTimeWords(eventDateTime)} at ${place.name ?? place.locationCode}`,
      to: `${sectionOf({ name: record }).path}/${id}${isEdited ? '/edit' : ''}`,
    })),
    ...(kind === 'unitsDiffer' ? [{ words: 'Unit conversions', to: '/unit-conversions' }] : []),
    ...(kind === 'originUnknown' && mayWrite
      ? [{ words: 'New receiving event', to: `${sectionOf(receivingEvent).path}/new` }]
      : []),
  ]
  return { says, ways, follow }
}
