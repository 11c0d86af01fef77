// Partners: customers and vendors who see the events that concern them. For administrators.
import type { Partner } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { OwnDisplayName } from '../../parts/fields/display-name.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { PartnerState } from '../../parts/sharing/partner-state.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { lastUseOf } from '../../records/sharing-words.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'

export function PartnersPage() {
  const { own } = useOpenSession()
  const mayManage = useMay('administrator')
  return (
    <>
      <PageHead
        title="Partners"
        actions={
          mayManage && (
            <a class="button main" href={hrefTo('/partners/new')}>
              New partner
            </a>
          )
        }
      >
        <p class="quiet">
          A partner sees the receiving events of its own places, from the day you say, and nothing else. You see what it
          may read and what it has read, and can end its access at any time.
        </p>
      </PageHead>
      {mayManage ? (
        <>
          <OwnDisplayName />
          <AllPartners />
          <DeletedPartners />
        </>
      ) : (
        <p class="callout">Only an administrator key can see and change partners. Yours is a {own.role} key.</p>
      )}
    </>
  )
}

function DeletedPartners() {
  const paged = usePaged((api, options) => api.listDeletedPartners(options), [])
  return (
    <When asked={paged.asked} what="the deleted partners">
      {({ content }) =>
        content.length > 0 && (
          <section aria-labelledby="deleted-partners">
            <div class="section-head">
              <h2 id="deleted-partners">Deleted partners</h2>
            </div>
            <p class="quiet">Nothing is shared with them any more. What each of them read stays listed.</p>
            <DataTable
              label="Deleted partners"
              columns={[
                {
                  heading: 'Partner',
                  cell: ({ id, name }) => (
                    <a href={hrefTo(`/partners/${id}`)}>
                      What <bdi>{name}</bdi> read
                    </a>
                  ),
                },
                {
                  heading: 'Deleted',
                  cell: ({ deletedDateTime }) => <Instant instant={deletedDateTime} toSecond />,
                },
              ]}
              rows={content}
              keyOf={({ id }) => id}
            />
            <ListEnd paged={paged} noun="deleted partner" />
          </section>
        )
      }
    </When>
  )
}

function AllPartners() {
  const paged = usePaged((api, options) => api.listPartners(options), [])
  return (
    <PagedTable
      paged={paged}
      noun="partner"
      label="Partners"
      columns={columns}
      keyOf={({ id }) => id}
      empty={
        <Empty title="Nothing is shared yet">
          <p>
            Create a partner for a customer who asks for traceability records: choose its places, read who sees what,
            and send the invitation.
          </p>
        </Empty>
      }
    />
  )
}

const columns: readonly Column<Partner>[] = [
  {
    heading: 'Partner',
    cell: ({ id, name }) => (
      <a href={hrefTo(`/partners/${id}`)}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { heading: 'Access', cell: ({ state }) => <PartnerState state={state} /> },
  { heading: 'Places', cell: ({ places }) => pluralize(places.length, 'place') },
  {
    heading: 'Sees',
    cell: ({ grants, records }) => {
      const lots = grants.filter(({ lotCode }) => lotCode).length
      return (
        <>
          {grants.length === 0 ? <span class="quiet">nothing</span> : pluralize(records.receivingEvents, 'event')}
          {lots > 0 && <span class="quiet small"> with {pluralize(lots, 'opened lot')}</span>}
        </>
      )
    },
  },
  {
    heading: 'Last read',
    cell: (partner) => <Instant instant={lastUseOf(partner) ?? null} toSecond />,
  },
]
