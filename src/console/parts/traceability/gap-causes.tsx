// Entries to complete once, so that the gaps of many lines close.
import type { GapCauses } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMay } from '../../state/frame/session.ts'
import { VendorName } from '../records/vendor-name.tsx'
import { DataTable } from '../tables/data-table.tsx'

type Cause = GapCauses['causes'][number]

/**
 * Where the cause is completed, and the words of the button; undefined where only the event itself
 * can be edited.
 */
function actionOf({ completedBy, rule, dataProviderVendorId, code }: Cause): readonly [string, string] | undefined {
  if (completedBy !== 'correction' && code !== null) {
    const kind = completedBy === 'location' ? 'location' : 'product'
    const about = new URLSearchParams({ [kind]: code, dataProviderVendorId, rule })
    return [`/completeness/complete?${about}`, `Complete ${kind}`]
  }
  if (rule === 'receiving-event/date-received') return undefined
  const about = new URLSearchParams({ gap: rule, dataProviderVendorId, ...(code !== null && { itemCode: code }) })
  return [`/corrections/new?${about}`, 'Correct events']
}

export function GapCauseTable({ causes: { causes, causeCount } }: { readonly causes: GapCauses }) {
  const mayWrite = useMay('writer')
  if (causes.length === 0) return null
  return (
    <section class="causes" aria-labelledby="causes-title">
      <h2 id="causes-title">What to complete</h2>
      <p class="quiet">One entry completes all of these lines. The cause of the most lines is first.</p>
      <DataTable
        label="What to complete"
        columns={[...columns, mayWrite && actionColumn]}
        rows={causes}
        keyOf={({ rule, dataProviderVendorId, code }) => `${rule} ${dataProviderVendorId} ${code}`}
      />
      {causeCount > causes.length && (
        <p class="list-end quiet">
          The {causes.length} with the most lines, of {pluralize(causeCount, 'cause')}.
        </p>
      )}
    </section>
  )
}

const nouns = { masterProduct: 'Item', location: 'Location', correction: 'Lines of item' } as const

const columns: readonly Column<Cause>[] = [
  {
    heading: 'Missing',
    cell: ({ kde, cites }) => (
      <>
        {kde} <span class="quiet small">{cites}</span>
      </>
    ),
  },
  {
    heading: 'Of',
    cell: ({ completedBy, code, dataProviderVendorId, dataProviderVendorName }) => (
      <>
        {code === null ? (
          'Events'
        ) : (
          <>
            {nouns[completedBy]} <bdi class="mono">{code}</bdi>
          </>
        )}{' '}
        <span class="quiet">
          of vendor <VendorName id={dataProviderVendorId} name={dataProviderVendorName} />
        </span>
      </>
    ),
  },
  { heading: 'Lines', isNumber: true, cell: ({ lines }) => lines.toLocaleString('en') },
  { heading: 'Events', isNumber: true, cell: ({ events }) => events.toLocaleString('en') },
]

const actionColumn: Column<Cause> = {
  heading: 'Complete',
  isAction: true,
  class: 'row-action',
  cell: (cause) => {
    const action = actionOf(cause)
    return (
      action && (
        <a class="button" href={hrefTo(action[0])}>
          {action[1]}
          <span class="hidden">
            {' '}
            {cause.code}: {cause.kde}
          </span>
        </a>
      )
    )
  },
}
