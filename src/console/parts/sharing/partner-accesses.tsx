// The accesses of a partner, newest first.

import { usePaged } from '../../state/frame/paged.ts'
import { Empty } from '../frame/states.tsx'
import { accessColumns } from '../keeping/access-columns.tsx'
import { PagedTable } from '../tables/paged-table.tsx'

export function PartnerAccesses({ id }: { readonly id: string }) {
  const paged = usePaged((api, options) => api.listPartnerAccesses({ id, ...options }), [id])
  return (
    <PagedTable
      paged={paged}
      noun="entry"
      nouns="entries"
      newestFirst
      label="What the partner read"
      columns={accessColumns}
      keyOf={({ id }) => id}
      empty={
        <Empty title="It has not read anything yet">
          <p>Everything that it reads or downloads is recorded here before it is sent.</p>
        </Empty>
      }
    />
  )
}
