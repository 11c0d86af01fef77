// The limits of the service, in words.
import type { Limit } from '../../../client/generated/shapes.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { limitGroups, limitWords } from '../../words/limits.ts'

export function LimitsPage() {
  const { api } = useOpenSession()
  const asked = useRequest(async (signal) => (await api.listLimits({ signal })).body.content, [])
  return (
    <>
      <PageHead title="Limits">
        <p class="quiet">
          How much the service takes at once, and how long it waits. The limits are the same for every key. A request
          beyond one is refused with an explanation. Where a setting is named, the operator can change the limit.
        </p>
      </PageHead>
      <When asked={asked} what="the limits">
        {(limits) => (
          <div class="sections">
            {limitGroups(limits).map(({ title, content }) => (
              <section key={title} aria-label={title}>
                <h2>{title}</h2>
                <DataTable class="limits" label={title} columns={columns} rows={content} keyOf={({ name }) => name} />
              </section>
            ))}
          </div>
        )}
      </When>
    </>
  )
}

const columns: readonly Column<Limit>[] = [
  { heading: 'Limit', cell: ({ meaning }) => meaning.replace(/\.$/, '') },
  { heading: 'At most', isNumber: true, cell: ({ value, unit }) => limitWords(value, unit) },
  {
    heading: 'Setting',
    cell: ({ setBy }) => (setBy === null ? <span class="quiet">fixed</span> : <code>{setBy}</code>),
  },
]
