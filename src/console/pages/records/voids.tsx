// Receiving and shipping events that are voided: which, when, by whom and why, the latest first.
import { KeyName } from '../../parts/fields/key-name.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { sectionOf } from '../../records/record-sections.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { dateTimeWords } from '../../words/labels.ts'

export function VoidsPage() {
  const { api } = useOpenSession()
  const paged = usePaged(async (options) => (await api.listVoids(options)).body, [])
  return (
    <>
      <PageHead title="Voided events">
        <p class="quiet">
          Receiving and shipping events that were entered by mistake. Lists, traces, completeness and exports leave them
          out. They stay stored, and each can be restored on its page.
        </p>
      </PageHead>
      <When asked={paged.asked} what="the voided events">
        {({ content }) =>
          content.length === 0 ? (
            <Empty title="No event is voided">
              <p>To void one, open it and press “Void…”.</p>
            </Empty>
          ) : (
            <>
              <table class="measures cards" aria-label="Voided events">
                <thead>
                  <tr>
                    <th scope="col">Purchase order</th>
                    <th scope="col">Event</th>
                    <th scope="col">Date</th>
                    <th scope="col">From → to</th>
                    <th scope="col">Vendor</th>
                    <th scope="col">Reason</th>
                    <th scope="col">Voided</th>
                  </tr>
                </thead>
                <tbody>
                  {content.map((one) => (
                    <tr key={one.id}>
                      <th scope="row">
                        <a href={hrefTo(`${sectionOf({ name: one.kind }).path}/${one.id}`)}>
                          {one.purchaseOrderNumber === null ? (
                            'No purchase order'
                          ) : (
                            <bdi>{one.purchaseOrderNumber}</bdi>
                          )}
                        </a>
                      </th>
                      <td data-words="Event">{one.kind === 'shippingEvent' ? 'Shipped' : 'Received'}</td>
                      <td data-words="Date">{one.eventDate}</td>
                      <td data-words="From → to">
                        <bdi>{one.shipFromLocationCode}</bdi> → <bdi>{one.shipToLocationCode}</bdi>
                      </td>
                      <td data-words="Vendor">
                        <bdi>{one.dataProviderVendorId}</bdi>
                      </td>
                      <td data-words="Reason">
                        <bdi>{one.reason}</bdi>
                      </td>
                      <td data-words="Voided">
                        <time dateTime={one.voidedDateTime}>{dateTimeWords(one.voidedDateTime)}</time>{' '}
                        <span class="quiet small">
                          by <KeyName name={one.keyName} id={one.keyId} />
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <ListEnd paged={paged} noun="voided event" newestFirst />
            </>
          )
        }
      </When>
    </>
  )
}
