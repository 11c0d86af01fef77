// Sends the messages of webhooks, apart from requests. A process claims webhooks that no other
// process has. It sends to each independently, in order and one message at a time, until each is
// delivered. Source: decision 0072.
import { readPosition } from '../../contract/changes.ts'
import type { Claim } from '../../store/base/leases.ts'
import {
  type AfterFailure,
  beginMessage,
  deleteOldAttempts,
  dropMessage,
  enabledWebhooks,
  findWebhook,
  type StoredWebhook,
  settleMessage,
  skipChanges,
  type WebhookStart,
  webhookLease,
  webhooksBehind,
} from '../../store/changes/webhooks.ts'
import type { Delivery } from '../../webhooks/delivery.ts'
import { pauseAfterFailure } from '../../webhooks/retries.ts'
import { signMessage } from '../../webhooks/signature.ts'
import type { Listener } from '../base/change-listening.ts'
import { rareReports } from '../base/failure-reports.ts'
import type { HandlerContext } from '../base/handler.ts'
import { newRecordId } from '../base/record-id.ts'
import {
  attemptOf,
  type Message,
  messageIdText,
  newMessageId,
  readBegunMessage,
  readNextMessage,
  signingKeysOf,
  wantsAlerts,
  wantsChanges,
} from './webhook-messages.ts'

/**
 * Time between two looks for webhooks without a claim, in milliseconds; the second while there are
 * no webhooks and no requests.
 */
const lookMs = 2_000
const lookWithoutAnyMs = 60_000
/** Time between two renewals of claims, in milliseconds. */
const renewalMs = webhookLease.ms / 4
/** How long before a claim expires this process stops sending, in milliseconds. */
const leaseMarginMs = 1_000
/** Most deliveries at once in one process. */
const deliveriesMax = 64
/**
 * The same for webhooks whose last delivery failed or was slow. However many hang, they hold up
 * only each other.
 */
const troubledDeliveriesMax = 32
/** A delivery that takes longer counts as slow, in milliseconds. */
const slowMs = 3_000
/** Longest wait for changes before alerts are checked, in milliseconds. */
const idleMsMax = 10_000
/** Pause after a failure of this service, in milliseconds. */
const faultPauseMs = 2_000
/** Longest time that an end waits for deliveries in progress, in milliseconds. */
const endPatienceMs = 3_000
/** A webhook that fails for so long is reported, in milliseconds. */
const reportedFailingMs = 1_800_000
/** Old attempts are deleted after so many new ones, or after so many milliseconds. */
const attemptsBetweenCleaning = 100
const cleaningMs = 86_400_000
/**
 * Unwanted changes are skipped in memory, and the position is stored this often, in milliseconds.
 */
const skipMs = 30_000

/** What the log says about a webhook. Never its address, which may be a secret. */
interface WebhookTrouble {
  readonly provider: string
  readonly webhook: string
  readonly failedAttempts: number
  readonly error: string
}

export interface WebhookSettings {
  /** No other process can be on this database: what one left behind is free. */
  readonly isAlone: boolean
  /** Longest pause between two attempts, in seconds. */
  readonly pauseSecondsMax: number
  readonly onDelivery: (delivery: Delivery) => void
  readonly onFailing: (trouble: WebhookTrouble) => void
  readonly onDisabled: (trouble: WebhookTrouble) => void
}

/** The state of the webhooks that this process sends to. */
interface WebhookReport {
  readonly webhooks: number
  readonly failing: number
  /** Age of the oldest message that is not delivered, in seconds. */
  readonly lagSeconds: number
}

/** The report of a process without webhooks. */
export const noWebhooks: WebhookReport = { webhooks: 0, failing: 0, lagSeconds: 0 }

export interface WebhookSender {
  /** Call it when webhooks of the provider were created or changed. */
  due(provider: string): void
  /**
   * Call it when a request arrives. Without webhooks the sender then looks within seconds instead
   * of a minute: a process that sends none may have created the first one.
   */
  stir(): void
  report(): WebhookReport
  /** Reads how many changes the last of the webhooks of this process is behind. */
  readChangesBehind(): Promise<number>
  /** Ends deliveries in progress. Another process sends the rest. */
  end(): Promise<void>
}

export function webhookSender(context: HandlerContext, settings: WebhookSettings): WebhookSender {
  const { store, reportDropped } = context
  const held = new Map<string, HeldWebhook>()
  const room = { usual: new Slots(deliveriesMax), troubled: new Slots(troubledDeliveriesMax) }
  let ending = false
  /** Something has changed that a look in progress may miss. */
  let isDue = false
  let hasSome = false
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Undefined during a look. */
  let lookTimer: NodeJS.Timeout | undefined
  let renewTimer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let renewing: Promise<void> = Promise.resolve()

  // Rarely, because every webhook fails every few seconds while the database is away.
  const report = rareReports('Sending webhooks', reportDropped)
  const reportFailure = (error: unknown) => {
    if (!ending) report(error)
  }

  async function lookNow(): Promise<void> {
    isDue = false
    lookedAt = performance.now()
    const webhooks = await enabledWebhooks(store)
    hasSome = webhooks.length > 0
    for (const { provider, id, isFree } of webhooks) {
      if (!(isFree || settings.isAlone) || held.has(id) || ending) continue
      const began = performance.now()
      const claimed = await webhookLease.claim(store, { provider, id, isAlone: settings.isAlone })
      if (claimed === undefined) continue
      const one = new HeldWebhook(context, settings, provider, claimed, began, room, reportFailure)
      held.set(id, one)
      void one.done.finally(() => {
        if (held.get(id) === one) held.delete(id)
      })
    }
  }

  const look = (ms: number) => {
    clearTimeout(lookTimer)
    if (ending) return
    // So that processes do not look at the same time.
    lookTimer = setTimeout(() => {
      lookTimer = undefined
      looking = looking
        .then(lookNow)
        .catch((error: unknown) => {
          hasSome = true
          reportFailure(error)
        })
        .then(() => look(isDue ? 0 : (hasSome ? lookMs : lookWithoutAnyMs) * (0.5 + Math.random() / 2)))
    }, ms).unref()
  }

  const renew = () => {
    renewTimer = setTimeout(() => {
      renewing = renewAll().finally(() => {
        if (!ending) renew()
      })
    }, renewalMs).unref()
  }

  const heldProviders = () => [...new Set([...held.values()].map(({ provider }) => provider))]

  async function renewAll(): Promise<void> {
    await Promise.all(
      heldProviders().map(async (provider) => {
        const began = performance.now()
        try {
          const claims = [...held.values()].filter((one) => one.provider === provider).map(({ claim }) => claim)
          const kept = new Map((await webhookLease.renew(store, provider, claims)).map((row) => [row.id, row]))
          for (const [id, one] of held)
            if (one.provider === provider && one.heldSince < began) one.renew(began, kept.get(id))
        } catch (error) {
          reportFailure(error)
        }
      }),
    )
  }

  look(0)
  renew()
  return {
    due(provider) {
      for (const one of held.values()) if (one.provider === provider) one.reread()
      isDue = true
      look(0)
    },
    stir() {
      if (hasSome || lookTimer === undefined || performance.now() - lookedAt < lookMs) return
      // Not again with each request until it looks.
      lookedAt = performance.now()
      look(0)
    },
    report() {
      const all = [...held.values()]
      const lags = all.map(({ since }) => (since === undefined ? 0 : (Date.now() - since.getTime()) / 1_000))
      return {
        webhooks: all.length,
        failing: all.filter(({ isFailing }) => isFailing).length,
        lagSeconds: Math.max(0, ...lags),
      }
    },
    async readChangesBehind() {
      let most = 0
      for (const provider of heldProviders())
        for (const [id, { changes }] of await webhooksBehind(store, provider))
          if (held.get(id)?.wantsChanges) most = Math.max(most, changes)
      return most
    },
    async end() {
      ending = true
      clearTimeout(lookTimer)
      clearTimeout(renewTimer)
      await Promise.all([looking, renewing])
      await Promise.all([...held.values()].map((one) => one.end()))
    },
  }
}

/**
 * A webhook that this process has claimed, until it loses the claim or the webhook is disabled or
 * deleted.
 */
class HeldWebhook {
  readonly provider: string
  readonly heldSince = performance.now()
  readonly done: Promise<void>
  /** When the oldest undelivered change or alert happened. */
  since: Date | undefined
  readonly #context: HandlerContext
  readonly #settings: WebhookSettings
  readonly #room: { readonly usual: Slots; readonly troubled: Slots }
  readonly #reportFailure: (error: unknown) => void
  /** Aborts deliveries when the claim is lost, or the end cannot wait longer. */
  readonly #lost = new AbortController()
  #webhook: StoredWebhook
  /** After everything that is delivered or unwanted. */
  #from: WebhookStart
  /**
   * When the next attempt is due, and since when attempts fail, by the monotonic clock of this
   * process.
   */
  #dueAt = 0
  #failingSince: number | undefined
  #wasSlow = false
  #isReported = false
  #isStale = false
  #isEnding = false
  #listener: Listener | undefined
  #lease: NodeJS.Timeout | undefined
  #wake: () => void = () => undefined
  #skippedAt = performance.now()
  #cleanedAt = Number.NEGATIVE_INFINITY
  #attemptsSinceCleaning = 0

  constructor(
    context: HandlerContext,
    settings: WebhookSettings,
    provider: string,
    claimed: StoredWebhook,
    began: number,
    room: { readonly usual: Slots; readonly troubled: Slots },
    reportFailure: (error: unknown) => void,
  ) {
    this.#context = context
    this.#settings = settings
    this.#room = room
    this.#reportFailure = reportFailure
    this.provider = provider
    this.#webhook = claimed
    this.#from = claimed
    this.#take(claimed)
    this.#holdUntil(began)
    this.done = this.#run()
  }

  get claim(): Claim {
    return this.#webhook
  }

  get wantsChanges(): boolean {
    return wantsChanges(this.#webhook)
  }

  get isFailing(): boolean {
    return this.#failingSince !== undefined
  }

  /** Renews the claim, or ends when it is lost. `began`: when the renewal was sent. */
  renew(began: number, row: { readonly fence: number; readonly setting: number } | undefined): void {
    if (row?.fence !== this.#webhook.fence) {
      this.#lose()
      return
    }
    this.#holdUntil(began)
    if (row.setting !== this.#webhook.setting) this.reread()
  }

  /** Makes it read the webhook again before the next step. */
  reread(): void {
    this.#isStale = true
    this.#wake()
  }

  /** Ends after the delivery in progress, and lets another process continue. */
  async end(): Promise<void> {
    this.#isEnding = true
    this.#wake()
    const patience = setTimeout(() => this.#lost.abort(), endPatienceMs)
    await this.done
    clearTimeout(patience)
  }

  get #isOver(): boolean {
    return this.#isEnding || this.#lost.signal.aborted
  }

  #lose(): void {
    this.#lost.abort()
    this.#wake()
  }

  #holdUntil(began: number): void {
    clearTimeout(this.#lease)
    this.#lease = setTimeout(() => this.#lose(), began + webhookLease.ms - leaseMarginMs - performance.now()).unref()
  }

  #take(webhook: StoredWebhook): void {
    const now = performance.now()
    this.#webhook = webhook
    this.#from = { position: webhook.position, alertNumber: webhook.alertNumber }
    this.#dueAt = now + webhook.dueInMs
    this.#failingSince = webhook.failingSince === null ? undefined : now - webhook.failingMs
    if (this.#failingSince === undefined) this.#isReported = false
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      try {
        if (this.#isStale) await this.#reload()
        if (this.#isOver) break
        if (this.#dueAt > performance.now()) {
          await this.#sleep(this.#dueAt - performance.now())
          continue
        }
        const hadSome = await this.#sendNext()
        if (!hadSome && !this.#isOver && !this.#isStale) await this.#idle()
      } catch (error) {
        this.#reportFailure(error)
        this.#isStale = true
        await this.#sleep(faultPauseMs)
      }
    }
    clearTimeout(this.#lease)
    this.#listener?.end()
    // If this fails, the claim expires, and the next process waits some seconds.
    await webhookLease.release(this.#context.store, this.provider, this.#webhook).catch(() => undefined)
  }

  async #reload(): Promise<void> {
    this.#isStale = false
    const { id, fence } = this.#webhook
    const webhook = await findWebhook(this.#context.store, this.provider, id)
    if (webhook?.fence !== fence || webhook.disabledAt !== null) return this.#lose()
    this.#take(webhook)
  }

  /** Waits for changes, and wakes every few seconds to check for alerts. */
  async #idle(): Promise<void> {
    this.since = undefined
    await this.#clean()
    const { changeListeners } = this.#context
    if (!wantsChanges(this.#webhook)) return this.#sleep(idleMsMax)
    const msMax = wantsAlerts(this.#webhook) ? idleMsMax : skipMs
    this.#listener ??= changeListeners.listen(this.provider)
    const after = readPosition(this.#from.position)
    if (after === undefined) throw new Error(`${this.#from.position} is no position.`)
    const waiting = new AbortController()
    this.#wake = () => waiting.abort()
    if (this.#isOver || this.#isStale) return
    // `changed` returns at once when the service stops.
    if (changeListeners.hasEnded) return this.#sleep(idleMsMax)
    await this.#listener.changed(after, msMax, waiting.signal)
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isOver || this.#isStale) ms = Math.min(ms, faultPauseMs)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, longestTimerMs))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#isOver) this.#wake()
    })
  }

  /** False when there is nothing to send. */
  async #sendNext(): Promise<boolean> {
    const slots = this.isFailing || this.#wasSlow ? this.#room.troubled : this.#room.usual
    const leave = await slots.enter()
    try {
      if (this.#isOver || this.#isStale) return true
      const next = await this.#nextMessage()
      if (typeof next === 'boolean') return next
      await this.#send(next.message, next.messageId)
      return true
    } finally {
      leave()
    }
  }

  /** The next message, stored before it is sent; or whether something may follow. */
  async #nextMessage(): Promise<boolean | { readonly message: Message; readonly messageId: string }> {
    const { store } = this.#context
    const webhook = this.#webhook
    if (webhook.messageId !== null) {
      const message = await readBegunMessage(store, this.provider, webhook)
      if (message !== undefined) return { message, messageId: webhook.messageId }
      // All of it was purged while it failed.
      await dropMessage(store, this.provider, webhook, webhook.messageId)
      this.#isStale = true
      return true
    }
    const next = await readNextMessage(store, this.provider, webhook, this.#from)
    this.#from = next.start
    if (!('message' in next)) {
      if (this.#isToBeStored()) this.#isStale = !(await skipChanges(store, this.provider, webhook, this.#from))
      return !next.isEnd
    }
    const messageId = newMessageId()
    if (!(await beginMessage(store, this.provider, webhook, this.#from, messageId, next.extent))) {
      this.#isStale = true
      return true
    }
    const [end, alert] = 'end' in next.extent ? [next.extent.end, null] : [null, next.extent.alert]
    this.#webhook = { ...webhook, ...this.#from, messageId, messageEnd: end, messageAlert: alert }
    return { message: next.message, messageId }
  }

  #isToBeStored(): boolean {
    const { position, alertNumber } = this.#webhook
    const now = performance.now()
    if (position === this.#from.position && alertNumber === this.#from.alertNumber) return false
    if (now - this.#skippedAt < skipMs) return false
    this.#skippedAt = now
    this.#webhook = { ...this.#webhook, ...this.#from }
    return true
  }

  async #send(message: Message, messageId: string): Promise<void> {
    const { store, webhooks } = this.#context
    const webhook = this.#webhook
    this.since = message.since
    const [beganAt, sentId] = [new Date(), messageIdText(messageId)]
    const headers = signMessage(signingKeysOf(webhook), sentId, beganAt, message.body)
    const delivery = await webhooks.deliver({ url: webhook.url, headers, body: message.body }, this.#lost.signal)
    // Another process or the next start sends it again under the same id.
    if (this.#lost.signal.aborted && delivery.outcome !== 'delivered') return
    this.#settings.onDelivery(delivery)
    this.#wasSlow = delivery.ms > slowMs
    const attempt = attemptOf(
      { id: newRecordId(), beganAt, attempt: webhook.attempts + 1 },
      { messageId: sentId, type: message.type, changes: message.changes, position: message.position },
      delivery,
    )
    const after = attempt.delivered ? undefined : this.#afterFailure(delivery)
    const isSettled = await settleMessage(store, this.provider, webhook, messageId, attempt, after)
    this.#attemptsSinceCleaning++
    if (!isSettled) {
      this.#isStale = true
      return
    }
    if (after === undefined) this.#moveOn()
    else this.#backOff(after, attempt.error ?? '')
  }

  #moveOn(): void {
    const { messageEnd, messageAlert, position, alertNumber } = this.#webhook
    this.#from = { position: messageEnd ?? position, alertNumber: messageAlert ?? alertNumber }
    this.#webhook = {
      ...this.#webhook,
      ...this.#from,
      ...{ messageId: null, messageEnd: null, messageAlert: null, attempts: 0, failingSince: null },
    }
    this.since = undefined
    this.#dueAt = 0
    this.#failingSince = undefined
    this.#isReported = false
  }

  #afterFailure({ outcome, retryAfterMs }: Delivery): AfterFailure {
    if (outcome === 'gone') return { disabledBecause: 'gone' }
    const failingMs = this.#failingSince === undefined ? 0 : performance.now() - this.#failingSince
    const pause = pauseAfterFailure(failingMs, retryAfterMs, this.#settings.pauseSecondsMax)
    return pause === undefined ? { disabledBecause: 'failing' } : { againInSeconds: pause / 1_000 }
  }

  #backOff(after: AfterFailure, error: string): void {
    const now = performance.now()
    this.#failingSince ??= now
    this.#webhook = { ...this.#webhook, attempts: this.#webhook.attempts + 1 }
    const { id, attempts } = this.#webhook
    const trouble = { provider: this.provider, webhook: id, failedAttempts: attempts, error }
    // A webhook that waits for its next attempt needs no changes.
    this.#listener?.end()
    this.#listener = undefined
    if ('disabledBecause' in after) {
      this.#settings.onDisabled(trouble)
      this.#lose()
      return
    }
    this.#dueAt = now + after.againInSeconds * 1_000
    if (now - this.#failingSince < reportedFailingMs || this.#isReported) return
    this.#isReported = true
    this.#settings.onFailing(trouble)
  }

  async #clean(): Promise<void> {
    const now = performance.now()
    if (this.#attemptsSinceCleaning < attemptsBetweenCleaning && now - this.#cleanedAt < cleaningMs) return
    this.#cleanedAt = now
    this.#attemptsSinceCleaning = 0
    await deleteOldAttempts(this.#context.store, this.provider, this.#webhook.id)
  }
}

/** The longest time that setTimeout accepts. */
const longestTimerMs = 2 ** 31 - 1

/** A semaphore. Those that wait enter in order. */
class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves with the function that leaves, when there is room. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return () => {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
