// The accesses of a partner, newest first.

import { usePaged } from '../../state/frame/paged.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { Empty, When } from '../frame/states.tsx'
import { AccessTable } from '../keeping/access-table.tsx'
import { ListEnd } from '../tables/list-end.tsx'

export function PartnerAccesses({ id }: { readonly id: string }) {
  const { api } = useOpenSession()
  const paged = usePaged(async (options) => (await api.listPartnerAccesses({ id, ...options })).body, [id])
  return (
    <When asked={paged.asked} what="what it read">
      {({ content }) =>
        content.length === 0 ? (
          <Empty title="It has not read anything yet">
            <p>Everything that it reads or downloads is recorded here before it is sent.</p>
          </Empty>
        ) : (
          <>
            <AccessTable label="What the partner read" entries={content} />
            <ListEnd paged={paged} noun="entry" nouns="entries" newestFirst />
          </>
        )
      }
    </When>
  )
}
