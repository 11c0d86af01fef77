// The kinds of record by the words of the command line, and the operations that each has.

import type { Answered } from '../client/asked.ts'
import type { Client } from '../client/client.ts'
import { ProblemError } from '../client/failure.ts'
import { location, masterProduct, type RecordKind, receivingEvent } from '../contract/record-kinds.ts'
import type { OperationName } from '../operations/catalogue.ts'

export interface KindOperations {
  readonly kind: RecordKind
  readonly create: OperationName
  readonly replace: OperationName
  readonly read: OperationName
  readonly readVersion: OperationName
  readonly list: OperationName
  readonly listVersions: OperationName
  readonly readFindings: OperationName
  readonly readVersionFindings: OperationName
}

export const kinds = {
  event: {
    kind: receivingEvent,
    create: 'createReceivingEvents',
    replace: 'replaceReceivingEvent',
    read: 'readReceivingEvent',
    readVersion: 'readReceivingEventVersion',
    list: 'listReceivingEvents',
    listVersions: 'listReceivingEventVersions',
    readFindings: 'readReceivingEventFindings',
    readVersionFindings: 'readReceivingEventVersionFindings',
  },
  product: {
    kind: masterProduct,
    create: 'createMasterProducts',
    replace: 'replaceMasterProduct',
    read: 'readMasterProduct',
    readVersion: 'readMasterProductVersion',
    list: 'listMasterProducts',
    listVersions: 'listMasterProductVersions',
    readFindings: 'readMasterProductFindings',
    readVersionFindings: 'readMasterProductVersionFindings',
  },
  location: {
    kind: location,
    create: 'createLocations',
    replace: 'replaceLocation',
    read: 'readLocation',
    readVersion: 'readLocationVersion',
    list: 'listLocations',
    listVersions: 'listLocationVersions',
    readFindings: 'readLocationFindings',
    readVersionFindings: 'readLocationVersionFindings',
  },
} as const satisfies Readonly<Record<string, KindOperations>>

export type KindWord = keyof typeof kinds

export const kindWords = Object.keys(kinds) as KindWord[]

/** The operations of the kind of a payload. */
export const operationsOf = (kind: RecordKind): KindOperations => {
  const found = Object.values(kinds).find((one) => one.kind.name === kind.name)
  if (found === undefined) throw new Error(`The command line has no word for ${kind.noun}.`)
  return found
}

/** A record as the service answers with it. */
export type RecordBody = Readonly<Record<string, unknown>> & { readonly id: string }

type Asked = Readonly<Record<string, unknown>>

/** Asks an operation whose name is known only when the command runs, so that the types cannot follow. */
export const ask = <Body = RecordBody>(api: Client, name: OperationName, asked: Asked): Promise<Answered<Body>> =>
  (api as unknown as Readonly<Record<string, (asked: Asked) => Promise<Answered<Body>>>>)[name]?.(asked) ??
  Promise.reject(new Error(`The client cannot ${name}.`))

/** Every entry of a list, each page fetched when it is wanted. */
export const askEach = <Entry>(api: Client, name: OperationName, asked: Asked): AsyncGenerator<Entry> =>
  (api.each as unknown as (name: OperationName, asked: Asked) => AsyncGenerator<Entry>)(name, asked)

interface Found {
  readonly word: KindWord
  readonly operations: KindOperations
  readonly body: RecordBody
  readonly version: number
}

/**
 * Reads a record whose kind need not be known: an id does not tell it. One version of it, where one is named.
 * @throws ProblemError when there is no such record, or not this version of it.
 */
export const readRecord = (
  api: Client,
  id: string,
  { kind, version }: { readonly kind?: KindWord | undefined; readonly version?: number | undefined },
): Promise<Found> =>
  askOfKind(
    kind,
    async (word) => {
      const operations = kinds[word]
      const { body, version: at } =
        version === undefined
          ? await ask(api, operations.read, { id })
          : await ask(api, operations.readVersion, { id, version })
      return { word, operations, body, version: at ?? version ?? 0 }
    },
    (what) =>
      version === undefined
        ? `There is no ${what} with id ${id}. lotkeeper list shows ids.`
        : `There is no ${what} with id ${id} that has a version ${version}. lotkeeper versions ${id} shows them.`,
  )

/**
 * Asks about a record of each kind, until one knows it; of one kind, where it is said.
 * @throws ProblemError with `unknownText` when none does.
 */
export async function askOfKind<Answer>(
  kind: KindWord | undefined,
  work: (word: KindWord) => Promise<Answer>,
  unknownText: (what: string) => string,
): Promise<Answer> {
  let unknown: ProblemError | undefined
  for (const word of kind === undefined ? kindWords : [kind])
    try {
      return await work(word)
    } catch (error) {
      if (!(error instanceof ProblemError) || error.outcome !== 'unknownRecord') throw error
      unknown = error
    }
  const problem = unknown?.problem ?? { type: 'unknownRecord', title: '', status: 404, detail: '', instance: '' }
  throw new ProblemError({
    ...problem,
    detail: unknownText(kind === undefined ? 'record' : kinds[kind].kind.noun),
  })
}
