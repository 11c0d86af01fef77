// Kinds of differences in words. Pure.
import type { DifferencePage } from '../../client/generated/shapes.ts'
import { type DifferenceKind, differenceKinds } from '../../contract/difference-kinds.ts'

export const differenceKindWords: Readonly<Record<DifferenceKind, string>> = {
  notReceived: 'Not received',
  notShipped: 'Not shipped',
  quantity: 'Quantity',
  unit: 'Unit',
  lot: 'Lot code',
  item: 'Item',
  place: 'Place',
  date: 'Date',
  duplicate: 'Recorded twice',
}

export const shownKinds = ['any', ...differenceKinds] as const

/** `3 not received, 1 quantity`: those that there are. */
export const kindCountsWords = (kinds: DifferencePage['kinds']): string =>
  differenceKinds
    .filter((kind) => kinds[kind] > 0)
    .map((kind) => `${kinds[kind].toLocaleString('en')} ${differenceKindWords[kind].toLowerCase()}`)
    .join(', ')
