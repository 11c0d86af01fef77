// Writes the blocks in which a search finds parts of texts, after the records were stored
// (decision 0064).
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { addGramsOf, foldWords, gramNumber } from '../../contract/text/searched-text.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { currentBodies } from '../../store/records/current-bodies.ts'
import {
  type AwaitingBatch,
  awaitingBatches,
  type BlockKind,
  blocksOf,
  providersToIndex,
  type SearchBlock,
  storeSearchBlocks,
} from '../../store/records/search-blocks.ts'
import type { BackgroundWork } from '../base/background-work.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { HandlerContext } from '../base/handler.ts'
import { providerRounds } from '../base/provider-rounds.ts'
import {
  blockKindOf,
  foldedOf,
  readLine,
  type SearchedText,
  searchedTexts,
  type TextLine,
  writeLine,
} from './searched-texts.ts'

/** Most records of a block, and characters of its texts: but for a single record with more. */
const blockRecordsMax = 64
const blockTextMax = 32_768
/** Batches that are taken at once, and records, but for a single batch with more. */
const batchesAtOnce = 200
const recordsAtOnce = 500
/** Records are left while they are fewer and not older: a search reads so many by itself. */
export const readAloneMax = 100
const readAloneSeconds = 20
/** How long reading keeps others waiting at a time, in milliseconds. */
const readingMs = 5

type Texts = readonly SearchedText[]

/** Bytes of bodies that a search reads by itself, in stored form. */
const briefBytes = 128 * 1024

/**
 * The texts of records in force, each once. `isBrief`: of as many as can be read at once; `isWhole`
 * says whether these were all.
 */
export async function textsOfRecords(
  db: Queryable,
  provider: string,
  { ids, isBrief = false }: { readonly ids: readonly string[]; readonly isBrief?: boolean },
) {
  const kinds = new Map<string, RecordKindName>()
  const found = new Map<string, Texts>()
  let since = performance.now()
  const portions = currentBodies(db, provider, { ids, ...(isBrief && { storedBytesAtOnce: briefBytes }) })
  for await (const { records, isLast } of portions) {
    for (const { id, kind, body, isInForce } of records) {
      if (!isInForce) continue
      const texts = new Map<string, SearchedText>()
      for (const text of searchedTexts(kind, contentOf(body))) texts.set(keyOf(text), text)
      kinds.set(id, kind)
      found.set(id, [...texts.values()])
      if (performance.now() - since < readingMs) continue
      await nextTurn()
      since = performance.now()
    }
    if (isBrief && !isLast) return { kinds, texts: found, isWhole: false }
  }
  return { kinds, texts: found, isWhole: true }
}

/** A body that the database damaged is no JSON: reads name its record, and no search finds it. */
function contentOf(body: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

const keyOf = ({ kind, value, text }: SearchedText): string => `${kind}\n${value}\n${text}`

/** Records of a block with their texts, in the order of their ids. */
type Members = Map<string, Texts>

function membersOf({ ids, texts }: SearchBlock): Members {
  const members = new Map<string, SearchedText[]>(ids.map((id) => [id, []]))
  for (const line of texts.split('\n')) {
    if (line === '') continue
    const { places, ...text } = readLine(line)
    for (const place of places) members.get(ids[place] ?? '')?.push(text)
  }
  return members
}

/** Characters of the texts of a record. */
const sizeOf = (texts: Texts): number => texts.reduce((sum, { value, text }) => sum + value.length + text.length, 0)

/** The blocks of these records; the first keeps the id from which on it has records. */
function* blocksFor(kind: BlockKind, members: Members, firstId: string | undefined): Generator<SearchBlock> {
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let start = 0; start < sorted.length; ) {
    let end = start
    for (let size = 0; end < sorted.length && end - start < blockRecordsMax; end++) {
      size += sizeOf(sorted[end]?.[1] ?? [])
      if (size > blockTextMax && end > start) break
    }
    const some = sorted.slice(start, end)
    const ids = some.map(([id]) => id)
    yield { kind, firstId: (start === 0 ? firstId : undefined) ?? ids[0] ?? '', ids, texts: linesOf(some) }
    start = end
  }
}

function linesOf(members: readonly (readonly [id: string, texts: Texts])[]): string {
  const lines = new Map<string, TextLine & { places: number[] }>()
  members.forEach(([, texts], place) => {
    for (const text of texts) {
      const line = lines.get(keyOf(text))
      if (line === undefined) lines.set(keyOf(text), { ...text, places: [place] })
      else line.places.push(place)
    }
  })
  return [...lines.values()].map(writeLine).join('\n')
}

function gramsOf(provider: string, { texts }: SearchBlock): readonly number[] {
  const grams = new Set<string>()
  for (const line of texts.split('\n')) {
    if (line === '') continue
    const text = readLine(line)
    addGramsOf(foldedOf(text), foldWords(text.text), grams)
  }
  return [...new Set([...grams].map((gram) => gramNumber(provider, gram)))]
}

/** Writes the blocks of the records that wait in some batches. Returns how many they were. */
async function index(db: Queryable, provider: string, batches: readonly AwaitingBatch[]): Promise<number> {
  const ids = [...new Set(batches.flatMap(({ recordIds }) => recordIds))]
  const { kinds, texts: textsOf } = await textsOfRecords(db, provider, { ids })
  // A record that is gone or voided may be in a block of either kind.
  const wanted = ids.flatMap((id) => {
    const kind = kinds.get(id)
    const blockKinds: readonly BlockKind[] = kind === undefined ? ['event', 'masterData'] : [blockKindOf(kind)]
    return blockKinds.map((one) => ({ kind: one, id }))
  })
  const blocks = [...(await blocksOf(db, { provider, wanted }))].sort((a, b) => (a.firstId < b.firstId ? 1 : -1))
  const changed = new Map<SearchBlock | BlockKind, Members>()
  for (const { kind, id } of wanted) {
    const texts = textsOf.get(id)
    const block = blocks.find((one) => one.kind === kind && one.firstId <= id)
    if (block === undefined && texts === undefined) continue
    const members = changed.get(block ?? kind) ?? (block === undefined ? new Map() : membersOf(block))
    if (texts === undefined) members.delete(id)
    else members.set(id, texts)
    changed.set(block ?? kind, members)
  }
  const made: (SearchBlock & { readonly grams: readonly number[] })[] = []
  const emptied: SearchBlock[] = []
  for (const [block, members] of changed) {
    const isNew = typeof block === 'string'
    if (!isNew && members.size === 0) emptied.push(block)
    for (const one of blocksFor(isNew ? block : block.kind, members, isNew ? undefined : block.firstId)) {
      made.push({ ...one, grams: gramsOf(provider, one) })
      await nextTurn()
    }
  }
  await storeSearchBlocks(db, { provider, batches: batches.map(({ id }) => id), blocks: made, emptied })
  return ids.length
}

/** Writes all that waits, but for a few records that have not waited long: a search reads them. */
async function* indexWaiting(
  db: Queryable,
  provider: string,
  { readAlone = readAloneMax }: { readonly readAlone?: number } = {},
): AsyncGenerator<number, 'done' | 'others', void> {
  for (;;) {
    const batches = await awaitingBatches(db, { provider, limit: batchesAtOnce, recordsMax: recordsAtOnce })
    const [oldest] = batches
    if (oldest === undefined) return 'done'
    const records = batches.reduce((sum, { recordIds }) => sum + recordIds.length, 0)
    if (records <= readAlone && oldest.seconds < readAloneSeconds) return 'others'
    yield await index(db, provider, batches)
  }
}

/** Writes everything that waits, at once. */
export async function indexAll(db: Queryable, provider: string): Promise<void> {
  for await (const _ of indexWaiting(db, provider, { readAlone: 0 }));
}

/** Writes blocks beside the serving of requests. */
export const searchRounds = ({ store }: HandlerContext, reportDropped: (what: string) => void): BackgroundWork =>
  providerRounds(
    {
      name: 'search',
      doing: 'Writing what a search finds',
      stepsOf: (provider) => indexWaiting(store, provider),
      findLeft: () => providersToIndex(store),
    },
    reportDropped,
  )
