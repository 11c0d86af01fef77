// Partners: customers and vendors who see what was sent to them. For administrators.
import type { Partner } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { PartnerState } from '../../parts/sharing/partner-state.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { lastUseOf } from '../../records/sharing-words.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { dateTimeWords } from '../../words/labels.ts'

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
  const { api } = useOpenSession()
  const paged = usePaged(async (options) => (await api.listDeletedPartners(options)).body, [])
  return (
    <When asked={paged.asked} what="the deleted partners">
      {({ content }) =>
        content.length > 0 && (
          <section aria-labelledby="deleted-partners">
            <div class="section-head">
              <h2 id="deleted-partners">Deleted partners</h2>
            </div>
            <p class="quiet">Nothing is shared with them any more. What each of them read stays listed.</p>
            <table class="measures cards" aria-label="Deleted partners">
              <thead>
                <tr>
                  <th scope="col">Partner</th>
                  <th scope="col">Deleted</th>
                </tr>
              </thead>
              <tbody>
                {content.map(({ id, name, deletedDateTime }) => (
                  <tr key={id}>
                    <th scope="row">
                      <a href={hrefTo(`/partners/${id}`)}>
                        What <bdi>{name}</bdi> read
                      </a>
                    </th>
                    <td data-words="Deleted">
                      <time dateTime={deletedDateTime}>{dateTimeWords(deletedDateTime)}</time>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <ListEnd paged={paged} noun="deleted partner" />
          </section>
        )
      }
    </When>
  )
}

function AllPartners() {
  const { api } = useOpenSession()
  const paged = usePaged(async (options) => (await api.listPartners(options)).body, [])
  return (
    <When asked={paged.asked} what="the partners">
      {({ content }) =>
        content.length === 0 ? (
          <Empty title="Nothing is shared yet">
            <p>
              Create a partner for a customer who asks for traceability records: choose its places, read who sees what,
              and send the invitation.
            </p>
          </Empty>
        ) : (
          <>
            <table class="measures cards" aria-label="Partners">
              <thead>
                <tr>
                  <th scope="col">Partner</th>
                  <th scope="col">Access</th>
                  <th scope="col">Places</th>
                  <th scope="col">Sees</th>
                  <th scope="col">Last read</th>
                </tr>
              </thead>
              <tbody>
                {content.map((partner) => (
                  <PartnerRow key={partner.id} partner={partner} />
                ))}
              </tbody>
            </table>
            <ListEnd paged={paged} noun="partner" />
          </>
        )
      }
    </When>
  )
}

function PartnerRow({ partner }: { readonly partner: Partner }) {
  const { id, name, state, places, grants, records } = partner
  const lots = grants.filter(({ lotCode }) => lotCode).length
  const used = lastUseOf(partner)
  return (
    <tr>
      <th scope="row">
        <a href={hrefTo(`/partners/${id}`)}>
          <bdi>{name}</bdi>
        </a>
      </th>
      <td data-words="Access">
        <PartnerState state={state} />
      </td>
      <td data-words="Places">{pluralize(places.length, 'place')}</td>
      <td data-words="Sees">
        {grants.length === 0 ? <span class="quiet">nothing</span> : pluralize(records.receivingEvents, 'event')}
        {lots > 0 && <span class="quiet small"> with {pluralize(lots, 'opened lot')}</span>}
      </td>
      <td data-words="Last read">
        {used === undefined ? <span class="quiet">never</span> : <time dateTime={used}>{dateTimeWords(used)}</time>}
      </td>
    </tr>
  )
}
