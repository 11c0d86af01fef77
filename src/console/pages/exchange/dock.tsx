// Receiving at the dock, on a telephone: find the shipment, and see what was received on this
// device and what waits to be sent. Works without a network (decision 0027).
import { useState } from 'preact/hooks'
import type { ShippingEventRecord } from '../../../client/generated/shapes.ts'
import { readScan } from '../../../contract/lots/gs1-label.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { Select } from '../../parts/fields/select.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/frame/states.tsx'
import { Camera } from '../../parts/records/camera.tsx'
import { ScanField } from '../../parts/records/scan-field.tsx'
import {
  beginReceipt,
  findShippingEvents,
  isBegun,
  type Receipt,
  receiptTotals,
  scanInto,
  shippingSummary,
} from '../../records/receipt.ts'
import { dateTimeHere } from '../../records/received-time.ts'
import { listOf, textOf } from '../../records/record-summary.ts'
import { type Dock, type DockState, seekShippingEvents, useDock } from '../../state/exchange/dock.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { useAway } from '../../state/frame/connection.ts'
import { useOffline } from '../../state/frame/offline.ts'
import { type RequestState, useRequest } from '../../state/frame/request.ts'
import { type Session, useMay, useOpenSession } from '../../state/frame/session.ts'
import { failureSentence } from '../../words/failure-words.ts'

export function DockPage() {
  return useMay('writer') ? <Receiving /> : <MayNotReceive />
}

export const MayNotReceive = () => (
  <>
    <PageHead title="Receive at the dock" />
    <Empty title="Your key does not allow that">
      <p>Receiving events are recorded by writers. Ask an administrator for a key with this role.</p>
    </Empty>
  </>
)

function Receiving() {
  const session = useOpenSession()
  const { dock, ...device } = useDock(session)
  const [place, setPlace] = useState('')
  const { found, words, find, clear } = useShipmentSearch(session, dock, device)
  const loaded = useRequest(async (signal) => dock?.loadShippingEvents(place, signal), [dock !== undefined, place])

  const begun = new Set(device.receipts.filter(isBegun).map(({ shipment }) => shipment))
  const shown =
    found ??
    device.shipments.filter(
      ({ id, eventList }) => !begun.has(id) && (place === '' || eventList.shipToLocationCode === place),
    )
  return (
    <div class="dock">
      <PageHead title="Receive at the dock">
        <Readiness device={device} />
      </PageHead>
      <ScanField
        label="Pallet, case, ship notice or order"
        hint="Scan a label, or type a number and press Enter."
        button="Find"
        onScan={find}
      >
        <Camera onScan={find} />
      </ScanField>
      <p role="status" class="dock-words">
        {words}
      </p>
      {dock ? <Kept device={device} /> : <Loading what="what this device keeps" />}
      <section aria-label="Shipments under way" hidden={dock === undefined}>
        <div class="section-head">
          <h2>{found ? 'Found' : 'Shipments under way'}</h2>
          {found ? (
            <button type="button" onClick={clear}>
              Show all
            </button>
          ) : (
            <button type="button" disabled={loaded.is === 'asking'} onClick={loaded.again}>
              Refresh
            </button>
          )}
        </div>
        <PlaceChoice shipments={device.shipments} place={place} onPlace={setPlace} />
        <ShipmentList shipments={shown} asked={loaded} />
      </section>
    </div>
  )
}

/**
 * Finds shipments by a label or a number, first on this device and then in the service, and opens
 * the one that is found.
 */
function useShipmentSearch(
  session: Session,
  dock: Dock | undefined,
  device: Pick<DockState, 'shipments' | 'receipts'>,
) {
  const [found, setFound] = useState<readonly ShippingEventRecord[]>()
  const [words, setWords] = useState('')
  const away = useAway()

  const open = (shipment: ShippingEventRecord, text: string) => {
    const now = { at: Date.now(), dateTime: dateTimeHere(new Date()) }
    const known = device.receipts.find((receipt) => receipt.shipment === shipment.id)
    // A scanned label has arrived. The number of a document says nothing about lines.
    if (known === undefined && readScan(text) !== undefined) {
      const scanned = scanInto(beginReceipt(shipment, 1, now.at), text, now)
      if (scanned.isFound) dock?.keepReceipt(scanned.receipt)
    }
    go(`/dock/${shipment.id}`)
  }
  const show = (shipments: readonly ShippingEventRecord[], text: string): boolean => {
    const [only, ...others] = shipments
    setFound(others.length > 0 ? shipments : undefined)
    setWords(others.length > 0 ? `${pluralize(shipments.length, 'shipment')} have “${text.slice(0, 60)}”.` : '')
    if (only !== undefined && others.length === 0) open(only, text)
    return only !== undefined
  }
  const find = (typed: string): boolean => {
    const text = typed.trim()
    if (show(findShippingEvents(device.shipments, text), text)) return true
    const label = readScan(text)
    const what = label?.palletId === undefined ? `“${text.slice(0, 60)}”` : `pallet ${label.palletId}`
    if (away || (label !== undefined && label.caseLotNumber === undefined)) {
      setWords(`No shipment on this device has ${what}. Enter the number of its ship notice or order.`)
      return false
    }
    setWords('Asking the service…')
    seekShippingEvents(session, text.slice(0, 100), (label?.caseLotNumber ?? text).slice(0, 100)).then(
      (shipments) => {
        if (!show(shipments, text)) setWords(`No shipping event has ${what} as ship notice, order or lot code.`)
      },
      (error) => setWords(failureSentence(error)),
    )
    return false
  }
  return { found, words, find, clear: () => show([], '') }
}

interface PlaceProps {
  readonly shipments: readonly ShippingEventRecord[]
  readonly place: string
  readonly onPlace: (place: string) => void
}

/** Offered where there are several places to choose from. */
function PlaceChoice({ shipments, place, onPlace }: PlaceProps) {
  const places = placesOf(shipments, place)
  if (places.length <= 1 && place === '') return null
  return (
    <label class="dock-place">
      <span class="quiet small">Receiving location</span>
      <Select choices={[['', 'All'], ...places]} value={place} onChoose={onPlace} />
    </label>
  )
}

interface ListProps {
  readonly shipments: readonly ShippingEventRecord[]
  /** Whether the shipments under way were read from the service. */
  readonly asked: RequestState<void>
}

const ShipmentList = ({ shipments: shown, asked }: ListProps) =>
  shown.length > 0 ? (
    <ul class="dock-list">
      {shown.map((shipment) => (
        <ShippingCard key={shipment.id} shipment={shipment} />
      ))}
    </ul>
  ) : asked.is === 'asking' ? (
    <Loading what="the shipments" />
  ) : asked.is === 'failed' ? (
    <Failure error={asked.error} again={asked.again} />
  ) : (
    <Empty title="No shipments are under way">
      <p>
        Shipments come from ship notices, from EPCIS documents, or from{' '}
        <a href={hrefTo('/shipping/new')}>a new shipping event</a>. Goods without one are{' '}
        <a href={hrefTo('/events/new')}>a new receiving event</a>.
      </p>
    </Empty>
  )

/** Receiving locations of the shipments, with their names. */
function placesOf(shipments: readonly ShippingEventRecord[], chosen: string): readonly (readonly [string, string])[] {
  const places = new Map(chosen === '' ? [] : [[chosen, chosen]])
  for (const { eventList, locationMasterList } of shipments) {
    const code = eventList.shipToLocationCode
    const name = textOf(listOf(locationMasterList).find(({ locationCode }) => locationCode === code)?.locationName)
    places.set(code, name || places.get(code) || code)
  }
  return [...places].sort(([, a], [, b]) => a.localeCompare(b))
}

const ShippingCard = ({ shipment }: { readonly shipment: ShippingEventRecord }) => {
  const { vendor, from, to, documents, lineCount, palletCount, received } = shippingSummary({ ...shipment })
  return (
    <li>
      <a href={hrefTo(`/dock/${shipment.id}`)} class="dock-card">
        <strong>
          <bdi>{vendor}</bdi>
        </strong>
        <bdi class="mono">{documents}</bdi>
        <span>
          <bdi>{from}</bdi> → <bdi>{to}</bdi>
        </span>
        <span class="quiet small">
          Shipped {received} · {palletCount > 0 && `${pluralize(palletCount, 'pallet')}, `}
          {pluralize(lineCount, 'line')}
        </span>
      </a>
    </li>
  )
}

/** Recorded receipts that are listed until all are asked for. */
const recordedMax = 3

interface DeviceProps {
  readonly device: Omit<DockState, 'dock' | 'session'>
}

/** Receipts on this device: those that are begun, wait, were refused, or were recorded today. */
function Kept({ device: { receipts, sending } }: DeviceProps) {
  const [isWhole, setWhole] = useState(false)
  const recorded = receipts.filter(({ state }) => state === 'stored')
  const shown = [
    ...receipts.filter((receipt) => receipt.state !== 'stored' && isBegun(receipt)),
    ...(isWhole ? recorded : recorded.slice(0, recordedMax)),
  ]
  if (shown.length === 0) return null
  return (
    <section aria-label="Receipts on this device">
      <div class="section-head">
        <h2>Receipts on this device</h2>
        {!isWhole && recorded.length > recordedMax && (
          <button type="button" onClick={() => setWhole(true)}>
            Show all {recorded.length} recorded
          </button>
        )}
      </div>
      <ul class="dock-list">
        {shown.map((receipt) => (
          <ReceiptCard key={receipt.id} receipt={receipt} isSending={sending === receipt.id} />
        ))}
      </ul>
    </section>
  )
}

function ReceiptCard({ receipt, isSending }: { readonly receipt: Receipt; readonly isSending: boolean }) {
  const { vendor, documents } = shippingSummary(receipt.draft)
  const { state, shipment, refusal } = receipt
  return (
    <li>
      <a href={hrefTo(`/dock/${shipment}`)} class="dock-card">
        <span>
          <span class={`tag ${stateTones[state]}`}>{isSending ? 'sending' : stateWords[state]}</span>{' '}
          <bdi>{vendor}</bdi>
        </span>
        <bdi class="mono">{documents}</bdi>
        <span class="quiet small">{receiptTotals(receipt)}</span>
        {refusal && <span class="fault">{refusal.words}</span>}
      </a>
    </li>
  )
}

const stateWords = { open: 'begun', waiting: 'waits', refused: 'refused', stored: 'recorded' } as const
const stateTones = { open: '', waiting: 'warning', refused: 'error', stored: 'fine' } as const

/** Whether the page works offline, and which shipments it has then. */
function Readiness({ device: { isKept, shipments, shipmentsAt } }: DeviceProps) {
  const offline = useOffline()
  return (
    <div class="quiet small dock-ready">
      <p>
        {offline === 'ready' && isKept
          ? 'This page opens on this device without a network. '
          : offline === 'asking'
            ? 'Preparing this device… '
            : isKept
              ? 'Keep this page open: without a network this browser cannot open it again. That needs an address with https. '
              : 'This browser keeps nothing for this page, as in a private window. Keep the page open until everything is sent. '}
        {shipmentsAt !== undefined &&
          `${pluralize(shipments.length, 'shipment')}, read at ${dateTimeHere(new Date(shipmentsAt)).slice(11, 16)}.`}
      </p>
      <details>
        <summary>What is kept here</summary>
        <p>
          Shipments stay on this device for 12 hours, receipts until they are sent. What you record without a network is
          sent when it is back, once. Signing out deletes shipments and receipts.
        </p>
      </details>
    </div>
  )
}
