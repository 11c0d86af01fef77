// The access log: who received which data, and who changed keys and legal holds or purged. For
// administrators.
import type { ListValues } from '../../../client/generated/shapes.ts'
import { listAccessLog } from '../../../operations/keeping/access-log.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { accessColumns } from '../../parts/keeping/access-columns.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import { UnknownFilters } from '../../parts/tables/table-actions.tsx'
import { filtersIn, queryOf } from '../../records/filters.ts'
import { go } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { labelOf } from '../../words/labels.ts'
import type { PageProps } from '../frame/page.ts'

export function AccessLogPage({ query }: PageProps) {
  const mayRead = useMay('administrator')
  const { own } = useOpenSession()
  return (
    <>
      <PageHead title="Access log">
        <p class="quiet">
          Exports, purges, and changes to keys and legal holds, newest first. Each export is recorded before it is sent.
          Entries are never changed or deleted.
        </p>
      </PageHead>
      {mayRead ? (
        <Entries query={query} />
      ) : (
        <p class="callout">
          Only an administrator key can read the access log, because it shows the requests of others. Yours is a{' '}
          {own.role} key.
        </p>
      )}
    </>
  )
}

const { limit: _, cursor: __, ...declared } = listAccessLog.query

function Entries({ query }: Pick<PageProps, 'query'>) {
  const { filters, unknown } = filtersIn(query, declared)
  const paged = usePaged((api, options) => api.listAccessLog({ ...filters, ...options }), [filters])
  const loaded = paged.asked.is === 'answered' ? paged.asked.value : undefined
  /** The filters of the entries on this page. */
  const valuesOf = async (name: string, containing: string): Promise<ListValues> => {
    const counts = new Map<string, ListValues['content'][number]>()
    for (const { who, keyName, operation } of loaded?.content ?? []) {
      const [value, label] = name === 'who' ? [who, keyName ?? null] : [operation, labelOf(operation)]
      counts.set(value, { value, label, records: (counts.get(value)?.records ?? 0) + 1 })
    }
    const fits = ({ value, label }: ListValues['content'][number]) =>
      `${value} ${label}`.toLowerCase().includes(containing.toLowerCase())
    return { content: [...counts.values()].filter(fits), isWhole: loaded?.nextCursor === null }
  }
  return (
    <>
      <FilterBar
        declared={declared}
        search="who"
        shownElsewhere={['operation']}
        filters={filters}
        onFilter={(next) => go(`/access-log${queryOf(next)}`)}
        values={{ of: ['who', 'operation'], nouns: 'entries', ask: valuesOf }}
      />
      <UnknownFilters unknown={unknown} />
      <PagedTable
        paged={paged}
        noun="entry"
        nouns="entries"
        label="Access log"
        columns={accessColumns}
        keyOf={({ id }) => id}
      />
    </>
  )
}
