// Receiving at the dock: the shipments and receipts that are kept on this device, and the receipts
// that wait to be sent (decision 0027).
import type { Client } from '../../../client/client.ts'
import { ProblemError } from '../../../client/failure.ts'
import type { ReceivingEventsPayload, ShippingEventRecord } from '../../../client/generated/shapes.ts'
import {
  beginAgain,
  findingsByLine,
  idempotencyKeyOf,
  isBegun,
  payloadOf,
  type Receipt,
  type Refusal,
  shippingSummary,
} from '../../records/receipt.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { whenBack } from '../frame/connection.ts'
import { keptMsMax, noteDevice } from '../frame/device.ts'
import { findConfirmedSession, type Session } from '../frame/session.ts'
import { signal } from '../frame/signal.ts'
import { say } from '../frame/toasts.ts'
import { DockStore } from './dock-store.ts'

/** Shipments that are kept at most, and their lines together: some 20 MB. */
const shipmentsMax = 100
const linesMax = 20_000
const pageLimit = 50

const dayMs = 86_400_000
/** A shipment that left longer ago is found by its documents. */
const shippedDaysMax = 14
/** Days after which a receipt that nobody went on with is deleted. */
const openDaysMax = 14
/** Pause before a receipt is sent again to a service that answered, but could not take it. */
const retryMs = 15_000

interface KeptShippingEvent {
  readonly id: string
  /** When it was read, in milliseconds. */
  readonly at: number
  readonly shipment: ShippingEventRecord
}

export interface Dock {
  /** False until what the device keeps is read. */
  readonly isOpen: boolean
  /** False where the browser keeps nothing: then all ends with the page. */
  readonly isKept: boolean
  readonly shipments: readonly ShippingEventRecord[]
  /** When they were read, in milliseconds. */
  readonly shipmentsAt: number | undefined
  /** By id, the last changed first. */
  readonly receipts: readonly Receipt[]
  /** Id of the receipt that is on its way. */
  readonly sending: string | undefined
}

const nothing: Dock = {
  isOpen: false,
  isKept: false,
  shipments: [],
  shipmentsAt: undefined,
  receipts: [],
  sending: undefined,
}

const dock = signal(nothing)
let store: DockStore | undefined
/** Whose shipments and receipts they are. */
let opened: Session | undefined

export const useDock = (): Dock => dock.use()

const update = (change: Partial<Dock>): void => dock.set({ ...dock.get(), ...change })

/** Reads what the device keeps for the provider that is signed in. */
export async function openDock(session: Session): Promise<void> {
  if (opened === session) return
  opened = session
  unwritten.clear()
  dock.set(nothing)
  let shipments: readonly KeptShippingEvent[] = []
  let receipts: readonly Receipt[] = []
  const now = Date.now()
  try {
    store = await DockStore.open(session.own.provider)
    shipments = (await store.readAll<KeptShippingEvent>('shipments')).filter(({ at }) => now - at < keptMsMax)
    receipts = await store.readAll<Receipt>('receipts')
  } catch {
    // A private window, or no room: the page works as long as it is open.
    store = undefined
  }
  // Somebody else signed in meanwhile.
  if (opened !== session) return
  for (const receipt of receipts.filter((one) => isOver(one, now))) keep(() => store?.remove('receipts', receipt.id))
  update({
    isOpen: true,
    isKept: store !== undefined,
    shipments: shipments.map(({ shipment }) => shipment),
    shipmentsAt: shipments[0]?.at,
    receipts: inOrder(receipts.filter((one) => !isOver(one, now))),
  })
  if (shipments.length === 0) keep(() => store?.replaceAll('shipments', []))
  noteDevice(session.own, unsentCount())
  void sendReceipts()
}

/** What is recorded is shown for a shift. What waits stays until it is sent. */
const isOver = ({ state, changedAt }: Receipt, now: number): boolean =>
  (state === 'stored' && now - changedAt > keptMsMax) || (state === 'open' && now - changedAt > openDaysMax * dayMs)

const inOrder = (receipts: readonly Receipt[]): readonly Receipt[] =>
  receipts.toSorted((a, b) => b.changedAt - a.changedAt)

const unsentCount = (): number =>
  dock.get().receipts.filter((receipt) => receipt.state !== 'stored' && isBegun(receipt)).length

/** Receipts to be written, by id; undefined for one to be deleted. */
const unwritten = new Map<string, Receipt | undefined>()
let isWriting = false

/** A receipt may have thousands of lines: while it is written, only its last state waits. */
async function writeReceipts(): Promise<void> {
  if (isWriting) return
  isWriting = true
  try {
    for (const [id, receipt] of unwritten) {
      unwritten.delete(id)
      await (receipt === undefined ? store?.remove('receipts', id) : store?.put('receipts', receipt))
    }
  } finally {
    isWriting = false
  }
}

/** What cannot be kept on the device is still on the page. */
function keep(work: () => Promise<void> | undefined): void {
  Promise.resolve()
    .then(work)
    .catch(() => update({ isKept: false }))
}

/** Reads the shipments that are under way, and keeps them in place of those from before. */
export async function loadShippingEvents(session: Session, place: string, giveUp: AbortSignal): Promise<void> {
  const { api, own } = session
  const at = Date.now()
  const found: ShippingEventRecord[] = []
  let cursor: string | null | undefined
  let lines = 0
  while (cursor !== null && found.length < shipmentsMax && lines < linesMax) {
    const { body } = await listUnderWay(api, place, at, cursor, giveUp)
    found.push(...body.content)
    lines += body.content.reduce((sum, { eventList }) => sum + eventList.productList.length, 0)
    cursor = body.nextCursor
  }
  if (opened !== session) return
  update({ shipments: found, shipmentsAt: at })
  keep(() =>
    store?.replaceAll(
      'shipments',
      found.map((shipment): KeptShippingEvent => ({ id: shipment.id, at, shipment })),
    ),
  )
  noteDevice(own, unsentCount(), at)
}

const listUnderWay = (api: Client, place: string, at: number, cursor: string | undefined, giveUp: AbortSignal) =>
  api.listShippingEvents({
    isReceived: false,
    eventStartDateTime: new Date(at - shippedDaysMax * dayMs).toISOString().replace(/\.\d+/, ''),
    ...(place !== '' && { shipToLocationCode: place }),
    limit: pageLimit,
    ...(cursor !== undefined && { cursor }),
    signal: giveUp,
  })

/** Asks the service for shipments that are not kept: by ship notice, order or lot code. */
export async function seekShippingEvents(
  { api }: Session,
  text: string,
  lotCode: string,
): Promise<readonly ShippingEventRecord[]> {
  const asked = await Promise.all([
    api.listShippingEvents({ asnNumber: text, limit: 20 }),
    api.listShippingEvents({ purchaseOrderNumber: text, limit: 20 }),
    api.listShippingEvents({ lotCode, limit: 20 }),
  ])
  const found = new Map(asked.flatMap(({ body }) => body.content).map((shipment) => [shipment.id, shipment]))
  return [...found.values()]
}

export function keepReceipt(receipt: Receipt): void {
  const others = dock.get().receipts.filter(({ id }) => id !== receipt.id)
  update({ receipts: inOrder([receipt, ...others]) })
  write(receipt.id, receipt)
}

export function discardReceipt(id: string): void {
  update({ receipts: dock.get().receipts.filter((receipt) => receipt.id !== id) })
  write(id, undefined)
}

function write(id: string, receipt: Receipt | undefined): void {
  unwritten.set(id, receipt)
  keep(writeReceipts)
  if (opened !== undefined) noteDevice(opened.own, unsentCount())
}

/** Begins another receipt of the same shipment. One that was refused becomes it. */
export function receiveAgain(receipt: Receipt): void {
  if (receipt.state === 'refused') discardReceipt(receipt.id)
  keepReceipt(beginAgain(receipt, Date.now()))
}

/** Gives a receipt to be sent, now or when the service is back. */
export function giveReceipt(receipt: Receipt): void {
  keepReceipt({ ...receipt, state: 'waiting', refusal: undefined, changedAt: Date.now() })
  void sendReceipts()
}

let isSending = false

/**
 * Sends what waits, the oldest first. Each is sent until there is an answer, with the same key and
 * the same content, so that it is stored once however often that is.
 */
async function sendReceipts(): Promise<void> {
  if (isSending) return
  isSending = true
  try {
    for (let next = nextWaiting(); next !== undefined; next = nextWaiting()) {
      const session = await findConfirmedSession()
      // Never for somebody else than who is shown here.
      if (session === undefined || session !== opened) return
      if (!(await sendReceipt(session, next))) return
    }
  } finally {
    isSending = false
    update({ sending: undefined })
  }
}

const nextWaiting = (): Receipt | undefined => dock.get().receipts.findLast(({ state }) => state === 'waiting')

whenBack(() => void sendReceipts())

/** False when there is no use in sending others now. */
async function sendReceipt({ api }: Session, waiting: Receipt): Promise<boolean> {
  const { payload, lineAt } = payloadOf(waiting)
  const receipt: Receipt = { ...waiting, isInDoubt: true }
  update({ sending: receipt.id })
  keepReceipt(receipt)
  const { documents } = shippingSummary(receipt.draft)
  try {
    const { body } = await api.createReceivingEvents({
      body: payload as unknown as ReceivingEventsPayload,
      idempotencyKey: idempotencyKeyOf(receipt),
    })
    const [stored] = body.request_ids
    if (stored === undefined) throw new Error('The service answered without an id.')
    keepReceipt({ ...receipt, state: 'stored', isInDoubt: false, stored, changedAt: Date.now() })
    say(`Received: ${documents}`)
    return true
  } catch (error) {
    if (error instanceof ProblemError && isRefusal(error.status)) {
      keepReceipt({
        ...receipt,
        state: 'refused',
        isInDoubt: false,
        refusal: refusalOf(error, lineAt),
        changedAt: Date.now(),
      })
      say(`Not recorded: ${documents}. See what is wrong on the page “Receive at the dock”.`, 'failed')
      return true
    }
    // Not signed in: it was not looked at, and waits until somebody is.
    if (error instanceof ProblemError && error.status === 401) keepReceipt(waiting)
    else if (error instanceof ProblemError) setTimeout(sendReceipts, retryMs)
    return false
  }
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![401, 408, 429].includes(status)

function refusalOf(error: ProblemError, lineAt: readonly number[]): Refusal {
  const isSecond = error.outcome === 'keyReused'
  return {
    words: isSecond
      ? 'Somebody has recorded a receipt of this shipment already. Look at the receiving events before you record another one.'
      : failureSentence(error),
    isSecond,
    // The others did not refuse it, and are shown with the event.
    findings: findingsByLine(
      error.findings.filter(({ severity }) => severity === 'error'),
      lineAt,
    ),
  }
}
