// Searches all records for a text: in the existing indexes, and for values without one in the
// newest master data.
import type { Static } from 'typebox'
import { readsAlike } from '../../contract/lots/alike-lots.ts'
import { foldLotCode, readLotCode } from '../../contract/lots/lot-code.ts'
import type { RecordKindName } from '../../contract/record-kinds.ts'
import {
  type HitKind,
  hitKinds,
  hitRecordsMax,
  hitsDefault,
  locationsLookedAt,
  matches,
  productsLookedAt,
  type SearchHit,
} from '../../operations/records/search.ts'
import { findEarlierLots } from '../../store/records/earlier-lots.ts'
import {
  findByIdRange,
  findByNumberOrName,
  findRecordWords,
  findValues,
  isMoreThan,
  type RecordWords,
  type WalkedKind,
  type WalkStart,
  walkedKinds,
} from '../../store/records/found-values.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'

type Described = Static<typeof SearchHit>
type Match = Described['match']

interface Hit {
  readonly kind: HitKind
  /** Undefined of a location or product that was not found by its code, which is then shown. */
  readonly value: string | undefined
  readonly match: Match
  readonly records: number
  readonly id: string
}

const lookedAt = { products: productsLookedAt, locations: locationsLookedAt }

/** Fewer characters are in nearly every name. */
const nameLengthMin = 3
/** Fewer hexadecimal digits are at the beginning of nearly every id. */
const idLengthMin = 6
const uuidLength = 32

export const search =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'searched' | 'badQuery'>> => {
    const text = query.text?.trim() ?? ''
    if (text === '')
      return { outcome: 'badQuery', detail: 'text is missing. Send what to look for, e.g. text=GV26063.' }
    const limit = Number(query.limit ?? hitsDefault)
    const digits = /^0*[1-9]\d{7,13}$/.test(text) ? text.replace(/^0+/, '') : undefined
    const name = text.length >= nameLengthMin ? text : ''
    const range = idRange(text)
    const [values, earlier, numbered, ids, partial] = await Promise.all([
      findValues(store, { provider, starts: startsOf(text), limit: limit + 1, recordsMax: hitRecordsMax }),
      findEarlierLots(store, provider, [text], limit + 1),
      name === '' ? [] : findByNumberOrName(store, { digits, name, ...lookedAt, limit: limit + 1, provider }),
      range === undefined ? [] : findByIdRange(store, { ...range, limit: limit + 1, provider }),
      name !== '' && isMoreThan(store, { ...lookedAt, provider }),
    ])
    const found: Hit[] = [
      ...values.map((one) => ({ ...one, kind: kindOf(one.kind), match: matchOf(one.kind, one.value, text) })),
      ...earlier.map(({ id, lotCode }) => ({
        kind: 'earlierLotCode' as const,
        value: lotCode,
        match: matchOf('lotCode', lotCode, text),
        records: 1,
        id,
      })),
      ...ids.map(({ id }) => ({
        kind: 'recordId' as const,
        value: id,
        match: id === text.toLowerCase() ? ('exact' as const) : ('begins' as const),
        records: 1,
        id,
      })),
      ...numbered.map(({ id, isName }) => ({
        kind: 'location' as const,
        value: undefined,
        match: isName ? ('contains' as const) : ('exact' as const),
        records: 1,
        id,
      })),
    ]
    const words = await findRecordWords(store, { provider, ids: [...new Set(found.map(({ id }) => id))] })
    const described = new Map(words.filter(({ isMissing }) => !isMissing).map((one) => [one.id, one]))
    const damaged = words.filter(({ isMissing }) => isMissing).map(({ id, version }) => ({ id, version }))
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
    const more = [...counts].filter(([, count]) => count > limit).map(([kind]) => kind)
    return { outcome: 'searched', body: { content, more, partial, ...(damaged.length > 0 && { damaged }) } }
  }

function describe(hit: Hit, words: RecordWords | undefined): readonly Described[] {
  // A record that was changed meanwhile is left out, and a damaged one is named apart.
  if (words === undefined) return []
  return [
    {
      kind: hit.value === undefined ? kindOfMasterData(words.kind) : hit.kind,
      value: hit.value ?? words.code ?? '',
      match: hit.match,
      records: hit.records,
      record: words.kind,
      id: hit.id,
      name: words.name,
      dataProviderVendorId: words.vendor,
      eventDate: words.eventDate,
      voided: words.voided,
    },
  ]
}

const rankOf = ({ kind, match }: Described): number => matches.indexOf(match) * hitKinds.length + hitKinds.indexOf(kind)
const byRank = (a: Described, b: Described): number =>
  rankOf(a) - rankOf(b) || compareTexts(a.value, b.value) || compareTexts(a.record, b.record)
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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

const kindOfMasterData = (kind: RecordKindName): HitKind => (kind === 'masterProduct' ? 'masterProduct' : 'location')

function matchOf(kind: WalkedKind, value: string, text: string): Match {
  const asked = kind === 'lotCode' ? readLotCode(text).lotCode : text
  if (value === asked) return 'exact'
  const isAlike =
    kind === 'lotCode' ? readsAlike(readLotCode(value), readLotCode(text)) : value.toLowerCase() === asked.toLowerCase()
  return isAlike ? 'alike' : 'begins'
}

/** The first and the last id that begins with a text, if one can. */
function idRange(text: string): { readonly first: string; readonly last: string } | undefined {
  const hex = text.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]+$/.test(hex) || hex.length < idLengthMin || hex.length > uuidLength) return undefined
  return { first: hex.padEnd(uuidLength, '0'), last: hex.padEnd(uuidLength, 'f') }
}
