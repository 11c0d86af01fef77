// What was sent and not taken: what was wrong and how often, then each refusal, newest first. The
// choice stands in the address.

import type { Refusal } from '../../client/generated/shapes.ts'
import { ruleOf } from '../../rules/catalogue.ts'
import { ListEnd } from '../parts/list-end.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { RefusalEntry, RefusedAt } from '../parts/refusal-entry.tsx'
import { Empty, When } from '../parts/states.tsx'
import { queryOf } from '../records/filters.ts'
import { hrefTo } from '../state/address.ts'
import { usePaged } from '../state/paged.ts'
import { useOpenSession } from '../state/session.ts'
import { pluralize } from '../words/labels.ts'
import { groupedByReason, reasonsOf } from '../words/refusals.ts'
import { screenText } from '../words/screen-words.ts'
import type { PageProps } from './page.ts'

const path = '/refusals'
/** As many as an integrator looks back on. */
const limit = 100

export function RefusalsPage({ query }: PageProps) {
  const { api, own } = useOpenSession()
  const paged = usePaged(async (options) => (await api.listRefusals({ ...options, limit })).body, [])
  const reason = query.get('reason') ?? ''
  const isOwn = query.get('key') === 'own'
  return (
    <>
      <PageHead title="Refusals">
        <p class="quiet">
          Creates and replacements that were refused, newest first. The last 1,000 are kept, without their payloads.
        </p>
        <nav class="tabs" aria-label="Sent by">
          <a href={hrefTo(path + queryOf({ reason }))} aria-current={isOwn ? undefined : 'page'}>
            Every key
          </a>
          <a href={hrefTo(path + queryOf({ reason, key: 'own' }))} aria-current={isOwn ? 'page' : undefined}>
            This key
          </a>
        </nav>
      </PageHead>
      <When asked={paged.asked} what="the refusals">
        {({ content }) => {
          if (content.length === 0)
            return (
              <Empty title="Nothing was refused">
                <p>Dry runs are not recorded.</p>
              </Empty>
            )
          const sent = isOwn ? content.filter(({ keyId }) => keyId === own.keyId) : content
          const shown = reason === '' ? sent : sent.filter((refusal) => reasonsOf(refusal).includes(reason))
          return (
            <>
              <Reasons refusals={sent} chosen={reason} isOwn={isOwn} />
              {shown.length < content.length && (
                <p class="with-button" role="status">
                  <span>
                    {shown.length} of {pluralize(content.length, 'loaded refusal')} match.
                  </span>
                  <a href={hrefTo(path)}>Show all</a>
                </p>
              )}
              <ol class="refusals" aria-label="Refusals">
                {shown.map((refusal) => (
                  <RefusalEntry key={refusal.id} refusal={refusal} />
                ))}
              </ol>
              <ListEnd paged={paged} noun="refusal" />
            </>
          )
        }}
      </When>
    </>
  )
}

interface ReasonsProps {
  readonly refusals: readonly Refusal[]
  readonly chosen: string
  readonly isOwn: boolean
}

function Reasons({ refusals, chosen, isOwn }: ReasonsProps) {
  const key = isOwn ? 'own' : ''
  return (
    <table class="measures cards reasons" aria-label="What was wrong">
      <thead>
        <tr>
          <th scope="col">What was wrong</th>
          <th scope="col" class="number">
            Refusals
          </th>
          <th scope="col">Latest</th>
        </tr>
      </thead>
      <tbody>
        {groupedByReason(refusals).map(({ reason, count, latest }) => (
          <tr key={reason} class={reason === chosen ? 'chosen-row' : undefined}>
            <th scope="row">
              <a href={hrefTo(path + queryOf({ reason, key }))} aria-current={reason === chosen ? 'true' : undefined}>
                <code>{reason}</code>
              </a>
              <span class="quiet">{screenText(ruleOf(reason)?.summary ?? '')}</span>
            </th>
            <td class="number" data-words="Refusals">
              {count.toLocaleString('en')}
            </td>
            <td data-words="Latest">
              <RefusedAt refusal={latest} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
