// Refused payloads: the mistakes by frequency, then each refusal in a table. The choice is in the
// address.
import { useState } from 'preact/hooks'
import type { Refusal } from '../../../client/generated/shapes.ts'
import { Modal } from '../../parts/frame/modal.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { RefusalEntry, RefusedAt } from '../../parts/records/refusal-entry.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { LocalTable } from '../../parts/tables/local-table.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import { queryOf } from '../../records/filters.ts'
import { reasonWords, refusalTable } from '../../records/refusal-table.tsx'
import { hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { groupedByReason } from '../../words/refusals.ts'
import type { PageProps } from '../frame/page.ts'

const { path } = refusalTable

export function RefusalsPage({ query }: PageProps) {
  const { api, own } = useOpenSession()
  // Load all of them, so that they can be sorted and counted.
  const asked = useRequest(async (signal) => {
    const refusals: Refusal[] = []
    for await (const refusal of api.each('listRefusals', { limit: 200, signal })) refusals.push(refusal)
    return refusals
  }, [])
  const isOwn = query.get('keyId') === own.keyId
  return (
    <>
      <PageHead title="Refusals">
        <p class="quiet">
          Creates and replacements that were refused, newest first. The last 1,000 are kept, without their payloads.
        </p>
        <Tabs
          label="Sent by"
          tabs={[
            { words: 'Everyone', path, isHere: !isOwn },
            { words: own.isPerson ? 'You' : 'This key', path: path + queryOf({ keyId: own.keyId }), isHere: isOwn },
          ]}
        />
      </PageHead>
      <When asked={asked} what="the refusals">
        {(refusals) =>
          refusals.length === 0 ? (
            <Empty title="Nothing was refused">
              <p>Dry runs are not recorded.</p>
            </Empty>
          ) : (
            <LocalTable
              table={refusalTable}
              rows={refusals}
              keyOf={({ id }) => id}
              query={query}
              shownElsewhere={['reason']}
              above={(shown) => <Reasons refusals={shown} query={query} />}
              opened={(refusal, close) => (
                <Modal labelledBy="refusal-title" onClose={close}>
                  <RefusalEntry refusal={refusal} />
                  <form method="dialog">
                    <button type="submit">Close</button>
                  </form>
                </Modal>
              )}
            />
          )
        }
      </When>
    </>
  )
}

/** Reasons in sight until all are asked for. */
const reasonsShown = 5

function Reasons({ refusals, query }: { readonly refusals: readonly Refusal[]; readonly query: URLSearchParams }) {
  const [all, setAll] = useState(false)
  const groups = groupedByReason(refusals)
  if (groups.length === 0) return null
  const chosen = query.getAll('reason')
  const addressOf = (reason: string): string => {
    const next = new URLSearchParams(query)
    next.set('reason', reason)
    next.delete('open')
    return `${path}?${next}`
  }
  return (
    <>
      <DataTable
        class="reasons"
        label="What was wrong"
        columns={[
          {
            heading: 'What was wrong',
            cell: ({ reason }) => {
              const words = reasonWords(reason)
              return (
                <>
                  <a href={hrefTo(addressOf(reason))} aria-current={chosen.includes(reason) ? 'true' : undefined}>
                    {words}
                  </a>
                  {words !== reason && <code class="quiet small">{reason}</code>}
                </>
              )
            },
          },
          { heading: 'Refusals', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
          { heading: 'Latest', cell: ({ latest }) => <RefusedAt refusal={latest} /> },
        ]}
        rows={groups.slice(0, all ? undefined : reasonsShown)}
        keyOf={({ reason }) => reason}
        rowAttributes={({ reason }) => ({ class: chosen.includes(reason) ? 'chosen-row' : undefined })}
      />
      {groups.length > reasonsShown && (
        <p>
          <button type="button" class="plain" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${groups.length} reasons`}
          </button>
        </p>
      )}
    </>
  )
}
