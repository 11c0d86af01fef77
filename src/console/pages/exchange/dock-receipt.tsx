// The receipt of one shipment: scan or tick what arrived, correct it, and record it.
import { useMemo, useRef, useState } from 'preact/hooks'
import { ProblemError } from '../../../client/failure.ts'
import type { ShippingEventRecord } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { lineAnchor, ReceiptLines } from '../../parts/exchange/receipt-lines.tsx'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { Fault } from '../../parts/frame/fault.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Loading, When } from '../../parts/frame/states.tsx'
import { Camera } from '../../parts/records/camera.tsx'
import { DateTimeField } from '../../parts/records/date-time-field.tsx'
import { FindingWords } from '../../parts/records/findings.tsx'
import { ScanField } from '../../parts/records/scan-field.tsx'
import {
  addLot,
  beginReceipt,
  changeLines,
  changeReceipt,
  faultsOf,
  isBegun,
  isOpen,
  type Receipt,
  receiptTotals,
  type Scanned,
  scanInto,
  shippingSummary,
} from '../../records/receipt.ts'
import { dateTimeHere } from '../../records/received-time.ts'
import { type Dock, useDock } from '../../state/exchange/dock.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { dateTimeWords } from '../../words/labels.ts'
import type { PageProps } from '../frame/page.ts'
import { MayNotReceive } from './dock.tsx'

const now = () => ({ at: Date.now(), dateTime: dateTimeHere(new Date()) })

export function DockReceiptPage({ values: { id = '' } }: PageProps) {
  const session = useOpenSession()
  const mayReceive = useMay('writer')
  const { dock, shipments, receipts } = useDock(session)
  const shipment = shipments.find((one) => one.id === id)
  const begun = useMemo(() => shipment && beginReceipt(shipment, 1, Date.now()), [shipment])
  if (!mayReceive) return <MayNotReceive />
  if (dock === undefined) return <Loading what="the shipment" />
  // Stored on the device once something is ticked, under the id that it was begun with.
  const receipt = receipts.find((one) => one.shipment === id) ?? begun
  return receipt === undefined ? (
    <Unknown dock={dock} id={id} />
  ) : (
    <OneReceipt key={receipt.id} dock={dock} receipt={receipt} />
  )
}

/** A shipment that this device does not have. */
function Unknown({ dock, id }: { readonly dock: Dock; readonly id: string }) {
  const { api } = useOpenSession()
  const asked = useRequest((signal) => api.readShippingEvent({ id, signal }), [id])
  return (
    <>
      {asked.is !== 'answered' && <PageHead title="Receive at the dock" />}
      <When asked={asked} what="the shipment">
        {({ body }) => <NewReceipt dock={dock} shipment={body} />}
      </When>
    </>
  )
}

function NewReceipt({ dock, shipment }: { readonly dock: Dock; readonly shipment: ShippingEventRecord }) {
  const [receipt] = useState(() => beginReceipt(shipment, 1, Date.now()))
  return <OneReceipt dock={dock} receipt={receipt} />
}

interface ReceiptProps {
  readonly dock: Dock
  readonly receipt: Receipt
}

function OneReceipt({ dock, receipt }: ReceiptProps) {
  const { from, documents, vendor, to } = shippingSummary(receipt.draft)
  return (
    <div class="dock">
      <PageHead title={documents || vendor}>
        <p class="facts">
          <span>
            <bdi>{vendor}</bdi>
          </span>
          <span>
            <bdi>{from}</bdi> → <bdi>{to}</bdi>
          </span>
          <span>Shipped {dateTimeWords(receipt.shippedDateTime)}</span>
          <span>
            <a href={hrefTo('/dock')}>All shipments</a>
          </span>
        </p>
      </PageHead>
      {isOpen(receipt) ? <Ticking dock={dock} receipt={receipt} /> : <Given dock={dock} receipt={receipt} />}
    </div>
  )
}

/** A receipt that is stored, or waits until it is. */
function Given({ dock, receipt }: ReceiptProps) {
  return (
    <>
      {receipt.state === 'stored' ? (
        <div class="callout fine" role="status">
          <p>
            <strong>Recorded.</strong> {receiptTotals(receipt)}.{' '}
            <a href={hrefTo(`/events/${receipt.stored}`)}>See the receiving event</a>
          </p>
        </div>
      ) : (
        <div class="callout" role="status">
          <p>
            <strong>Waits to be sent.</strong> {receiptTotals(receipt)}. It is sent as soon as the service answers.
            {receipt.isInDoubt &&
              ' It was sent before, and no answer came: it can be changed once the service has answered.'}
          </p>
        </div>
      )}
      <p class="actions">
        <a class="button main" href={hrefTo('/dock')}>
          Next shipment
        </a>
        {receipt.state === 'stored' ? (
          <button type="button" onClick={() => dock.receiveAgain(receipt)}>
            Record another receipt
          </button>
        ) : (
          !receipt.isInDoubt && (
            <button type="button" onClick={() => dock.keepReceipt({ ...receipt, state: 'open' })}>
              Change it
            </button>
          )
        )}
      </p>
    </>
  )
}

type FaultAbout = 'lines' | 'dateTime' | 'purchaseOrder'

function Ticking({ dock, receipt }: ReceiptProps) {
  const { scanned, scan, change, add } = useScans(dock, receipt)
  const [isTried, setTried] = useState(false)
  const [asked, setAsked] = useState<'record' | 'discard'>()
  const end = useRef<HTMLButtonElement>(null)
  const faults = isTried ? faultsOf(receipt) : []
  const faultAbout = (about: FaultAbout) => faults.find((one) => one.about === about)?.words
  const left = receipt.lines.filter(({ hasArrived }) => !hasArrived).length

  const give = () => {
    dock.giveReceipt(receipt)
    go('/dock')
  }
  const discard = () => {
    dock.discardReceipt(receipt.id)
    go('/dock')
  }
  const record = () => {
    setTried(true)
    const [first] = faultsOf(receipt)
    if (first !== undefined) bringIntoView(first.line === undefined ? 'dock-form' : lineAnchor(first.line))
    else if (left > 0) setAsked('record')
    else give()
  }

  return (
    <div id="dock-form" class="dock-form form">
      <Received receipt={receipt} />
      <Refused dock={dock} receipt={receipt} />
      <ScanField
        label="Scan what arrived"
        hint="Pallet or case label, then Enter. Enter in the empty field leads to the button at the end."
        button="Tick"
        onScan={(text) => scan(text)}
        onEmpty={() => end.current?.focus()}
      >
        <Camera onScan={(text) => scan(text)} />
      </ScanField>
      <p role="status" class={`dock-words${scanned && !scanned.isFound ? ' fault' : ''}`}>
        {scanned?.words}
      </p>
      {scanned?.otherLot && (
        <OtherLot
          {...scanned.otherLot}
          onAdd={add}
          onTake={({ line, lotCode }) => change([line], { lotCode, hasArrived: true })}
        />
      )}
      <p class="actions">
        <button type="button" onClick={() => change(everyLine(receipt), { hasArrived: left > 0 })}>
          {left > 0 ? 'Tick all' : 'Untick all'}
        </button>
        {isBegun(receipt) && (
          <button type="button" class="plain" onClick={() => setAsked('discard')}>
            Discard
          </button>
        )}
      </p>
      <Fault>{faultAbout('lines')}</Fault>
      <ReceiptLines
        receipt={receipt}
        faults={faults}
        onChange={change}
        onScan={(text, line, before) => scan(text, changeLines(receipt, [line], before, now()))}
      />
      <EndFields receipt={receipt} faultAbout={faultAbout} onChange={(next) => dock.keepReceipt(next)} />
      <div class="dock-bar">
        <span role="status">{receiptTotals(receipt)}</span>
        <button type="button" class="main" ref={end} onClick={record}>
          Record receipt
        </button>
      </div>
      {asked === 'record' && <RecordQuestion left={left} onConfirm={give} onClose={() => setAsked(undefined)} />}
      {asked === 'discard' && <DiscardQuestion onConfirm={discard} onClose={() => setAsked(undefined)} />}
    </div>
  )
}

/** What was scanned last, and the changes of the receipt that it leads to. */
function useScans(dock: Dock, receipt: Receipt) {
  const [scanned, setScanned] = useState<Scanned>()
  const keep = (changed: Receipt) => {
    setScanned(undefined)
    dock.keepReceipt(changed)
  }
  return {
    scanned,
    scan: (text: string, into = receipt): boolean => {
      const result = scanInto(into, text, now())
      setScanned(result)
      if (result.receipt !== receipt) dock.keepReceipt(result.receipt)
      if (result.line !== undefined) bringIntoView(lineAnchor(result.line))
      return result.isFound
    },
    change: (lines: readonly number[], part: LineChange) => keep(changeLines(receipt, lines, part, now())),
    add: ({ line, lotCode }: OtherLot) => keep(addLot(receipt, line, lotCode, now())),
  }
}

type LineChange = Parameters<typeof changeLines>[2]

const bringIntoView = (id: string): void => document.getElementById(id)?.scrollIntoView({ block: 'nearest' })

/** Why the service rejected the receipt, if it was sent before. */
function Refused({ dock, receipt }: ReceiptProps) {
  const { refusal } = receipt
  if (refusal === undefined) return null
  return (
    <>
      <div class="callout error" role="alert">
        <p>
          <strong>Not recorded.</strong> {refusal.words}
        </p>
        {refusal.isSecond && (
          <p>
            <button type="button" onClick={() => dock.receiveAgain(receipt)}>
              Record another receipt
            </button>
          </p>
        )}
      </div>
      {refusal.findings
        .filter(({ line }) => line === undefined)
        .map(({ finding }) => (
          <div key={finding.rule + finding.pointer} class={`finding ${finding.severity}`}>
            <FindingWords finding={finding} path="/events" />
          </div>
        ))}
    </>
  )
}

type OtherLot = NonNullable<Scanned['otherLot']>

interface OtherLotProps extends OtherLot {
  readonly onAdd: (lot: OtherLot) => void
  readonly onTake: (lot: OtherLot) => void
}

/** A scanned lot that is not in the shipment. */
const OtherLot = ({ line, lotCode, onAdd, onTake }: OtherLotProps) => (
  <p class="actions">
    <button type="button" onClick={() => onAdd({ line, lotCode })}>
      Add lot <bdi>{lotCode}</bdi> as a line
    </button>
    <button type="button" onClick={() => onTake({ line, lotCode })}>
      It is line {line + 1}
    </button>
  </p>
)

interface EndFieldsProps {
  readonly receipt: Receipt
  readonly faultAbout: (about: FaultAbout) => string | undefined
  readonly onChange: (receipt: Receipt) => void
}

const EndFields = ({ receipt, faultAbout, onChange }: EndFieldsProps) => (
  <div class="dock-end">
    <DateTimeField
      id="received-at"
      label="Received at"
      required
      value={receipt.dateTime}
      describedBy="received-at-fault"
      invalid={faultAbout('dateTime') !== undefined}
      dateLabel={undefined}
      onValue={(dateTime = '') => onChange(changeReceipt(receipt, { dateTime }, now()))}
    />
    <Fault id="received-at-fault">{faultAbout('dateTime')}</Fault>
    {(receipt.purchaseOrder === '' || faultAbout('purchaseOrder') || isOrderMissing(receipt)) && (
      <label class="form-field">
        Purchase order
        <input
          type="text"
          value={receipt.purchaseOrder}
          autocomplete="off"
          aria-invalid={faultAbout('purchaseOrder') !== undefined}
          onInput={({ currentTarget }) =>
            onChange(changeReceipt(receipt, { purchaseOrder: currentTarget.value }, now()))
          }
        />
      </label>
    )}
    <Fault>{faultAbout('purchaseOrder')}</Fault>
  </div>
)

interface QuestionProps {
  readonly onConfirm: () => void
  readonly onClose: () => void
}

const RecordQuestion = ({ left, onConfirm, onClose }: QuestionProps & { readonly left: number }) => (
  <Confirmation
    title={`${pluralize(left, 'line')} did not arrive?`}
    words="Record receipt"
    busyWords="Recording…"
    isDangerous={false}
    onConfirm={async () => onConfirm()}
    onClose={onClose}
  >
    <p>Lines that are not ticked are left out of the receiving event. The page Differences lists them.</p>
  </Confirmation>
)

const DiscardQuestion = ({ onConfirm, onClose }: QuestionProps) => (
  <Confirmation
    title="Discard this receipt?"
    words="Discard"
    busyWords="Discarding…"
    onConfirm={async () => onConfirm()}
    onClose={onClose}
  >
    <p>What was ticked and corrected is lost. The shipment stays.</p>
  </Confirmation>
)

const everyLine = ({ lines }: Receipt): readonly number[] => lines.map((_, i) => i)

/** True when the shipment names no order: then it stays in the form while it is typed. */
const isOrderMissing = ({ draft }: Receipt): boolean =>
  (draft.eventList as { readonly purchaseOrderNumber?: string }).purchaseOrderNumber === undefined

/** Asks the service whether the shipment was received or voided meanwhile. */
function Received({ receipt: { shipment } }: { readonly receipt: Receipt }) {
  const { api } = useOpenSession()
  const asked = useRequest((signal) => api.draftReceivingEvent({ id: shipment, signal }), [shipment])
  if (asked.is === 'failed' && asked.error instanceof ProblemError)
    return (
      <div class="callout error" role="alert">
        <p>{failureSentence(asked.error)}</p>
      </div>
    )
  const [first] = asked.is === 'answered' ? asked.value.body.receivingEvents : []
  if (first === undefined) return null
  return (
    <div class="callout" role="status">
      <p>
        <strong>Perhaps received already.</strong> <a href={hrefTo(`/events/${first}`)}>A receiving event</a> has the
        same documents and the same receiving location.
      </p>
    </div>
  )
}
