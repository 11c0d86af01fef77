// Senders of ship notices and of EPCIS documents: how their files are read.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CaptureSender, ShipNoticeSender, UnknownSender } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { VendorName } from '../../parts/records/vendor-name.tsx'
import { codeLists, codeNouns, senderNames } from '../../records/sender-settings.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { dateTimeWords, labelOf } from '../../words/labels.ts'

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
  const asked = useRequest(async (signal) => versioned(await api.listShipNoticeSenders({ signal })), [])
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
              <SenderTable
                label="Senders of ship notices"
                heads={['Sender', 'Vendor', 'Time zone', 'Codes', 'Set']}
                maySet={maySet}
              >
                {content.map((listed) => (
                  <ShipNoticeSenderRow
                    key={listed.sender.senderId}
                    listed={listed}
                    version={version}
                    path={maySet ? path : undefined}
                    onRemoved={asked.again}
                  />
                ))}
              </SenderTable>
            )}
            {notSetUp.length > 0 && <UnknownSenders senders={notSetUp} path={maySet ? path : undefined} />}
          </>
        )}
      </When>
    </section>
  )
}

interface UnknownProps {
  readonly senders: readonly UnknownSender[]
  readonly path: string | undefined
}

/** Whose notices were refused, because nobody has set them up yet. */
const UnknownSenders = ({ senders, path }: UnknownProps) => (
  <>
    <h3 id="unknown-senders">Not set up yet</h3>
    <ul class="plain-list unknown-senders" aria-labelledby="unknown-senders">
      {senders.map(({ senderId, refusals, lastDateTime }) => (
        <li key={senderId}>
          <bdi class="mono">{senderId}</bdi>{' '}
          <span class="quiet">
            refused {pluralize(refusals, 'time')}, last{' '}
            <time dateTime={lastDateTime}>{dateTimeWords(lastDateTime)}</time>
          </span>{' '}
          {path !== undefined && (
            <a href={hrefTo(`${path}?sender=${encodeURIComponent(senderId)}`)}>
              Set up<span class="hidden"> {senderId}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  </>
)

/** What a list is, with its version. */
const versioned = <Body extends object>({
  body,
  version = 0,
}: {
  readonly body: Body
  readonly version: number | undefined
}) => ({
  ...body,
  version,
})

interface RowProps<Listed> {
  readonly listed: Listed
  /** Of the list. */
  readonly version: number
  /** Of the page that changes it, for those who may. */
  readonly path: string | undefined
  readonly onRemoved: () => void
}

function ShipNoticeSenderRow({ listed: { sender, setDateTime }, version, ...row }: RowProps<ShipNoticeSender>) {
  const { api } = useOpenSession()
  const { senderId, dataProviderVendorId = '', dataProviderVendorName = null, timeZone } = sender
  const counts = codeLists.flatMap((list) => {
    const count = sender[list]?.length ?? 0
    return count === 0 ? [] : pluralize(count, codeNouns[list])
  })
  return (
    <tr>
      <th scope="row">
        <bdi class="mono">{senderId}</bdi>
      </th>
      <td data-words="Vendor">
        <VendorName id={dataProviderVendorId} name={dataProviderVendorName} />
      </td>
      <td data-words="Time zone">{timeZone ?? <span class="quiet">as in the notices</span>}</td>
      <td data-words="Codes">{counts.length > 0 ? counts.join(', ') : <span class="quiet">none</span>}</td>
      <SenderEnd
        name={senderId}
        setDateTime={setDateTime}
        consequence="Its ship notices are refused from now on. Events that were made of earlier ones stay."
        remove={() => api.setShipNoticeSenders({ body: { senders: [{ senderId }] }, ifMatch: version })}
        {...row}
      />
    </tr>
  )
}

function CaptureSenders({ maySet }: SectionProps) {
  const { api } = useOpenSession()
  const asked = useRequest(async (signal) => versioned(await api.listCaptureSenders({ signal })), [])
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
            <SenderTable
              label="Senders of EPCIS documents"
              heads={['Sender', 'Vendor', 'Fills in', 'Set']}
              maySet={maySet}
            >
              {senders.map((listed) => (
                <CaptureSenderRow
                  key={listed.sender.sender ?? ''}
                  listed={listed}
                  version={version}
                  path={maySet ? path : undefined}
                  onRemoved={asked.again}
                />
              ))}
            </SenderTable>
          )
        }
      </When>
    </section>
  )
}

function CaptureSenderRow({ listed, version, ...row }: RowProps<CaptureSender>) {
  const { api } = useOpenSession()
  const { sender, dataProviderVendorId, dataProviderVendorName = null, ...others } = listed.sender
  return (
    <tr>
      <th scope="row">{sender === undefined ? 'All senders' : <bdi class="mono">{sender}</bdi>}</th>
      <td data-words="Vendor">
        {dataProviderVendorId === undefined ? (
          <span class="quiet">none</span>
        ) : (
          <VendorName id={dataProviderVendorId} name={dataProviderVendorName} />
        )}
      </td>
      <td data-words="Fills in">
        {Object.keys(others)
          .map((name) => senderNames[name] ?? labelOf(name))
          .join(', ') || <span class="quiet">nothing else</span>}
      </td>
      <SenderEnd
        name={sender ?? ''}
        setDateTime={listed.setDateTime}
        consequence="What its events lack is no longer filled in. Records that were made of earlier ones stay."
        remove={() =>
          api.setCaptureSenders({ body: { senders: [sender === undefined ? {} : { sender }] }, ifMatch: version })
        }
        {...row}
      />
    </tr>
  )
}

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

interface TableProps extends SectionProps {
  readonly label: string
  readonly heads: readonly string[]
  readonly children: ComponentChildren
}

const SenderTable = ({ label, heads, maySet, children }: TableProps) => (
  <table class="measures cards" aria-label={label}>
    <thead>
      <tr>
        {heads.map((words) => (
          <th key={words} scope="col">
            {words}
          </th>
        ))}
        {maySet && (
          <th scope="col">
            <span class="hidden">Change</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

interface EndProps extends Omit<RowProps<unknown>, 'listed' | 'version'> {
  /** Empty for all senders. */
  readonly name: string
  readonly setDateTime: string
  readonly consequence: string
  readonly remove: () => Promise<unknown>
}

/** The last cells of a row: when it was set, and what can be done with it. */
function SenderEnd({ name, setDateTime, path, consequence, remove, onRemoved }: EndProps) {
  const [isAsking, setAsking] = useState(false)
  const words = name === '' ? 'all senders' : name
  return (
    <>
      <td data-words="Set">
        <time dateTime={setDateTime}>{dateTimeWords(setDateTime)}</time>
      </td>
      {path !== undefined && (
        <td>
          <span class="actions">
            <a class="button" href={hrefTo(`${path}?sender=${encodeURIComponent(name)}`)}>
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
        </td>
      )}
    </>
  )
}
