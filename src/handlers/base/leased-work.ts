// Background work that several processes share: each claims rows that no other one has, works on
// them for as long as there is work, and renews its claims.
import { type Claim, ClaimLost, type Lease } from '../../store/base/leases.ts'
import type { BackgroundWork, BackgroundWorkName } from './background-work.ts'
import { rareReports } from './failure-reports.ts'
import type { HandlerContext } from './handler.ts'
import { faultPauseMs, HeldClaim } from './held-claim.ts'

/**
 * Time between two looks for work without a claim, in milliseconds; the second while there is no
 * work in any process.
 */
const lookMs = 2_000
const lookWithoutAnyMs = 60_000
/** Longest time between two renewals of a claim, in milliseconds. */
const renewalMsMax = 5_000
/** How long before a claim expires it counts as lost, in milliseconds. */
const leaseMarginMs = 1_000

/** Work that some process has to do. `id`: where a provider has several. */
interface FoundWork {
  readonly provider: string
  readonly id?: string
  /** No process has a claim. */
  readonly isFree: boolean
}

/** Works on a claimed row. */
interface Worker<Renewed> {
  /** Does the next piece of work, or waits for it. Called again until the claim ends. */
  step(): Promise<void>
  /** Called with the result of a renewal. */
  renewed?(row: Renewed): void
}

interface LeasedWorkOptions<Claimed extends Claim, Renewed extends Claim, W extends Worker<Renewed>> {
  readonly name: BackgroundWorkName
  /** How a sentence about its failure begins: `Sending webhooks`. */
  readonly doing: string
  /** No other process can be on this database: claims of an earlier one are free. */
  readonly isAlone: boolean
  readonly lease: Lease<Claimed, Renewed>
  /** The work of all processes. */
  readonly find: () => Promise<readonly FoundWork[]>
  readonly claim: (found: FoundWork) => Promise<Claimed | undefined>
  readonly workerOf: (held: HeldClaim, claimed: Claimed) => W
  /** Longest time that an end waits for steps in progress, in milliseconds; else until they end. */
  readonly endPatienceMs?: number
}

export class LeasedWork<Claimed extends Claim, Renewed extends Claim, W extends Worker<Renewed>>
  implements BackgroundWork
{
  readonly name: BackgroundWorkName
  readonly #context: HandlerContext
  readonly #of: LeasedWorkOptions<Claimed, Renewed, W>
  /** By the id of the work, or by its provider. */
  readonly #held = new Map<string, { readonly claim: HeldClaim; readonly worker: W; readonly done: Promise<void> }>()
  readonly #renewing = new Map<string, Promise<void>>()
  readonly #renewTimer: NodeJS.Timeout
  readonly #report: (error: unknown) => void
  #isEnding = false
  /** Something has changed that a look in progress may miss. */
  #isDue = false
  #hasSome = false
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Undefined during a look. */
  #lookTimer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(context: HandlerContext, options: LeasedWorkOptions<Claimed, Renewed, W>) {
    this.#context = context
    this.#of = options
    this.name = options.name
    // Rarely, because everything fails every few seconds while the database is away.
    this.#report = rareReports(options.doing, context.reportDropped)
    this.#look(0)
    const renewalMs = Math.min(options.lease.ms / 4, renewalMsMax)
    this.#renewTimer = setInterval(() => this.#renewAll(), renewalMs).unref()
  }

  /** The workers of this process. */
  get workers(): readonly W[] {
    return [...this.#held.values()].map(({ worker }) => worker)
  }

  due(provider: string): void {
    for (const { claim } of this.#held.values()) if (claim.provider === provider) claim.reread()
    this.#isDue = true
    this.#look(0)
  }

  /**
   * Call it when a request arrives. Without work this process then looks within seconds instead of
   * a minute: another one may have created the first.
   */
  stir(): void {
    if (this.#hasSome || this.#lookTimer === undefined || performance.now() - this.#lookedAt < lookMs) return
    // Not again with each request until it looks.
    this.#lookedAt = performance.now()
    this.#look(0)
  }

  async end(): Promise<void> {
    this.#isEnding = true
    clearTimeout(this.#lookTimer)
    clearInterval(this.#renewTimer)
    await Promise.all([this.#looking, ...this.#renewing.values()])
    const all = [...this.#held.values()]
    for (const { claim } of all) claim.end()
    const { endPatienceMs } = this.#of
    const patience =
      endPatienceMs &&
      setTimeout(() => {
        for (const { claim } of all) claim.stop()
      }, endPatienceMs)
    await Promise.all(all.map(({ done }) => done))
    clearTimeout(patience)
  }

  #reportFailure(error: unknown): void {
    if (!this.#isEnding) this.#report(error)
  }

  #look(ms: number): void {
    clearTimeout(this.#lookTimer)
    if (this.#isEnding) return
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = undefined
      const looked = this.#looking.then(() => this.#lookNow())
      this.#looking = looked.then(() => {
        const pauseMs = this.#hasSome ? lookMs : lookWithoutAnyMs
        // At different moments in different processes.
        this.#look(this.#isDue ? 0 : pauseMs * (0.5 + Math.random() / 2))
      })
    }, ms).unref()
  }

  async #lookNow(): Promise<void> {
    const { find, claim, isAlone } = this.#of
    this.#isDue = false
    this.#lookedAt = performance.now()
    try {
      const all = await find()
      this.#hasSome = all.length > 0
      for (const found of all) {
        if (!(found.isFree || isAlone) || this.#held.has(found.id ?? found.provider) || this.#isEnding) continue
        const began = performance.now()
        const claimed = await claim(found)
        if (claimed !== undefined) this.#hold(found, claimed, began)
      }
    } catch (error) {
      this.#hasSome = true
      this.#reportFailure(error)
    }
  }

  #hold({ provider, id }: FoundWork, claimed: Claimed, began: number): void {
    const { lease, workerOf } = this.#of
    const key = id ?? provider
    const claim = new HeldClaim(this.#context, provider, claimed, {
      lastsMs: lease.ms - leaseMarginMs,
      reportFailure: (error) => this.#reportFailure(error),
    })
    claim.holdFrom(began)
    const worker = workerOf(claim, claimed)
    const done = this.#work(claim, worker).finally(() => this.#held.delete(key))
    this.#held.set(key, { claim, worker, done })
  }

  #renewAll(): void {
    for (const provider of new Set([...this.#held.values()].map(({ claim }) => claim.provider)))
      if (!this.#renewing.has(provider))
        this.#renewing.set(
          provider,
          this.#renew(provider).finally(() => this.#renewing.delete(provider)),
        )
  }

  async #renew(provider: string): Promise<void> {
    const all = [...this.#held.values()].filter(({ claim }) => claim.provider === provider)
    const began = performance.now()
    const claims = all.map(({ claim }) => claim.row)
    try {
      const rows = await this.#of.lease.renew(this.#context.store, provider, claims)
      for (const { claim, worker } of all) {
        const row = rows.find(({ id, fence }) => id === claim.row.id && fence === claim.row.fence)
        if (row === undefined) claim.stop()
        else {
          claim.holdFrom(began)
          worker.renewed?.(row)
        }
      }
    } catch (error) {
      this.#reportFailure(error)
    }
  }

  async #work(claim: HeldClaim, worker: W): Promise<void> {
    while (!claim.isOver)
      try {
        await worker.step()
      } catch (error) {
        if (!(error instanceof ClaimLost)) this.#reportFailure(error)
        claim.isStale = true
        await claim.sleep(faultPauseMs)
      }
    claim.stop()
    claim.stopListening()
    // If this fails, the claim expires, and the next process waits that long.
    await this.#of.lease.release(this.#context.store, claim.provider, claim.row).catch(() => undefined)
  }
}
