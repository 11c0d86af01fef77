// Bulk corrections in the words of the page: fields, conditions, and the results of events. Pure.
import type { Correction } from '../../client/generated/shapes.ts'
import { changedFieldNames } from '../../contract/field-change.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { keyDataElementOf } from '../../rules/key-data-elements.ts'
import { labelOf } from '../words/labels.ts'

const partWords: Readonly<Record<string, string>> = {
  event: 'Event',
  line: 'Line',
  product: 'Product',
  location: 'Location',
}

/** `product.packStyle` as "Pack style", `location.address.city` as "Address city". */
const labelOfField = (name: string): string => {
  const [, ...path] = name.split('.')
  return path.map((step, i) => (i === 0 ? labelOf(step) : labelOf(step).toLowerCase())).join(' ')
}

/** `product.packStyle` as "Product: Pack style". */
export const fieldWords = (name: string): string => `${partWords[name.split('.')[0] ?? '']}: ${labelOfField(name)}`

/** Fields to choose from, by the part of the event that has them. */
export const fieldChoices: readonly {
  readonly words: string
  readonly choices: readonly (readonly [name: string, words: string])[]
}[] = Object.entries(partWords).map(([part, words]) => ({
  words,
  choices: changedFieldNames
    .filter((name) => name.startsWith(`${part}.`))
    .map((name) => [name, labelOfField(name)] as const),
}))

/** The fields that fill a gap, where the gap is one of lines or events. */
export function fieldsForGap(rule: string | undefined): readonly string[] {
  switch (rule) {
    case 'product-line/tlc-source-place':
      return ['Name', 'Address1', 'City', 'State', 'PostalCode', 'Country', 'PhoneNumber'].map(
        (name) => `line.tlcSource${name}`,
      )
    case 'product-line/lot-code':
      return ['line.caseLotNumber']
    case 'product-line/quantity-unit':
      return ['line.shipQuantityUom']
    case 'receiving-event/reference-document':
      return ['event.billOfLadingNumber']
    default:
      return ['']
  }
}

/** Filters of the list of events that a correction has as well, and their names there. */
const choosing: Readonly<Record<string, string>> = {
  dataProviderVendorId: 'dataProviderVendorId',
  shipToLocationCode: 'shipToLocationCode',
  purchaseOrderNumber: 'purchaseOrderNumber',
  itemCode: 'itemCode',
  lotCode: 'lotCode',
  gapRule: 'gap',
}

/**
 * Where the events of a list are corrected together; undefined where nothing narrows the list, or a
 * filter does that a correction does not have: it would choose more than is shown.
 * Its form has one value of each.
 */
export function correctionAddress(filters: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(filters)
  const several = Object.values(filters).some((value) => value.includes('\n'))
  if (several || names.length === 0 || names.some((name) => choosing[name] === undefined)) return undefined
  const chosen = Object.entries(filters).map(([name, value]): [string, string] => [choosing[name] ?? name, value])
  return `/corrections/new?${new URLSearchParams(chosen)}`
}

type Change = Correction['changes'][number]

/** "Set Product: Pack style to “Carton” where it is missing". */
export function changeWords({ field, set, remove, replace, overwrite }: Change): string {
  const what = remove ? `Remove ${fieldWords(field)}` : `Set ${fieldWords(field)} to “${set}”`
  if (replace !== undefined) return `${what} where it is “${replace}”`
  return overwrite ? `${what} in every case` : `${what} where it is missing`
}

/** The common values of the events of a correction, as short sentences. */
export function whereWords({
  gap,
  eventStartDate,
  eventEndDate,
  recordId,
  ...lists
}: Correction['where']): readonly string[] {
  return [
    ...(recordId === undefined ? [] : [pluralize(recordId.length, 'chosen event')]),
    ...(gap === undefined ? [] : [`Gap: ${keyDataElementOf(gap).kde}`]),
    ...(eventStartDate === undefined ? [] : [`Received from ${eventStartDate}`]),
    ...(eventEndDate === undefined ? [] : [`Received until ${eventEndDate}`]),
    ...Object.entries(lists).map(([name, values]) => `${whereLabel(name)} ${(values ?? []).join(', ')}`),
  ]
}

const whereLabels: Readonly<Record<string, string>> = {
  dataProviderVendorId: 'Vendor',
  shipToLocationCode: 'Receiving location',
  purchaseOrderNumber: 'Purchase order',
  itemCode: 'Item',
  lotCode: 'Lot code',
}

export const whereLabel = (name: string): string => whereLabels[name] ?? labelOf(name)

export type CorrectionOutcome = keyof Correction['outcomes']

/** In the order in which a reader wants to see them. */
export const outcomeWords: Readonly<Record<CorrectionOutcome, string>> = {
  ready: 'To be corrected',
  corrected: 'Corrected',
  refused: 'Refused by the rules',
  superseded: 'Changed meanwhile',
  failed: 'Failed',
  gone: 'Purged',
  leftOut: 'Left out',
  unchanged: 'Nothing to change',
  waiting: 'Not checked yet',
}

export const stateWords: Readonly<Record<Correction['state'], string>> = {
  previewing: 'being checked',
  previewed: 'preview',
  applying: 'being applied',
  done: 'done',
  cancelled: 'cancelled',
}

/** The effect of applying it: "6,470 lines become complete and 6,483 gaps close". */
export function effectWords({ completedLines, closedGaps, state }: Correction): string | undefined {
  const words = [
    ...effect(
      completedLines,
      'line',
      ['complete', 'incomplete'].map((how) => `become ${how}`),
      state,
    ),
    ...effect(closedGaps, 'gap', ['close', 'open'], state),
  ]
  return words.length === 0 ? undefined : words.join(' and ')
}

/** The verb for so many; fewer than none do the opposite. */
function effect(
  count: number,
  noun: string,
  [verb = '', opposite = '']: readonly string[],
  state: Correction['state'],
): readonly string[] {
  if (count === 0) return []
  const does = count > 0 ? verb : opposite
  const how =
    state === 'done'
      ? (pastTenses[does] ?? does.replace('become', 'became'))
      : Math.abs(count) === 1
        ? does.replace(/^\w+/, '$&s')
        : does
  return [`${pluralize(Math.abs(count), noun)} ${how}`]
}

const pastTenses: Readonly<Record<string, string>> = { close: 'closed', open: 'opened' }
