// Columns that another program's sheet may have beside those of our template: kinds and numbers of
// reference documents, which become fields of an event together (`joinCells`).
import type { Column } from './template.ts'

/** Names of values that become a column only together with other cells of the row. */
export const documentPairs = [
  ['referenceDocumentType', 'referenceDocumentNumber'],
  ['referenceDocumentType2', 'referenceDocumentNumber2'],
] as const

const column = (name: string, meaning: string, example: string): Column => ({
  name,
  heading: name,
  part: 'event',
  path: [name],
  form: 'text',
  required: false,
  meaning,
  example,
  section: '',
})

/** Can be mapped to, and are in no template. */
export const documentColumns: readonly Column[] = [
  column('referenceDocumentType', 'Kind of the reference document in the row.', 'Bill of Lading (BOL)'),
  column(
    'referenceDocumentNumber',
    'Number of the reference document, with its kind in front where no column has the kind.',
    'BOL-55310',
  ),
]
