// Searches all records for a text: by its beginning in the indexes of lists and traces, and by any
// part of it in blocks of texts (decision 0064).
import type { Static } from 'typebox'
import { readsAlike } from '../../contract/lots/alike-lots.ts'
import { foldLotCode, readLotCode } from '../../contract/lots/lot-code.ts'
import { foldCode, gramNumber, hasParts, type Wanted, wantedBy } from '../../contract/text/searched-text.ts'
import {
  type HitKind,
  hitKinds,
  hitRecordsMax,
  hitsDefault,
  matches,
  type SearchHit,
} from '../../operations/records/search.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { findEarlierLots } from '../../store/records/earlier-lots.ts'
import {
  findByIdRange,
  findRecordWords,
  findValues,
  type RecordWords,
  type WalkedKind,
  type WalkStart,
  walkedKinds,
} from '../../store/records/found-values.ts'
import { awaitingRecords, findSearchBlocks } from '../../store/records/search-blocks.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { readAloneMax, textsOfRecords } from './search-index.ts'
import { foldedIn, foldedOf, readLine, type SearchedText } from './searched-texts.ts'

type Described = Static<typeof SearchHit>
type Match = Described['match']

interface Hit {
  readonly kind: HitKind
  readonly value: string
  readonly match: Match
  readonly records: number
  readonly id: string
  /** What the records call it; a record's own name comes first. */
  readonly name?: string | undefined
}

/** Fewer hexadecimal digits are at the beginning of nearly every id. */
const idLengthMin = 6
const uuidLength = 32
/** The newest blocks that are read for what a text may mean. */
const blocksMax = 60
/** Waiting records that are looked up: one that was replaced meanwhile waits several times. */
const waitingRead = 4 * readAloneMax
/** Records of a value that has no index, of which the kinds are told. */
const recordsTold = 20

export const search =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'searched' | 'badQuery'>> => {
    const text = query.text?.trim() ?? ''
    if (text === '')
      return { outcome: 'badQuery', detail: 'text is missing. Send what to look for, e.g. text=GV26063.' }
    const limit = Number(query.limit ?? hitsDefault)
    const range = idRange(text)
    const counted = { provider, recordsMax: hitRecordsMax }
    const [values, { parts, partial }, earlier, ids] = await Promise.all([
      findValues(store, { ...counted, starts: startsOf(text), limit: limit + 1 }),
      findParts(store, provider, text),
      findEarlierLots(store, provider, [text], limit + 1),
      range === undefined ? [] : findByIdRange(store, { ...range, limit: limit + 1, provider }),
    ])
    const begun = values.map(
      (one): Hit => ({ ...one, kind: kindOf(one.kind), match: matchOf(one.kind, one.value, text) }),
    )
    const known = new Set(begun.map(({ kind, value }) => `${kind} ${value}`))
    const further = bestOf(parts, limit + 1).filter(({ kind, value }) => !known.has(`${kind} ${value}`))
    // Where an index has the value, it says which records have it now, and how many.
    const startOf = ({ kind, value }: Part) => (kind === 'lotCode' ? foldLotCode(value) : value)
    const isIndexed = ({ kind }: Part) => walkedKinds.some((walked) => walked === kind)
    const starts = further.filter(isIndexed).map((part) => ({ kind: part.kind as WalkedKind, start: startOf(part) }))
    const current = starts.length === 0 ? [] : await findValues(store, { ...counted, starts, limit: 0 })
    const found: Hit[] = [
      ...begun,
      ...further.flatMap((part): readonly Hit[] => {
        const { kind, value, match, name } = part
        if (isIndexed(part))
          return current
            .filter((one) => one.kind === kind && one.value === value)
            .map(({ records, id }) => ({ kind, value, match, records, id, name }))
        return part.ids.slice(0, recordsTold).map((id) => ({ kind, value, match, records: 1, id, name }))
      }),
      ...earlier.map(({ id, lotCode }): Hit => {
        const match = matchOf('lotCode', lotCode, text)
        return { kind: 'earlierLotCode', value: lotCode, match, records: 1, id }
      }),
      ...ids.map(({ id }): Hit => {
        const match = id === text.toLowerCase() ? 'exact' : 'begins'
        return { kind: 'recordId', value: id, match, records: 1, id }
      }),
    ]
    const words = await findRecordWords(store, { provider, ids: [...new Set(found.map(({ id }) => id))] })
    const damaged = words.filter(({ isMissing }) => isMissing).map(({ id, version }) => ({ id, version }))
    const { content, more } = listHits(found, words, limit)
    return { outcome: 'searched', body: { content, more, partial, ...(damaged.length > 0 && { damaged }) } }
  }

/** The best hits of each kind, and the kinds of which there are more. */
function listHits(found: readonly Hit[], words: readonly RecordWords[], limit: number) {
  const described = new Map(words.filter(({ isMissing }) => !isMissing).map((one) => [one.id, one]))
  const listed = new Map<string, Described>()
  for (const hit of found.flatMap((one) => describe(one, described.get(one.id))).sort(byRank)) {
    const key = `${hit.kind} ${hit.value} ${hit.record}`
    const same = listed.get(key)
    if (same === undefined) listed.set(key, hit)
    // Found apart, they are one hit; one record may also be found in several ways.
    else if (same.match === hit.match && same.id !== hit.id)
      listed.set(key, { ...same, records: Math.min(same.records + hit.records, hitRecordsMax) })
  }
  const counts = new Map<HitKind, number>()
  const content = [...listed.values()].filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= limit
  })
  return { content, more: [...counts].filter(([, count]) => count > limit).map(([kind]) => kind) }
}

function describe(hit: Hit, words: RecordWords | undefined): readonly Described[] {
  // A record that was changed meanwhile is left out, and a damaged one is named apart.
  if (words === undefined || (words.voided && !ofVoided.has(hit.kind))) return []
  const { kind, value, match, records, id, name } = hit
  return [
    {
      ...{ kind, value: isMasterData(kind) ? (words.code ?? value) : value, match, records, record: words.kind, id },
      name: words.name ?? name ?? null,
      dataProviderVendorId: words.vendor,
      eventDate: words.eventDate,
      voided: words.voided,
    },
  ]
}

const isMasterData = (kind: HitKind): boolean => kind === 'masterProduct' || kind === 'location'
/** What still finds a voided event. */
const ofVoided: ReadonlySet<HitKind> = new Set(['earlierLotCode', 'recordId', 'payloadId'])

const rankOf = ({ kind, match }: Pick<Described, 'kind' | 'match'>): number =>
  matches.indexOf(match) * hitKinds.length + hitKinds.indexOf(kind)
const byRank = (a: Described, b: Described): number =>
  rankOf(a) - rankOf(b) ||
  compareTexts(a.value, b.value) ||
  compareTexts(a.record, b.record) ||
  compareTexts(b.id, a.id)
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A value that has the text in it, or in its name, and its records, the newest first. */
interface Part {
  readonly kind: HitKind
  readonly value: string
  readonly match: Match
  readonly name: string | undefined
  readonly ids: readonly string[]
}

/** The best of each kind; of equally good ones those with the newest records. */
function bestOf(parts: readonly Part[], limit: number): readonly Part[] {
  const counts = new Map<HitKind, number>()
  return [...parts]
    .sort((a, b) => rankOf(a) - rankOf(b) || compareTexts(b.ids[0] ?? '', a.ids[0] ?? ''))
    .filter(({ kind }) => {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      return count <= limit
    })
}

/** Values that have the text in them: of blocks, and of records that are in none yet. */
async function findParts(
  db: Queryable,
  provider: string,
  text: string,
): Promise<{ readonly parts: readonly Part[]; readonly partial: boolean }> {
  const wanted = wantedBy(readLotCode(text).lotCode)
  if (wanted.length === 0) return { parts: [], partial: false }
  const inBlocks = wanted.flatMap(({ parts, grams }) =>
    (['masterData', 'event'] as const).map((kind) => ({
      ...{ kind, parts, grams: grams.map((gram) => gramNumber(provider, gram)) },
    })),
  )
  const [blocks, waiting] = await Promise.all([
    findSearchBlocks(db, { provider, wanted: inBlocks, limit: blocksMax }),
    awaitingRecords(db, { provider, limit: waitingRead }),
  ])
  const awaiting = [...new Set(waiting.map(({ id }) => id))]
  const fresh = new Set(awaiting.slice(0, readAloneMax))
  const found = new Map<string, Part & { readonly ids: string[] }>()
  const look = (one: SearchedText, folded: string, ids: readonly string[]) => {
    const match = matchOfText(text, wanted, { ...one, folded })
    if (match === undefined) return
    const key = `${one.kind} ${one.value}`
    const same = found.get(key)
    const better = same === undefined || matches.indexOf(match) < matches.indexOf(same.match)
    const { kind, value } = one
    const name = one.isName ? one.text : same?.name
    found.set(key, { kind, value, match: better ? match : same.match, name, ids: [...(same?.ids ?? []), ...ids] })
  }
  for (const block of new Map(blocks.map((one) => [`${one.kind} ${one.firstId}`, one])).values())
    for (const line of block.texts.split('\n')) {
      const folded = foldedIn(line)
      if (!wanted.some(({ parts }) => hasParts(folded, parts))) continue
      const one = readLine(line)
      const ids = one.places.map((place) => block.ids[place] ?? '').filter((id) => !fresh.has(id))
      if (ids.length > 0) look(one, folded, ids)
    }
  const read = await textsOfRecords(db, provider, { ids: [...fresh], isBrief: true })
  for (const [id, texts] of read.texts) for (const one of texts) look(one, foldedOf(one), [id])
  const parts = [...found.values()].map((part) => ({ ...part, ids: [...new Set(part.ids)].sort().reverse() }))
  return { parts, partial: waiting.length === waitingRead || awaiting.length > fresh.size || !read.isWhole }
}

/** How a text of a record matches; undefined if it does not. */
function matchOfText(
  asked: string,
  wanted: readonly Wanted[],
  { text, folded }: SearchedText & { readonly folded: string },
): Match | undefined {
  const meant = wanted.find(({ parts }) => hasParts(folded, parts))
  if (meant === undefined) return undefined
  if (text === asked) return 'exact'
  const [whole = '', ...more] = meant.parts
  if (more.length > 0) return folded === meant.parts.join(' ') ? 'alike' : startOf(folded, meant.parts)
  if (withoutZeros(folded) === withoutZeros(whole)) return 'alike'
  return folded.startsWith(whole) ? 'begins' : folded.endsWith(whole) ? 'ends' : 'contains'
}

const withoutZeros = (folded: string): string => folded.replace(/^0+(\d)/, '$1')
const startOf = (folded: string, words: readonly string[]): Match =>
  folded.startsWith(words.join(' ')) ? 'begins' : 'contains'

/** Where the indexes are entered: databases order capitals and small letters differently. */
function startsOf(text: string): readonly WalkStart[] {
  const forms = [...new Set([text, text.toUpperCase(), text.toLowerCase()])]
  return walkedKinds.flatMap((kind): readonly WalkStart[] =>
    kind === 'lotCode'
      ? [{ kind, start: foldLotCode(readLotCode(text).lotCode) }]
      : forms.map((start) => ({ kind, start })),
  )
}

function kindOf(kind: WalkedKind): HitKind {
  if (kind === 'alternateItemCode') return 'masterProduct'
  return kind === 'alternateLocationCode' ? 'location' : kind
}

function matchOf(kind: WalkedKind, value: string, text: string): Match {
  const asked = kind === 'lotCode' ? readLotCode(text).lotCode : text
  if (value === asked) return 'exact'
  const isAlike =
    kind === 'lotCode'
      ? readsAlike(readLotCode(value), readLotCode(text))
      : (foldCode(value) || value.toLowerCase()) === (foldCode(asked) || asked.toLowerCase())
  return isAlike ? 'alike' : 'begins'
}

/** The first and the last id that begins with a text, if one can. */
function idRange(text: string): { readonly first: string; readonly last: string } | undefined {
  const hex = text.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]+$/.test(hex) || hex.length < idLengthMin || hex.length > uuidLength) return undefined
  return { first: hex.padEnd(uuidLength, '0'), last: hex.padEnd(uuidLength, 'f') }
}
