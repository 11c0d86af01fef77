// The texts by which a record is found in part, and lines that keep them (decision 0064).
import { readLotCode } from '../../contract/lots/lot-code.ts'
import { eventKinds, isEventKind, linesOf, type RecordKindName } from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { foldCode, foldWords } from '../../contract/text/searched-text.ts'
import type { HitKind } from '../../operations/records/search.ts'
import type { BlockKind } from '../../store/records/search-blocks.ts'

/** A text of a record, and what it leads to. */
export interface SearchedText {
  readonly kind: HitKind
  /** The code or number that is shown, and by which lists are filtered. */
  readonly value: string
  readonly text: string
  /** True of a name or description, whose words are found in any order. */
  readonly isName: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** Longer texts than the contract allows are cut: they are in records of earlier programs. */
const textMax = 200

export const blockKindOf = (kind: RecordKindName): BlockKind => (isEventKind(kind) ? 'event' : 'masterData')

/** The texts of a record, which may be there more than once. */
export function* searchedTexts(kind: RecordKindName, content: Fields): Generator<SearchedText> {
  if (isEventKind(kind)) return yield* textsOfEvent(kind, content)
  const [subject, hitKind, code, named] =
    kind === 'masterProduct'
      ? (['productMasterDataList', 'masterProduct', 'itemCode', ['itemDescription', 'brandName']] as const)
      : (['locationMasterList', 'location', 'locationCode', ['locationName']] as const)
  const fields = (content[subject] ?? {}) as Fields
  const value = textIn(fields, code)
  if (value === undefined) return
  for (const name of [code, 'alternateItemCode', 'alternateLocationCode', 'gtin', 'itemUpc', 'gln', 'duns'])
    yield* textsAt(fields, name, { kind: hitKind, value })
  for (const name of named) yield* textsAt(fields, name, { kind: hitKind, value, isName: true })
}

function* textsOfEvent(kind: keyof typeof eventKinds, content: Fields): Generator<SearchedText> {
  const event = (content.eventList ?? {}) as Fields
  for (const name of ['purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber', 'eventId'] as const)
    yield* textsAt(event, name, { kind: name })
  const vendor = textIn(event, 'dataProviderVendorId')
  yield* textsAt(event, 'dataProviderVendorId', { kind: 'dataProviderVendorId' })
  if (vendor !== undefined)
    yield* textsAt(event, 'dataProviderVendorName', { kind: 'dataProviderVendorId', value: vendor, isName: true })
  for (const document of entriesOf(event.referenceDocumentList))
    yield* textsAt(document, 'referenceDocumentNumber', { kind: 'referenceDocumentNumber' })
  for (const line of linesOf<Fields>(event, eventKinds[kind])) {
    const lot = textIn(line, 'caseLotNumber')
    if (lot !== undefined) yield* textsAt({ lot: readLotCode(lot).lotCode }, 'lot', { kind: 'lotCode' })
    for (const name of ['palletId', 'palletLpn']) yield* textsAt(line, name, { kind: 'palletId' })
    yield* textsAt(line, 'caseGtin', { kind: 'caseGtin' })
    yield* textsOfItem(line, ['vendorItemCode', 'purchaserItemCode'], 'vendorItemDescription')
  }
  for (const product of entriesOf(content.productMasterDataList)) {
    yield* textsOfItem(product, ['itemCode'], 'itemDescription')
    yield* textsAt(product, 'gtin', { kind: 'caseGtin' })
  }
}

function* textsOfItem(fields: Fields, codes: readonly string[], description: string): Generator<SearchedText> {
  for (const name of codes) yield* textsAt(fields, name, { kind: 'itemCode' })
  const value = codes.map((name) => textIn(fields, name)).find((code) => code !== undefined)
  if (value !== undefined) yield* textsAt(fields, description, { kind: 'itemCode', value, isName: true })
}

const entriesOf = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list : [])

function textIn(fields: Fields, name: string): string | undefined {
  const text = fields[name]
  return typeof text === 'string' && isGiven(text) ? text.slice(0, textMax) : undefined
}

function* textsAt(
  fields: Fields,
  name: string,
  { kind, value, isName = false }: { readonly kind: HitKind; readonly value?: string; readonly isName?: boolean },
): Generator<SearchedText> {
  const text = textIn(fields, name)
  if (text !== undefined) yield { kind, value: value ?? text, text, isName }
}

/** A text as it is compared. */
export const foldedOf = ({ text, isName }: Pick<SearchedText, 'text' | 'isName'>): string =>
  isName ? foldWords(text) : foldCode(text)

/** A text of a block, and the places of its records in it. */
export interface TextLine extends SearchedText {
  readonly places: readonly number[]
}

/** Folded text, which a look at a block compares, and the rest of the line. */
const between = '\t'

export const writeLine = ({ kind, value, text, isName, places }: TextLine): string =>
  foldedOf({ text, isName }) +
  between +
  JSON.stringify([kind, value, text === value ? 0 : text, isName ? 1 : 0, places.join(' ')])

export function readLine(line: string): TextLine {
  const [kind, value, text, isName, places] = JSON.parse(line.slice(line.indexOf(between))) as [
    ...[kind: HitKind, value: string, text: string | 0, isName: 0 | 1, places: string],
  ]
  return {
    kind,
    value,
    text: text === 0 ? value : text,
    isName: isName === 1,
    places: places.split(' ').map(Number),
  }
}

/** The folded text of a line, without reading the rest. */
export const foldedIn = (line: string): string => line.slice(0, line.indexOf(between))
