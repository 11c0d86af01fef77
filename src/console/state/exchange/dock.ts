// Receiving at the dock: the shipments and receipts that are kept on this device, and the receipts
// that wait to be sent (decision 0027).
import { useEffect } from 'preact/hooks'
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
import { type Signal, signal } from '../frame/signal.ts'
import { say } from '../frame/toasts.ts'
import { DockStore } from './dock-store.ts'

/** Most shipments on the device, and most of their lines together: about 20 MB. */
const shipmentsMax = 100
const linesMax = 20_000
const pageLimit = 50

const dayMs = 86_400_000
/** A shipment that left longer ago is found by its documents. */
const shippedDaysMax = 14
/** Days after which an abandoned receipt is deleted. */
const openDaysMax = 14
/** Pause before a receipt is sent again to a service that answered, but could not take it. */
const retryMs = 15_000

interface KeptShippingEvent {
  readonly id: string
  /** When it was read, in milliseconds. */
  readonly at: number
  readonly shipment: ShippingEventRecord
}

export interface DockState {
  /** Whose shipments and receipts they are; undefined until the page was opened. */
  readonly session: Session | undefined
  /** Undefined until what the device keeps is read. */
  readonly dock: Dock | undefined
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

const nothing: DockState = {
  session: undefined,
  dock: undefined,
  isKept: false,
  shipments: [],
  shipmentsAt: undefined,
  receipts: [],
  sending: undefined,
}

const shown = signal(nothing)

whenBack(() => void shown.get().dock?.sendReceipts())

/** What the device keeps for the provider of a session, which is read when its page is opened. */
export function useDock(session: Session): DockState {
  useEffect(() => void openDock(session), [session])
  return shown.use()
}

async function openDock(session: Session): Promise<void> {
  if (shown.get().session === session) return
  shown.set({ ...nothing, session })
  const now = Date.now()
  const { store, shipments, receipts } = await readDevice(session.own.provider, now)
  // Somebody else signed in meanwhile.
  if (shown.get().session !== session) return
  const dock = new Dock(session, store, shown)
  const [over, others] = [receipts.filter((one) => isOver(one, now)), receipts.filter((one) => !isOver(one, now))]
  shown.set({
    ...nothing,
    session,
    dock,
    isKept: store !== undefined,
    shipments: shipments.map(({ shipment }) => shipment),
    shipmentsAt: shipments[0]?.at,
    receipts: inOrder(others),
  })
  dock.begin({ over, areShipmentsOver: shipments.length === 0 })
}

interface Kept {
  readonly store?: DockStore
  readonly shipments: readonly KeptShippingEvent[]
  readonly receipts: readonly Receipt[]
}

async function readDevice(provider: string, now: number): Promise<Kept> {
  try {
    const store = await DockStore.open(provider)
    const shipments = await store.readAll<KeptShippingEvent>('shipments')
    return {
      store,
      shipments: shipments.filter(({ at }) => now - at < keptMsMax),
      receipts: await store.readAll<Receipt>('receipts'),
    }
  } catch {
    // A private window, or no room: the page works as long as it is open.
    return { shipments: [], receipts: [] }
  }
}

/** A recorded receipt is shown for a shift. A waiting one stays until it is sent. */
const isOver = ({ state, changedAt }: Receipt, now: number): boolean =>
  (state === 'stored' && now - changedAt > keptMsMax) || (state === 'open' && now - changedAt > openDaysMax * dayMs)

const inOrder = (receipts: readonly Receipt[]): readonly Receipt[] =>
  receipts.toSorted((a, b) => b.changedAt - a.changedAt)

/** The shipments and receipts of a session: they are shown, kept on the device, and sent. */
export class Dock {
  readonly #session: Session
  readonly #store: DockStore | undefined
  readonly #shown: Signal<DockState>
  /** Receipts to be written, by id; undefined for one to be deleted. */
  readonly #unwritten = new Map<string, Receipt | undefined>()
  #isWriting = false
  #isSending = false

  constructor(session: Session, store: DockStore | undefined, shown: Signal<DockState>) {
    this.#session = session
    this.#store = store
    this.#shown = shown
  }

  /** Deletes old receipts, and sends waiting ones. */
  begin({ over, areShipmentsOver }: { readonly over: readonly Receipt[]; readonly areShipmentsOver: boolean }): void {
    for (const { id } of over) this.#keep(() => this.#store?.remove('receipts', id))
    if (areShipmentsOver) this.#keep(() => this.#store?.replaceAll('shipments', []))
    noteDevice(this.#session.own, this.#unsentCount())
    void this.sendReceipts()
  }

  /** Reads the shipments that are under way, and keeps them in place of those from before. */
  async loadShippingEvents(place: string, giveUp: AbortSignal): Promise<void> {
    const { api, own } = this.#session
    const at = Date.now()
    const found: ShippingEventRecord[] = []
    let cursor: string | null | undefined
    let lines = 0
    while (cursor !== null && found.length < shipmentsMax && lines < linesMax) {
      const { body } = await listUnderWay(api, { place, at, cursor, signal: giveUp })
      found.push(...body.content)
      lines += body.content.reduce((sum, { eventList }) => sum + eventList.productList.length, 0)
      cursor = body.nextCursor
    }
    if (!this.#isShown()) return
    this.#update({ shipments: found, shipmentsAt: at })
    const rows = found.map((shipment): KeptShippingEvent => ({ id: shipment.id, at, shipment }))
    this.#keep(() => this.#store?.replaceAll('shipments', rows))
    noteDevice(own, this.#unsentCount(), at)
  }

  keepReceipt(receipt: Receipt): void {
    const others = this.#shown.get().receipts.filter(({ id }) => id !== receipt.id)
    this.#update({ receipts: inOrder([receipt, ...others]) })
    this.#write(receipt.id, receipt)
  }

  discardReceipt(id: string): void {
    this.#update({ receipts: this.#shown.get().receipts.filter((receipt) => receipt.id !== id) })
    this.#write(id, undefined)
  }

  /** Begins another receipt of the same shipment. One that was refused becomes it. */
  receiveAgain(receipt: Receipt): void {
    if (receipt.state === 'refused') this.discardReceipt(receipt.id)
    this.keepReceipt(beginAgain(receipt, Date.now()))
  }

  /** Gives a receipt to be sent, now or when the service is back. */
  giveReceipt(receipt: Receipt): void {
    this.keepReceipt({ ...receipt, state: 'waiting', refusal: undefined, changedAt: Date.now() })
    void this.sendReceipts()
  }

  /**
   * Sends what waits, the oldest first. Each is sent until there is an answer, with the same key
   * and the same content, so that it is stored once however often that is.
   */
  async sendReceipts(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      for (let next = this.#nextWaiting(); next !== undefined; next = this.#nextWaiting()) {
        // Never for somebody else than who is shown here.
        if ((await findConfirmedSession()) !== this.#session || !this.#isShown()) return
        if (!(await this.#sendReceipt(next))) return
      }
    } finally {
      this.#isSending = false
      this.#update({ sending: undefined })
    }
  }

  /** False when there is no use in sending others now. */
  async #sendReceipt(waiting: Receipt): Promise<boolean> {
    const { payload, lineAt } = payloadOf(waiting)
    const receipt: Receipt = { ...waiting, isInDoubt: true }
    this.#update({ sending: receipt.id })
    this.keepReceipt(receipt)
    const { documents } = shippingSummary(receipt.draft)
    try {
      const { body } = await this.#session.api.createReceivingEvents({
        body: payload as unknown as ReceivingEventsPayload,
        idempotencyKey: idempotencyKeyOf(receipt),
      })
      const [stored] = body.request_ids
      if (stored === undefined) throw new Error('The service answered without an id.')
      this.keepReceipt({ ...receipt, state: 'stored', isInDoubt: false, stored, changedAt: Date.now() })
      say(`Received: ${documents}`)
      return true
    } catch (error) {
      if (error instanceof ProblemError && isRefusal(error.status)) {
        const refusal = refusalOf(error, lineAt)
        this.keepReceipt({ ...receipt, state: 'refused', isInDoubt: false, refusal, changedAt: Date.now() })
        say(`Not recorded: ${documents}. See what is wrong on the page “Receive at the dock”.`, 'failed')
        return true
      }
      // Not signed in: it was not looked at, and waits until somebody is.
      if (error instanceof ProblemError && error.status === 401) this.keepReceipt(waiting)
      else if (error instanceof ProblemError) setTimeout(() => void this.sendReceipts(), retryMs)
      return false
    }
  }

  /** False once somebody else has signed in. */
  #isShown(): boolean {
    return this.#shown.get().dock === this
  }

  #update(change: Partial<DockState>): void {
    if (this.#isShown()) this.#shown.set({ ...this.#shown.get(), ...change })
  }

  #nextWaiting(): Receipt | undefined {
    return this.#isShown() ? this.#shown.get().receipts.findLast(({ state }) => state === 'waiting') : undefined
  }

  #unsentCount(): number {
    return this.#shown.get().receipts.filter((receipt) => receipt.state !== 'stored' && isBegun(receipt)).length
  }

  #write(id: string, receipt: Receipt | undefined): void {
    this.#unwritten.set(id, receipt)
    this.#keep(() => this.#writeReceipts())
    if (this.#isShown()) noteDevice(this.#session.own, this.#unsentCount())
  }

  /** A receipt may have thousands of lines: while it is written, only its last state waits. */
  async #writeReceipts(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    try {
      for (const [id, receipt] of this.#unwritten) {
        this.#unwritten.delete(id)
        await (receipt === undefined ? this.#store?.remove('receipts', id) : this.#store?.put('receipts', receipt))
      }
    } finally {
      this.#isWriting = false
    }
  }

  /** If the device cannot store it, the page still shows it. */
  #keep(work: () => Promise<void> | undefined): void {
    Promise.resolve()
      .then(work)
      .catch(() => this.#update({ isKept: false }))
  }
}

interface UnderWayAsked {
  readonly place: string
  readonly at: number
  readonly cursor: string | undefined
  readonly signal: AbortSignal
}

const listUnderWay = (api: Client, { place, at, cursor, signal }: UnderWayAsked) =>
  api.listShippingEvents({
    isReceived: false,
    eventStartDateTime: new Date(at - shippedDaysMax * dayMs).toISOString().replace(/\.\d+/, ''),
    ...(place !== '' && { shipToLocationCode: place }),
    limit: pageLimit,
    ...(cursor !== undefined && { cursor }),
    signal,
  })

/** Requests shipments that are not on the device, by ship notice, order or lot code. */
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

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![401, 408, 429].includes(status)

function refusalOf(error: ProblemError, lineAt: readonly number[]): Refusal {
  const isSecond = error.outcome === 'keyReused'
  return {
    words: isSecond
      ? 'Somebody has recorded a receipt of this shipment already. Look at the receiving events before you record another one.'
      : failureSentence(error),
    isSecond,
    // Other findings did not cause the refusal. The page of the event shows them.
    findings: findingsByLine(
      error.findings.filter(({ severity }) => severity === 'error'),
      lineAt,
    ),
  }
}
