// The kinds of differences between shipping and receiving events. Source: decision 0081.
export const differenceKinds = [
  'notReceived',
  'notShipped',
  'quantity',
  'unit',
  'lot',
  'item',
  'place',
  'date',
  'duplicate',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/** The kinds as a person reads them. */
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

/** `3 not received, 1 quantity`: those that there are. */
export const kindCountsText = (counts: Readonly<Record<DifferenceKind, number>>): string =>
  differenceKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind].toLocaleString('en')} ${differenceKindWords[kind].toLowerCase()}`)
    .join(', ')
