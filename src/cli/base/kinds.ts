// The kinds of record in the words of the command line, and how a command finds out the kind of an
// id.
import type { AnyRecord, Client } from '../../client/client.ts'
import { ProblemError } from '../../client/failure.ts'
import {
  type EventKind,
  type EventKindName,
  eventKindList,
  location,
  masterProduct,
  type RecordKind,
  receivingEvent,
} from '../../contract/record-kinds.ts'

/** `shippingEvent` as `shipping-event`. */
type Hyphenated<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Uncapitalize<First>}${Hyphenated<Rest>}`
    : `${Uncapitalize<First>}-${Hyphenated<Rest>}`
  : ''

/** Payloads of deliveries look alike, so a command needs their kind. */
export type EventKindWord = 'event' | Hyphenated<Exclude<EventKindName, 'receivingEvent'>>
export type KindWord = EventKindWord | 'product' | 'location'

export const eventKindsByWord = Object.fromEntries(
  eventKindList.map((kind) => [kind.name === receivingEvent.name ? 'event' : kind.noun.replaceAll(' ', '-'), kind]),
) as Readonly<Record<EventKindWord, EventKind>>

export const kinds: Readonly<Record<KindWord, RecordKind>> = { ...eventKindsByWord, product: masterProduct, location }

export const eventKindWords = Object.keys(eventKindsByWord) as readonly EventKindWord[]
export const kindWords = Object.keys(kinds) as readonly KindWord[]

interface Found {
  readonly word: KindWord
  readonly kind: RecordKind
  readonly body: AnyRecord
  readonly version: number
  readonly voided: boolean
}

/**
 * Reads a record, or one version of it, whose kind may be unknown: an id does not contain it.
 * @throws ProblemError when there is no such record or version.
 */
export const readRecord = (
  api: Client,
  id: string,
  { kind, version }: { readonly kind?: KindWord | undefined; readonly version?: number | undefined },
): Promise<Found> =>
  askOfKind(
    kind,
    async (word) => {
      const records = api.of(kinds[word].name)
      const {
        body,
        version: at,
        voided,
      } = version === undefined ? await records.read({ id }) : await records.readVersion({ id, version })
      return { word, kind: kinds[word], body, version: at ?? version ?? 0, voided }
    },
    (what) =>
      version === undefined
        ? `There is no ${what} with id ${id}. lotkeeper list shows ids.`
        : `There is no ${what} with id ${id} that has a version ${version}. lotkeeper versions ${id} shows them.`,
  )

/**
 * Requests a record of each of these kinds until one is found, or only of the given kind. @throws
 * ProblemError with `unknownText` when none is.
 */
export async function askOfKind<Answer>(
  kind: KindWord | readonly KindWord[] | undefined,
  work: (word: KindWord) => Promise<Answer>,
  unknownText: (what: string) => string,
): Promise<Answer> {
  let unknown: ProblemError | undefined
  for (const word of [kind ?? kindWords].flat())
    try {
      return await work(word)
    } catch (error) {
      if (!(error instanceof ProblemError) || error.outcome !== 'unknownRecord') throw error
      unknown = error
    }
  const problem = unknown?.problem ?? { type: 'unknownRecord', title: '', status: 404, detail: '', instance: '' }
  throw new ProblemError({
    ...problem,
    detail: unknownText(typeof kind === 'string' ? kinds[kind].noun : 'record'),
  })
}
