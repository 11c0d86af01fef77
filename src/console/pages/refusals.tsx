// What was sent and not taken, newest first.
import { usePaged } from '../paged.ts'
import { ListEnd } from '../parts/list-end.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { RefusalEntry } from '../parts/refusal-entry.tsx'
import { Empty, When } from '../parts/states.tsx'
import { useOpenSession } from '../session.ts'

/** Each takes a few lines. */
const limit = 20

export function RefusalsPage() {
  const { api } = useOpenSession()
  const paged = usePaged(async (options) => (await api.listRefusals({ ...options, limit })).body, [])
  return (
    <>
      <PageHead title="Refusals">
        <p class="quiet">
          Creates and replacements that were refused, newest first; the last thousand are kept, and none of their
          payloads.
        </p>
      </PageHead>
      <When asked={paged.asked} what="the refusals">
        {({ content }) =>
          content.length === 0 ? (
            <Empty title="Nothing was refused">
              <p>Dry runs are not noted: who asks for one is told.</p>
            </Empty>
          ) : (
            <>
              <ol class="refusals" aria-label="Refusals">
                {content.map((refusal) => (
                  <RefusalEntry key={refusal.id} refusal={refusal} />
                ))}
              </ol>
              <ListEnd paged={paged} noun="refusal" />
            </>
          )
        }
      </When>
    </>
  )
}
