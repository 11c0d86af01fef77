// Sends the messages of webhooks, apart from requests. A process claims webhooks that no other
// process has. It sends to each independently, in order and one message at a time, until each is
// delivered. Source: decision 0072.
import { readPosition } from '../../contract/changes.ts'
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
import type { BackgroundWork } from '../base/background-work.ts'
import type { HandlerContext } from '../base/handler.ts'
import type { HeldClaim } from '../base/held-claim.ts'
import { LeasedWork } from '../base/leased-work.ts'
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

/** The name of a webhook in the log. Never its address, which may be a secret. */
interface WebhookTrouble {
  readonly provider: string
  readonly webhook: string
  readonly failedAttempts: number
  readonly error: string
}

export interface WebhookSettings {
  /** No other process can be on this database: claims of an earlier one are free. */
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

export interface WebhookSender extends BackgroundWork {
  /**
   * Call it when a request arrives. Without webhooks the sender then looks within seconds instead
   * of a minute: a process that sends none may have created the first one.
   */
  stir(): void
  report(): WebhookReport
  /** Reads how many changes the last of the webhooks of this process is behind. */
  readChangesBehind(): Promise<number>
}

export function webhookSender(context: HandlerContext, settings: WebhookSettings): WebhookSender {
  const { store } = context
  const { isAlone } = settings
  const room = { usual: new Slots(deliveriesMax), troubled: new Slots(troubledDeliveriesMax) }
  const work = new LeasedWork(context, {
    name: 'webhooks',
    doing: 'Sending webhooks',
    isAlone,
    lease: webhookLease,
    find: () => enabledWebhooks(store),
    claim: (found) => webhookLease.claim(store, { ...found, isAlone }),
    workerOf: (held, claimed) => new SentWebhook({ context, settings, room }, held, claimed),
    endPatienceMs,
  })
  return {
    name: work.name,
    due: (provider) => work.due(provider),
    stir: () => work.stir(),
    report() {
      const all = work.workers
      const lags = all.map(({ since }) => (since === undefined ? 0 : (Date.now() - since.getTime()) / 1_000))
      return {
        webhooks: all.length,
        failing: all.filter(({ isFailing }) => isFailing).length,
        lagSeconds: Math.max(0, ...lags),
      }
    },
    async readChangesBehind() {
      const all = work.workers
      const behind = await Promise.all(
        [...new Set(all.map(({ provider }) => provider))].map((provider) => webhooksBehind(store, provider)),
      )
      const changes = all.flatMap(({ id, wantsChanges }) =>
        wantsChanges ? behind.flatMap((ofProvider) => ofProvider.get(id)?.changes ?? []) : [],
      )
      return Math.max(0, ...changes)
    },
    end: () => work.end(),
  }
}

/** What the webhooks of a process share. */
interface SenderParts {
  readonly context: HandlerContext
  readonly settings: WebhookSettings
  readonly room: { readonly usual: Slots; readonly troubled: Slots }
}

/** A webhook that this process has claimed. */
class SentWebhook {
  /** When the oldest undelivered change or alert happened. */
  since: Date | undefined
  readonly #context: HandlerContext
  readonly #settings: WebhookSettings
  readonly #held: HeldClaim
  readonly #room: SenderParts['room']
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
  #skippedAt = performance.now()
  #cleanedAt = Number.NEGATIVE_INFINITY
  #attemptsSinceCleaning = 0

  constructor({ context, settings, room }: SenderParts, held: HeldClaim, claimed: StoredWebhook) {
    this.#context = context
    this.#settings = settings
    this.#room = room
    this.#held = held
    this.#webhook = claimed
    this.#from = claimed
    this.#take(claimed)
  }

  get provider(): string {
    return this.#held.provider
  }

  get id(): string {
    return this.#webhook.id
  }

  get wantsChanges(): boolean {
    return wantsChanges(this.#webhook)
  }

  get isFailing(): boolean {
    return this.#failingSince !== undefined
  }

  /** Another process may have changed its settings. */
  renewed({ setting }: Pick<StoredWebhook, 'setting'>): void {
    if (setting !== this.#webhook.setting) this.#held.reread()
  }

  async step(): Promise<void> {
    const held = this.#held
    if (held.isStale) await this.#reload()
    if (held.isOver) return
    const waitMs = this.#dueAt - performance.now()
    if (waitMs > 0) return held.sleep(waitMs)
    const hadSome = await this.#sendNext()
    if (!hadSome && !held.isOver && !held.isStale) await this.#idle()
  }

  #take(webhook: StoredWebhook): void {
    const now = performance.now()
    this.#webhook = webhook
    this.#from = { position: webhook.position, alertNumber: webhook.alertNumber }
    this.#dueAt = now + webhook.dueInMs
    this.#failingSince = webhook.failingSince === null ? undefined : now - webhook.failingMs
    if (this.#failingSince === undefined) this.#isReported = false
  }

  async #reload(): Promise<void> {
    this.#held.isStale = false
    const { id, fence } = this.#webhook
    const webhook = await findWebhook(this.#context.store, this.provider, id)
    if (webhook?.fence !== fence || webhook.disabledAt !== null) return this.#held.stop()
    this.#take(webhook)
  }

  /** Waits for changes, and wakes every few seconds to check for alerts. */
  async #idle(): Promise<void> {
    this.since = undefined
    await this.#clean()
    if (!wantsChanges(this.#webhook)) return this.#held.sleep(idleMsMax)
    const after = readPosition(this.#from.position)
    if (after === undefined) throw new Error(`${this.#from.position} is no position.`)
    await this.#held.waitForChanges(after, wantsAlerts(this.#webhook) ? idleMsMax : skipMs)
  }

  /** False when there is nothing to send. */
  async #sendNext(): Promise<boolean> {
    const slots = this.isFailing || this.#wasSlow ? this.#room.troubled : this.#room.usual
    const leave = await slots.enter()
    try {
      if (this.#held.isOver || this.#held.isStale) return true
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
      await dropMessage(store, { ...webhook, provider: this.provider, messageId: webhook.messageId })
      this.#held.isStale = true
      return true
    }
    const next = await readNextMessage(store, this.provider, webhook, this.#from)
    this.#from = next.start
    if (!('message' in next)) {
      if (this.#isToBeStored() && !(await skipChanges(store, { ...webhook, ...this.#from, provider: this.provider })))
        this.#held.isStale = true
      return !next.isEnd
    }
    const messageId = newMessageId()
    if (!(await beginMessage(store, { ...webhook, ...this.#from, messageId, provider: this.provider }, next.extent))) {
      this.#held.isStale = true
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
    const { body, causes } = message
    const delivery = await webhooks.deliver({ url: webhook.url, headers, body, causes }, this.#held.stopped)
    // Another process or the next start sends it again under the same id.
    if (this.#held.stopped.aborted && delivery.outcome !== 'delivered') return
    this.#settings.onDelivery(delivery)
    this.#wasSlow = delivery.ms > slowMs
    const attempt = attemptOf(
      { id: newRecordId(), beganAt, attempt: webhook.attempts + 1 },
      { messageId: sentId, type: message.type, changes: message.changes, position: message.position },
      delivery,
    )
    const after = attempt.delivered ? undefined : this.#afterFailure(delivery)
    const isSettled = await settleMessage(store, { ...webhook, provider: this.provider }, messageId, { attempt, after })
    this.#attemptsSinceCleaning++
    if (!isSettled) {
      this.#held.isStale = true
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
    this.#held.stopListening()
    if ('disabledBecause' in after) {
      this.#settings.onDisabled(trouble)
      this.#held.stop()
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
    await deleteOldAttempts(this.#context.store, { provider: this.provider, webhook: this.#webhook.id })
  }
}

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
