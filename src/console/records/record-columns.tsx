// The columns of each list: what a person looks for, the most telling first.
import type { ComponentChildren } from 'preact'
import type { AnyRecord } from '../../client/client.ts'
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { ListedFindings } from '../parts/listed-findings.tsx'
import { pluralize } from '../words/labels.ts'
import { eventSummary, fieldsOf, joinGiven, textOf } from './record-summary.ts'

export interface Column {
  readonly words: string
  /** Its share of the width. */
  readonly share: number
  readonly cell: (record: AnyRecord) => ComponentChildren
  /** Left out where the window is narrow. */
  readonly wide?: boolean
  /** Left out on paper: what is asked row by row is not there for all of them. */
  readonly onScreen?: boolean
}

const shownLotCodes = 2

const Lots = ({ codes }: { readonly codes: readonly string[] }) => (
  <>
    <span class="mono" dir="auto">
      {codes.slice(0, shownLotCodes).join(', ')}
    </span>
    {codes.length > shownLotCodes && <span class="quiet"> +{codes.length - shownLotCodes}</span>}
  </>
)

const product = (record: AnyRecord) => fieldsOf(record.productMasterDataList)
const location = (record: AnyRecord) => fieldsOf(record.locationMasterList)

export const recordColumns: Readonly<Record<RecordKindName, readonly Column[]>> = {
  receivingEvent: [
    { words: 'Received', share: 17, cell: (record) => eventSummary(record).received },
    {
      words: 'From → to',
      share: 24,
      cell: (record) => {
        const { from, to } = eventSummary(record)
        return (
          <>
            <bdi>{from}</bdi> <span class="quiet">→</span> <bdi>{to}</bdi>
          </>
        )
      },
    },
    { words: 'Purchase order', share: 12, cell: (record) => <bdi>{eventSummary(record).purchaseOrder}</bdi> },
    { words: 'Vendor', share: 13, cell: (record) => <bdi>{eventSummary(record).vendor}</bdi>, wide: true },
    { words: 'Lot codes', share: 14, cell: (record) => <Lots codes={eventSummary(record).lotCodes} /> },
    { words: 'Lines', share: 6, cell: (record) => pluralize(eventSummary(record).lineCount, 'line'), wide: true },
    {
      words: 'Findings',
      share: 14,
      cell: ({ id }) => <ListedFindings id={id} />,
      onScreen: true,
    },
  ],
  masterProduct: [
    { words: 'Item code', share: 14, cell: (record) => <bdi class="mono">{textOf(product(record).itemCode)}</bdi> },
    { words: 'Description', share: 30, cell: (record) => <bdi>{textOf(product(record).itemDescription)}</bdi> },
    {
      words: 'Vendor',
      share: 18,
      cell: (record) => (
        <bdi>{textOf(product(record).dataProviderVendorName) || textOf(product(record).dataProviderVendorId)}</bdi>
      ),
    },
    { words: 'FTL category', share: 16, cell: (record) => <bdi>{textOf(product(record).ftlCategory)}</bdi> },
    { words: 'GTIN', share: 14, cell: (record) => <bdi class="mono">{textOf(product(record).gtin)}</bdi>, wide: true },
    { words: 'Brand', share: 14, cell: (record) => <bdi>{textOf(product(record).brandName)}</bdi>, wide: true },
  ],
  location: [
    {
      words: 'Location code',
      share: 16,
      cell: (record) => <bdi class="mono">{textOf(location(record).locationCode)}</bdi>,
    },
    { words: 'Name', share: 28, cell: (record) => <bdi>{textOf(location(record).locationName)}</bdi> },
    { words: 'Vendor', share: 14, cell: (record) => <bdi>{textOf(location(record).dataProviderVendorId)}</bdi> },
    {
      words: 'Place',
      share: 20,
      cell: (record) => {
        const { city, state, country } = fieldsOf(location(record).address)
        return <bdi>{joinGiven(', ', city, state, country)}</bdi>
      },
    },
    { words: 'GLN', share: 16, cell: (record) => <bdi class="mono">{textOf(location(record).gln)}</bdi>, wide: true },
    { words: 'Type', share: 12, cell: (record) => <bdi>{textOf(location(record).locationType)}</bdi>, wide: true },
  ],
}
