// The hash id of an event: equal for equal events, in every program. Where the text of the standard
// leaves a choice, its reference implementation decides (decision 0032). Source: Core Business
// Vocabulary 2.0, 8.9.
import { prefix } from '../../epcis/namespace.ts'
import type { JsonObject } from './extension.ts'

/** Standard fields in their order, as far as an export of receiving events uses them. */
const order = [
  'eventTime',
  'eventTimeZoneOffset',
  'parentID',
  'epcList',
  'quantityList',
  'childQuantityList',
  'action',
  'bizStep',
  'disposition',
  'readPoint',
  'bizLocation',
  'bizTransactionList',
  'destinationList',
  'sourceList',
] as const

/** Words of the vocabulary, by the field they are in. */
const vocabularies: Readonly<Record<string, string>> = {
  bizStep: 'BizStep',
  disposition: 'Disp',
  bizTransactionList: 'BTT',
  sourceList: 'SDT',
  destinationList: 'SDT',
}

const word = (field: string, text: unknown): string => `https://ref.gs1.org/cbv/${vocabularies[field]}-${text}`

/** The hash id of an event from the SHA-256 of its canonical text, in hexadecimal digits. */
export const hashIdOf = (sha256: string): string => `ni:///sha-256;${sha256}?ver=CBV2.0`

/** The canonical text of an event, without its id, record time and error declaration. */
export function preHashOf(event: JsonObject, namespace: string): string {
  const standard = order.flatMap((field) => (event[field] === undefined ? [] : [fieldText(field, event[field])]))
  const extension = Object.entries(event).filter(([name]) => name.startsWith(`${prefix}:`))
  return `eventType=${event.type}${standard.join('')}${nestedText(extension, namespace)}`
}

function fieldText(field: string, value: unknown): string {
  switch (field) {
    case 'eventTime':
      return `${field}=${new Date(String(value)).toISOString()}`
    case 'bizStep':
    case 'disposition':
      return `${field}=${word(field, value)}`
    case 'epcList':
      return field + inOrder((value as string[]).map((epc) => `epc=${plain(epc)}`))
    case 'quantityList':
    case 'childQuantityList':
      return field + inOrder((value as JsonObject[]).map((element) => `quantityElement${members(element)}`))
    case 'readPoint':
    case 'bizLocation':
      return field + members(value as JsonObject)
    case 'bizTransactionList':
    case 'sourceList':
    case 'destinationList': {
      const named = field.slice(0, -'List'.length)
      return (
        field +
        inOrder(
          (value as JsonObject[]).map(
            (entry) =>
              (entry.type === undefined ? '' : `type=${word(field, entry.type)}`) + members({ [named]: entry[named] }),
          ),
        )
      )
    }
    default:
      return `${field}=${plain(value)}`
  }
}

/** The members of an object, in the order they are written in: that of the standard. */
const members = (object: JsonObject): string =>
  Object.entries(object)
    .map(([name, value]) => `${name}=${plain(value)}`)
    .join('')

/**
 * Fields under the namespace with their full names; of a list each entry, under the name of the
 * list without `List`.
 */
function nestedText(fields: readonly (readonly [string, unknown])[], namespace: string): string {
  const full = (name: string): string =>
    name.startsWith(`${prefix}:`) ? `{${namespace}}${name.slice(prefix.length + 1)}` : name
  const texts = fields.flatMap(([name, value]) => {
    const toText = (as: string, one: unknown): string => {
      if (Array.isArray(one)) return one.map((each) => toText(as, each)).join('')
      if (typeof one === 'object' && one !== null) return as + nestedText(Object.entries(one), namespace)
      const text = plain(one)
      return text === '' ? as : `${as}=${text}`
    }
    if (!Array.isArray(value)) return [toText(full(name), value)]
    if (name.endsWith('List'))
      return [full(name) + inOrder(value.map((each) => toText(full(name).slice(0, -'List'.length), each)))]
    return value.map((each) => toText(full(name), each))
  })
  return inOrder(texts)
}

/** Joined in the order of code points, which differs from that of UTF-16. */
const inOrder = (texts: readonly string[]): string => [...texts].sort(byCodePoint).join('')

function byCodePoint(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  // Surrogates are below the last characters of UTF-16, but the code points they encode are above
  // them.
  const rank = (text: string): number => {
    const unit = text.charCodeAt(at)
    return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
  }
  return at >= a.length || at >= b.length ? a.length - b.length : rank(a) - rank(b)
}

/** A value without outer blanks; a number, also in a text, without redundant zeros. */
function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  const text = String(value).trim()
  // The reference implementation does not read underscores between digits as part of a number.
  const digits = text.replaceAll(/(?<=\d)_(?=\d)/g, '')
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(digits) ? numberText(Number(digits), text) : text
}

function numberText(number: number, text: string): string {
  if (!Number.isFinite(number)) return text
  if (Number.isInteger(number)) return BigInt(number).toString()
  const [mantissa = '', exponent = ''] = number.toExponential().split('e')
  return Number(exponent) < -4 ? `${mantissa}e-${exponent.slice(1).padStart(2, '0')}` : String(number)
}
