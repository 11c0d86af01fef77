// Receiving and shipping events that are voided: which, when, by whom and why, the latest first.

import type { Void } from '../../../client/generated/shapes.ts'
import { eventKinds, placeFieldsOf } from '../../../contract/record-kinds.ts'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { KeyName } from '../../parts/fields/key-name.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty } from '../../parts/frame/states.tsx'
import { PlaceNames } from '../../parts/records/place-names.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { type Fields, textOf } from '../../records/record-summary.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay } from '../../state/frame/session.ts'

const columns: readonly Column<Void>[] = [
  {
    heading: 'Purchase order',
    cell: ({ id, kind, purchaseOrderNumber }) => (
      <a href={hrefTo(`${sectionOf({ name: kind }).path}/${id}`)}>
        {purchaseOrderNumber === null ? 'No purchase order' : <bdi>{purchaseOrderNumber}</bdi>}
      </a>
    ),
  },
  { heading: 'Event', cell: ({ kind }) => capitalize(eventKinds[kind].happened) },
  { heading: 'Date', cell: ({ eventDate }) => eventDate },
  {
    heading: 'From → to',
    cell: ({ kind, ...one }) => (
      <PlaceNames names={placeFieldsOf(eventKinds[kind]).map((field) => textOf((one as Fields)[field]))} />
    ),
  },
  { heading: 'Vendor', cell: ({ dataProviderVendorId }) => <bdi>{dataProviderVendorId}</bdi> },
  { heading: 'Reason', cell: ({ reason }) => <bdi>{reason}</bdi> },
  {
    heading: 'Voided',
    cell: ({ voidedDateTime, keyName, keyId }) => (
      <>
        <Instant instant={voidedDateTime} toSecond />{' '}
        <span class="quiet small">
          by <KeyName name={keyName} id={keyId} />
        </span>
      </>
    ),
  },
]

export function VoidsPage() {
  const paged = usePaged((api, options) => api.listVoids(options), [])
  return (
    <>
      <PageHead title="Voided events">
        <p class="quiet">
          Receiving and shipping events that were entered by mistake. Lists, traces, completeness and exports leave them
          out. They stay stored, and each can be restored on its page.
        </p>
      </PageHead>
      <PagedTable
        paged={paged}
        noun="voided event"
        newestFirst
        label="Voided events"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No event is voided">
            <p>
              {useMay('writer')
                ? 'To void one, open it and press “Void…”.'
                : 'Events that were entered by mistake appear here.'}
            </p>
          </Empty>
        }
      />
    </>
  )
}
