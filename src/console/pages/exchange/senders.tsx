// Senders of ship notices and of EPCIS documents: how their files are read.
import { useState } from 'preact/hooks'
import type { CaptureSender, ShipNoticeSender, UnknownSender } from '../../../client/generated/shapes.ts'
import { type NoticeSender, senderKeyOf } from '../../../contract/ship-notice-sender.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { VendorName } from '../../parts/records/vendor-name.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { codeLists, codeNouns, noticeSenderPath, senderNames } from '../../records/sender-settings.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useVersionedAnswer } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { labelOf } from '../../words/labels.ts'

export function SendersPage() {
  const { own } = useOpenSession()
  const maySet = useMay('administrator')
  return (
    <>
      <PageHead title="Senders">
        <p class="quiet">
          Who sends you ship notices and EPCIS documents, and what their files leave out: the vendor, the time zone,
          what their codes mean. Settings apply to files that come in from now on.
        </p>
        {!maySet && <p class="callout">Only an administrator key can change senders. Yours is a {own.role} key.</p>}
      </PageHead>
      <div class="sections">
        <ShipNoticeSenders maySet={maySet} />
        <CaptureSenders maySet={maySet} />
      </div>
    </>
  )
}

interface SectionProps {
  readonly maySet: boolean
}

function ShipNoticeSenders({ maySet }: SectionProps) {
  const { api } = useOpenSession()
  const asked = useVersionedAnswer((api, signal) => api.listShipNoticeSenders({ signal }))
  const path = '/senders/ship-notices'
  return (
    <section aria-labelledby="notice-senders">
      <SectionHead id="notice-senders" title="Ship notices (X12 856)" path={maySet ? path : undefined} noun="sender" />
      <When asked={asked} what="the senders of ship notices">
        {({ content, notSetUp, version }) => (
          <>
            {content.length === 0 ? (
              <Empty title="No sender is set up">
                <p>The ship notices of a sender are read once its vendor is known.</p>
              </Empty>
            ) : (
              <DataTable
                label="Senders of ship notices"
                columns={[
                  ...noticeColumns,
                  maySet && {
                    heading: 'Change',
                    isAction: true,
                    cell: ({ sender }) => (
                      <SenderActions
                        name={sender.senderId}
                        href={hrefTo(noticeSenderPath(sender))}
                        consequence="Its ship notices are refused from now on. Events that were made of earlier ones stay."
                        remove={() =>
                          api.setShipNoticeSenders({
                            body: { senders: [nobodyOf(sender)] },
                            ifMatch: version,
                          })
                        }
                        onRemoved={asked.again}
                      />
                    ),
                  },
                ]}
                rows={content}
                keyOf={({ sender }) => senderKeyOf(sender)}
              />
            )}
            {notSetUp.length > 0 && <UnknownSenders senders={notSetUp} maySet={maySet} />}
          </>
        )}
      </When>
    </section>
  )
}

/** An entry that removes the sender. */
const nobodyOf = ({ senderId, senderQualifier }: NoticeSender): NoticeSender =>
  senderQualifier === undefined ? { senderId } : { senderId, senderQualifier }

interface UnknownProps {
  readonly senders: readonly UnknownSender[]
  readonly maySet: boolean
}

/** Senders whose notices were refused because they are not set up. */
const UnknownSenders = ({ senders, maySet }: UnknownProps) => (
  <>
    <h3 id="unknown-senders">Not set up yet</h3>
    <ul class="plain-list unknown-senders" aria-labelledby="unknown-senders">
      {senders.map(({ senderId, senderQualifier, refusals, lastDateTime }) => (
        <li key={`${senderId} ${senderQualifier}`}>
          <bdi class="mono">{senderId}</bdi> <span class="quiet">({senderQualifier})</span>{' '}
          <span class="quiet">
            refused {pluralize(refusals, 'time')}, last <Instant instant={lastDateTime} toSecond />
          </span>{' '}
          {maySet && (
            <a href={hrefTo(noticeSenderPath({ senderId, senderQualifier }))}>
              Set up<span class="hidden"> {senderId}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  </>
)

const codeCounts = (sender: ShipNoticeSender['sender']): string =>
  codeLists
    .flatMap((list) => {
      const count = sender[list]?.length ?? 0
      return count === 0 ? [] : pluralize(count, codeNouns[list])
    })
    .join(', ')

const setColumn: Column<{ readonly setDateTime: string }> = {
  heading: 'Set',
  cell: ({ setDateTime }) => <Instant instant={setDateTime} toSecond />,
}

const noticeColumns: readonly Column<ShipNoticeSender>[] = [
  {
    heading: 'Sender',
    cell: ({ sender: { senderId, senderQualifier } }) => (
      <>
        <bdi class="mono">{senderId}</bdi>
        {senderQualifier !== undefined && <span class="quiet"> ({senderQualifier})</span>}
      </>
    ),
  },
  {
    heading: 'Vendor',
    cell: ({ sender: { dataProviderVendorId = '', dataProviderVendorName = null } }) => (
      <VendorName id={dataProviderVendorId} name={dataProviderVendorName} />
    ),
  },
  { heading: 'Time zone', cell: ({ sender }) => sender.timeZone ?? <span class="quiet">as in the notices</span> },
  { heading: 'Codes', cell: ({ sender }) => codeCounts(sender) || <span class="quiet">none</span> },
  setColumn,
]

function CaptureSenders({ maySet }: SectionProps) {
  const { api } = useOpenSession()
  const asked = useVersionedAnswer((api, signal) => api.listCaptureSenders({ signal }))
  const path = '/senders/epcis'
  return (
    <section aria-labelledby="capture-senders">
      <SectionHead id="capture-senders" title="EPCIS documents" path={maySet ? path : undefined} noun="defaults" />
      <When asked={asked} what="the senders of EPCIS documents">
        {({ content: senders, version }) =>
          senders.length === 0 ? (
            <Empty title="No defaults are set">
              <p>EPCIS events have no vendor and rarely a purchase order. Defaults fill in what they lack.</p>
            </Empty>
          ) : (
            <DataTable
              label="Senders of EPCIS documents"
              columns={[
                ...captureColumns,
                maySet && {
                  heading: 'Change',
                  isAction: true,
                  cell: ({ sender: { sender } }) => (
                    <SenderActions
                      name={sender ?? ''}
                      href={hrefTo(`${path}?sender=${encodeURIComponent(sender ?? '')}`)}
                      consequence="What its events lack is no longer filled in. Records that were made of earlier ones stay."
                      remove={() =>
                        api.setCaptureSenders({
                          body: { senders: [sender === undefined ? {} : { sender }] },
                          ifMatch: version,
                        })
                      }
                      onRemoved={asked.again}
                    />
                  ),
                },
              ]}
              rows={senders}
              keyOf={({ sender }) => sender.sender ?? ''}
            />
          )
        }
      </When>
    </section>
  )
}

const captureColumns: readonly Column<CaptureSender>[] = [
  {
    heading: 'Sender',
    cell: ({ sender: { sender } }) => (sender === undefined ? 'All senders' : <bdi class="mono">{sender}</bdi>),
  },
  {
    heading: 'Vendor',
    cell: ({ sender: { dataProviderVendorId, dataProviderVendorName = null } }) =>
      dataProviderVendorId === undefined ? (
        <span class="quiet">none</span>
      ) : (
        <VendorName id={dataProviderVendorId} name={dataProviderVendorName} />
      ),
  },
  {
    heading: 'Fills in',
    cell: ({ sender: { sender: _, dataProviderVendorId: __, dataProviderVendorName: ___, ...others } }) =>
      Object.keys(others)
        .map((name) => senderNames[name] ?? labelOf(name))
        .join(', ') || <span class="quiet">nothing else</span>,
  },
  setColumn,
]

interface HeadProps {
  readonly id: string
  readonly title: string
  readonly path: string | undefined
  readonly noun: string
}

const SectionHead = ({ id, title, path, noun }: HeadProps) => (
  <div class="section-head">
    <h2 id={id}>{title}</h2>
    {path !== undefined && (
      <a class="button" href={hrefTo(path)}>
        Add {noun}
        <span class="hidden"> of {title}</span>
      </a>
    )}
  </div>
)

interface ActionProps {
  /** Empty for all senders. */
  readonly name: string
  /** Of the page that changes it. */
  readonly href: string
  readonly consequence: string
  readonly remove: () => Promise<unknown>
  readonly onRemoved: () => void
}

function SenderActions({ name, href, consequence, remove, onRemoved }: ActionProps) {
  const [isAsking, setAsking] = useState(false)
  const words = name === '' ? 'all senders' : name
  return (
    <>
      <span class="actions">
        <a class="button" href={href}>
          Edit<span class="hidden"> {words}</span>
        </a>
        <button type="button" onClick={() => setAsking(true)}>
          Remove…<span class="hidden"> {words}</span>
        </button>
      </span>
      {isAsking && (
        <Confirmation
          title={
            <>
              Remove the settings of <bdi>{words}</bdi>?
            </>
          }
          words="Remove"
          busyWords="Removing…"
          onConfirm={async () => {
            await remove()
            say(`The settings of ${words} are removed`)
            setAsking(false)
            onRemoved()
          }}
          onClose={() => setAsking(false)}
        >
          <p>{consequence}</p>
        </Confirmation>
      )}
    </>
  )
}
