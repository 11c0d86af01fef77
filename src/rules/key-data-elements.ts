// The key data elements of events, by the names used for gaps. Source: 21 CFR 1.1340(a), 1.1345(a).
import {
  type EventKind,
  eventKindList,
  eventKindNames,
  eventKinds,
  type KeyDataElement,
  placePartOf,
} from '../contract/record-kinds.ts'
import { capitalize } from '../contract/text/capitalize.ts'
import { ruleOf, rulesOf } from './catalogue.ts'
import { gapKeyOf, readGapKey } from './gap-keys.ts'

/**
 * By the rule that reports it missing. The contract requires unit (2), product name (3) and date
 * (6), so only a placeholder leaves them open.
 */
const names: Readonly<Record<string, string>> = {
  'product-line/lot-code': 'Traceability lot code',
  'product-line/quantity-unit': 'Quantity and unit of measure',
  'product/name': 'Product description: product name',
  'product/commodity': 'Product description: commodity',
  'product/packaging-size': 'Product description: packaging size',
  'product/packaging-style': 'Product description: packaging style',
  'product-line/product-description': 'Product description: item in no product list',
  'receiving-event/ship-from-description': 'Location description of the immediate previous source',
  'receiving-event/ship-to-description': 'Location description of where the food was received',
  'receiving-event/date-received': 'Date received',
  'product-line/tlc-source-place': 'Traceability lot code source',
  'receiving-event/reference-document': 'Reference document',
  'shipping-event/ship-to-description': 'Location description of the immediate subsequent recipient',
  'shipping-event/ship-from-description': 'Location description of where the food was shipped from',
  'shipping-event/date-shipped': 'Date shipped',
  'shipping-event/reference-document': 'Reference document',
  'event/location-description': 'Location description',
  'event/date-given': 'Date of the event',
  'event/reference-document': 'Reference document',
  'event/element-stated': 'Further elements of the event',
  'event/line-element-stated': 'Further elements of the line',
  'event/seeds-stated': 'Seeds of sprouts',
  'event/commodity-stated': 'Commodity and variety',
}

/** The record where a gap is closed, for all lines with it. */
export type GapCause = 'product' | 'shipFrom' | 'shipTo' | 'lines' | 'event'

/**
 * Master data completes products and locations (decision 0052). Values of a line or an event are
 * corrected there.
 */
const causes: Readonly<Record<string, GapCause>> = {
  'product-line/lot-code': 'lines',
  'product-line/quantity-unit': 'lines',
  'product-line/tlc-source-place': 'lines',
  'product/name': 'product',
  'product/commodity': 'product',
  'product/packaging-size': 'product',
  'product/packaging-style': 'product',
  'product-line/product-description': 'product',
  'receiving-event/ship-from-description': 'shipFrom',
  'receiving-event/ship-to-description': 'shipTo',
}

export const causeOf = (rule: string): GapCause => causes[rule] ?? 'event'

/** Ids of the rules that report gaps of receiving events. */
export const gapRules: readonly string[] = rulesOf('receivingEvent')
  .filter(({ severity }) => severity === 'gap')
  .map(({ id }) => id)

/** Those of events of any kind. */
export const allGapRules: readonly string[] = [
  ...new Set(
    eventKindNames.flatMap((kind) => rulesOf(kind).flatMap(({ severity, id }) => (severity === 'gap' ? [id] : []))),
  ),
]

/**
 * The key data element that is missing where a gap has this key, and its source. A tally may
 * outlive its rule, and then has the id instead.
 */
export function keyDataElementOf(key: string): {
  readonly rule: string
  readonly kde: string
  readonly cites: string
} {
  const { rule, cites } = readGapKey(key)
  const own = cites === undefined ? [] : namedElements(rule, cites)
  const name = names[rule] ?? rule
  return {
    rule,
    kde: own.length === 0 ? name : rule === place ? `${name}: ${own.join(', ')}` : capitalize(own.join(', ')),
    cites: cites ?? ruleOf(rule)?.cites ?? '',
  }
}

const place = 'event/location-description'
const named: readonly string[] = [place, 'event/element-stated', 'event/line-element-stated']

/** What a paragraph wants, in the words of its kind. */
const namedElements = (rule: string, cites: string): readonly string[] =>
  named.includes(rule)
    ? eventKindList.flatMap(({ elements = [] }: EventKind) =>
        elements.flatMap((one: KeyDataElement) =>
          one.cites !== cites || (rule === place && one.is !== 'location')
            ? []
            : one.is === 'location'
              ? [one.name?.replace(/^the /, '') ?? `${words(placePartOf(one.field))} location`]
              : one.is === 'value'
                ? [one.name.replace(/^the /, '')]
                : [],
        ),
      )
    : []

const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A key of a gap of a kind, as an example. */
export const gapKeyExample = (kind: EventKind): string =>
  kind.name === eventKinds.receivingEvent.name
    ? 'product-line/lot-code'
    : kind.elements === undefined
      ? gapKeyOf('product-line/lot-code', '21 CFR 1.1340(a)(1)')
      : gapKeyOf('event/reference-document', kind.elements.find(({ is }) => is === 'document')?.cites ?? '')
