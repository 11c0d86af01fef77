// The limits of the service, in words.
import type { Limit } from '../../../client/generated/shapes.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
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
                <table class="measures cards limits" aria-label={title}>
                  <thead>
                    <tr>
                      <th scope="col">Limit</th>
                      <th scope="col" class="number">
                        At most
                      </th>
                      <th scope="col">Setting</th>
                    </tr>
                  </thead>
                  <tbody>
                    {content.map((limit) => (
                      <LimitRow key={limit.name} limit={limit} />
                    ))}
                  </tbody>
                </table>
              </section>
            ))}
          </div>
        )}
      </When>
    </>
  )
}

const LimitRow = ({ limit: { meaning, value, unit, setBy } }: { readonly limit: Limit }) => (
  <tr>
    <th scope="row">{meaning.replace(/\.$/, '')}</th>
    <td class="number" data-words="At most">
      {limitWords(value, unit)}
    </td>
    <td data-words="Setting">{setBy === null ? <span class="quiet">fixed</span> : <code>{setBy}</code>}</td>
  </tr>
)
