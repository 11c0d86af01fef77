// Changes of single fields in many receiving events: which fields, which parts of a payload, and
// the payload that results (decision 0067).
import { differencesBetween, valueAt } from './differences.ts'
import { Location } from './location.ts'
import { readLotCode } from './lots/lot-code.ts'
import type { ReceivingEventPayload } from './payloads.ts'
import { Product } from './product.ts'
import { ProductLine } from './product-line.ts'
import { ReceivingEvent } from './receiving-event.ts'
import type { Shape } from './shape/field.ts'
import { pointerStep } from './shape/finding.ts'
import { isStatedCode } from './shape/placeholder.ts'

/** The parts of a payload whose fields can be changed. */
type ChangedPart = 'event' | 'line' | 'product' | 'location'

/** A field that can be changed; its name is `product.packStyle` or `location.address.city`. */
interface ChangedField {
  readonly part: ChangedPart
  /** Names from the part to the field. */
  readonly path: readonly string[]
  readonly type: 'string' | 'number' | 'boolean'
}

/** Fields that identify an event, so no two events have the same value. */
const unchangeable = ['event.eventDateTime', 'event.eventId']

const fieldsOf = (
  part: ChangedPart,
  shape: { readonly properties: object },
  before: readonly string[] = [],
): [string, ChangedField][] =>
  Object.entries(shape.properties as Readonly<Record<string, Shape>>).flatMap(([name, { type }]) => {
    const path = [...before, name]
    return type === 'string' || type === 'number' || type === 'boolean'
      ? [[`${part}.${path.join('.')}`, { part, path, type }]]
      : []
  })

const fields: ReadonlyMap<string, ChangedField> = new Map(
  [
    ...fieldsOf('event', ReceivingEvent),
    ...fieldsOf('line', ProductLine),
    ...fieldsOf('product', Product),
    ...fieldsOf('location', Location),
    ...fieldsOf('location', Location.properties.address, ['address']),
  ].filter(([name]) => !unchangeable.includes(name)),
)

export const changedFieldNames: readonly string[] = [...fields.keys()]

/** The full names of the fields that are called so: `packStyle` is `product.packStyle`. */
export const fieldNamesFor = (name: string): readonly string[] =>
  fields.has(name) ? [name] : changedFieldNames.filter((full) => full.slice(full.indexOf('.') + 1) === name)

/**
 * One change. Without `replace` and `overwrite` it fills the field where it is missing; values are
 * text, as JSON writes them.
 */
export interface FieldChange {
  readonly field: string
  readonly set?: string | undefined
  readonly remove?: boolean | undefined
  readonly replace?: string | undefined
  readonly overwrite?: boolean | undefined
}

type FieldValue = string | number | boolean

/** Parses a text as a value of this field; undefined when it is none. */
function fieldValue({ type }: ChangedField, text: string): FieldValue | undefined {
  if (type === 'string') return text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Why a change is incomplete or contradicts itself; undefined when it is valid. */
export function faultOfChange({ field: name, set, remove, replace, overwrite }: FieldChange): string | undefined {
  const field = fields.get(name)
  if (field === undefined) return `${name} is no field that a correction can change.`
  if ((set === undefined) === (remove !== true))
    return `The change of ${name} needs either set, with the new value, or remove: true.`
  if (replace !== undefined && overwrite === true)
    return `The change of ${name} has both replace and overwrite. Send replace to change one value, or overwrite to change every value.`
  if (remove === true && replace === undefined && overwrite !== true)
    return `The change of ${name} removes a field. Say which values: send replace, or overwrite: true for every value.`
  for (const text of [set, replace])
    if (text !== undefined && fieldValue(field, text) === undefined)
      return `${name} is ${JSON.stringify(text)}. It must be ${field.type === 'number' ? 'a number, e.g. 40' : 'true or false'}.`
  if (set !== undefined && set.trim() === '') return `The new value of ${name} is blank. Send remove: true instead.`
  if (set !== undefined && set === replace) return `The change of ${name} replaces ${JSON.stringify(set)} by itself.`
  return undefined
}

/** Which lines and products of the chosen events are changed. */
export interface ChangedParts {
  readonly itemCode?: readonly string[] | undefined
  readonly lotCode?: readonly string[] | undefined
  /** Pointers of the gaps that chose the event; only the parts that have them are changed. */
  readonly gapsAt?: readonly string[] | undefined
}

/** One value that differs. `undefined` means that the field is absent. */
export interface Difference {
  readonly pointer: string
  readonly before: unknown
  readonly after: unknown
}

/** Each single value that differs between two states of a record. */
export function listDifferences(before: unknown, after: unknown): readonly Difference[] {
  const { removed, added, replaced } = differencesBetween(before, after)
  return [...removed, ...added, ...replaced].flatMap((pointer) =>
    leafDifferences(pointer, valueAt(before, pointer), valueAt(after, pointer)),
  )
}

function leafDifferences(pointer: string, before: unknown, after: unknown): Difference[] {
  const parts = before ?? after
  if (typeof parts !== 'object' || parts === null) return [{ pointer, before, after }]
  return Object.keys(parts).flatMap((key) =>
    leafDifferences(
      pointer + pointerStep(key),
      (before as Entry | undefined)?.[key],
      (after as Entry | undefined)?.[key],
    ),
  )
}

type Entry = Record<string, unknown>

/** The payload with the changes, and each value that differs. The payload itself stays as it is. */
export function changeFields(
  payload: ReceivingEventPayload,
  changes: readonly FieldChange[],
  parts: ChangedParts,
): { readonly payload: ReceivingEventPayload; readonly differences: readonly Difference[] } {
  const changed = structuredClone(payload) as ReceivingEventPayload
  const entries = entriesOf(changed, parts)
  const differences: Difference[] = []
  for (const change of changes) {
    const field = fields.get(change.field)
    if (field === undefined) continue
    for (const [at, entry] of entries[field.part]) {
      const difference = changeField(entry, at, field, change)
      if (difference !== undefined) differences.push(difference)
    }
  }
  return { payload: changed, differences }
}

function changeField(entry: Entry, at: string, field: ChangedField, change: FieldChange): Difference | undefined {
  const [name = '', inner] = field.path
  const holder = inner === undefined ? entry : ((entry[name] ?? {}) as Entry)
  const key = inner ?? name
  const before = holder[key]
  const wanted =
    change.overwrite === true ||
    (change.replace === undefined ? !isStated(before) : before === fieldValue(field, change.replace))
  const after = change.set === undefined ? undefined : fieldValue(field, change.set)
  if (!wanted || before === after) return undefined
  if (after === undefined) delete holder[key]
  else holder[key] = after
  if (inner !== undefined) {
    if (Object.keys(holder).length > 0) entry[name] = holder
    else delete entry[name]
  }
  return { pointer: at + field.path.map(pointerStep).join(''), before, after }
}

const isStated = (value: unknown): boolean =>
  typeof value === 'string' ? isStatedCode(value) : value !== undefined && value !== null

type PlacedEntry = readonly [at: string, entry: Entry]

/** The object that the changes of each part apply to. */
function entriesOf(
  { eventList: event, productMasterDataList: products, locationMasterList: locations }: ReceivingEventPayload,
  { itemCode, lotCode, gapsAt }: ChangedParts,
): Readonly<Record<ChangedPart, readonly PlacedEntry[]>> {
  const isAsked = (codes: readonly string[] | undefined, ...own: (string | undefined)[]) =>
    codes === undefined || own.some((code) => code !== undefined && codes.includes(code))
  const lots = lotCode?.map((text) => readLotCode(text).lotCode)
  const gaps = gapsAt && gapPlaces(gapsAt, products)
  const lines = event.productList
    .map((line, index) => ({ line, index }))
    .filter(
      ({ line, index }) =>
        isAsked(itemCode, line.vendorItemCode, line.purchaserItemCode) &&
        (lots === undefined ||
          (line.caseLotNumber !== undefined && lots.includes(readLotCode(line.caseLotNumber).lotCode))) &&
        (gaps === undefined || gaps.isLine(index, line.vendorItemCode)),
    )
  const itemsOfLines = new Set(lines.map(({ line }) => line.vendorItemCode))
  const restrictsItems = itemCode !== undefined || lotCode !== undefined || gaps?.ofItems === true
  return {
    event: [['/eventList', event as Entry]],
    line: lines.map(({ line, index }) => [`/eventList/productList/${index}`, line as Entry]),
    product: placedEntries(products, '/productMasterDataList').filter(
      ([, { itemCode: code }]) => !restrictsItems || itemsOfLines.has(code as string),
    ),
    location: placedEntries(locations, '/locationMasterList').filter(
      ([at]) => gaps === undefined || gaps.locations.size === 0 || gaps.locations.has(at),
    ),
  }
}

const placedEntries = (entries: readonly object[], list: string): PlacedEntry[] =>
  entries.map((entry, index) => [`${list}/${index}`, entry as Entry])

/** Lines, products and locations that pointers of gaps lead to. */
function gapPlaces(pointers: readonly string[], products: ReceivingEventPayload['productMasterDataList']) {
  const lines = new Set<number>()
  const items = new Set<string | undefined>()
  const locations = new Set<string>()
  for (const pointer of pointers) {
    const [at = '', list, index = ''] =
      /^\/(eventList\/productList|productMasterDataList|locationMasterList)\/(\d+)/.exec(pointer) ?? []
    if (list === 'locationMasterList') locations.add(at)
    else if (list === 'productMasterDataList') items.add(products[Number(index)]?.itemCode)
    else if (list !== undefined) lines.add(Number(index))
  }
  const ofItems = lines.size + items.size > 0
  return {
    ofItems,
    locations,
    isLine: (index: number, item: string) => !ofItems || lines.has(index) || items.has(item),
  }
}
