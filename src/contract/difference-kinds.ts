// In what shipping and receiving events may not agree. Source: decision 0081.
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
