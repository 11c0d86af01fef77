// Writes plans into a partner's account: notes what is about to be written, writes it, and notes
// what is there. Source: decision 0078.
import { randomUUID } from 'node:crypto'
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import { isEventKind, location, masterProduct, type SharedKindName } from '../../contract/record-kinds.ts'
import { judgeStored, onlyRecordOf, readPayload } from '../../rules/judge.ts'
import { noFacts } from '../../rules/rule.ts'
import { type Withdrawal, withdrawCopies } from '../../store/keeping/retention.ts'
import {
  type KnownCopy,
  noteCopies,
  noteWithdrawals,
  sourcesOfCopies,
  versionsInAccount,
} from '../../store/sharing/shared-copies.ts'
import { voidEvent } from '../../store/store.ts'
import { MasterDataCache, verdictOf } from '../records/exported-events.ts'
import { byLocation } from '../records/judged-payload.ts'
import { storedEvents, storedLocations, storedMasterProducts } from '../records/stored-kinds.ts'
import type { ClaimedPartner } from './claimed-partner.ts'
import type { CopiedMasterData } from './copied-master-data.ts'
import {
  beginCopy,
  type CopyKindWriter,
  copyKindWriter,
  keyId,
  noteVersion,
  type WritingCopy,
} from './copy-kind-writer.ts'
import { type Content, copyAsFound, type SharedVersion, unknownHash, type WritePlan } from './copy-plan.ts'

/** Records of master data that are kept in mind. */
const masterDataMax = 10_000

export class CopyWriter {
  readonly #held: ClaimedPartner
  readonly #account: string
  readonly #copied: CopiedMasterData
  readonly #writers: Readonly<Record<SharedKindName, CopyKindWriter>>
  /** Master data of the account. */
  #master: MasterDataCache

  constructor(held: ClaimedPartner, copied: CopiedMasterData) {
    const { store, settings } = held.context
    const { account } = held.partner
    this.#held = held
    this.#account = account
    this.#copied = copied
    this.#master = this.#emptyCache()
    const verdictOfMasterData = (kind: typeof masterProduct | typeof location) => (content: Content) =>
      onlyRecordOf(judgeStored(kind, readPayload(kind, kind.payload, content), noFacts, settings))
    this.#writers = {
      receivingEvent: copyKindWriter(store, account, {
        stored: storedEvents.receivingEvent,
        writer: store.copiedEvents,
        verdictOf: (content) =>
          verdictOf(asEvent(content), this.#master.facts(), settings, { timeZones: byLocation(held.timeZones()) }),
        foundAs: (last) => {
          // Another record may have the key of an earlier version. The list of an event sets no
          // location up, since locations are copied by themselves.
          const { place, eventDateTime, identity } = storedEvents.receivingEvent.searchOf({
            content: last,
            warnings: 0,
            tallies: [],
            judgedIn: undefined,
          })
          return { place, eventDateTime, identity, locations: () => [] }
        },
      }),
      masterProduct: copyKindWriter(store, account, {
        stored: storedMasterProducts,
        writer: store.masterProducts,
        verdictOf: verdictOfMasterData(masterProduct),
        foundAs: () => ({}),
      }),
      location: copyKindWriter(store, account, {
        stored: storedLocations,
        writer: store.locations,
        verdictOf: verdictOfMasterData(location),
        foundAs: () => ({}),
      }),
    }
  }

  #emptyCache(): MasterDataCache {
    return new MasterDataCache(this.#held.context, this.#account)
  }

  /** The copies as they are in the account, where a process ended while it wrote them. */
  async settle(copies: readonly KnownCopy[]): Promise<readonly KnownCopy[]> {
    const open = new Set(copies.filter(({ settled, withdrawn }) => !settled && !withdrawn))
    if (open.size === 0) return copies
    const { context, claimed, partner } = this.#held
    const copyIds = [...open].map(({ copyId }) => copyId)
    const found = await versionsInAccount(context.store, { provider: this.#account, copyIds })
    const counts = new Map(found.map(({ id, versions }) => [id, versions]))
    const gone = found.filter(({ versions, isThere }) => versions > 0 && !isThere).map(({ id }) => id)
    await noteWithdrawals(context.store, { ...claimed, partner: partner.id, copyIds: gone })
    return copies.map((copy) => {
      if (!open.has(copy)) return copy
      if (gone.includes(copy.copyId)) return { ...copy, withdrawn: true, versions: [] }
      return copyAsFound(copy, counts.get(copy.copyId) ?? 0)
    })
  }

  async write(plans: readonly WritePlan[]): Promise<readonly WritingCopy[]> {
    const copies = plans.map(beginCopy)
    this.#held.claimed.assertHeld()
    await this.#note(copies, ({ plan }) => ({
      versions: [...plan.versions, ...plan.coming.map(({ version }) => version)],
      shownHash: unknownHash,
      sourceVersion: plan.sourceVersion,
      settled: false,
    }))
    const events = copies.filter(isEvent)
    if (this.#master.locations.size + this.#master.products.size > masterDataMax) this.#master = this.#emptyCache()
    if (events.length > 0)
      await this.#master.lookUp(events.flatMap(({ plan }) => plan.coming.map(({ content }) => asEvent(content))))
    const requestId = randomUUID()
    for (let i = 0; copies.some(({ plan }) => i < plan.coming.length); i++) {
      const left = i === 0 ? await this.#createTogether(copies, requestId) : copies
      const writes = left.flatMap((copy) => {
        const shown = copy.plan.coming[i]
        return shown === undefined ? [] : [{ copy, shown }]
      })
      if (writes.length === 0) continue
      this.#held.claimed.assertHeld()
      const ended = await Promise.allSettled(
        writes.map(({ copy, shown }) => this.#writeVersion(copy, shown, requestId)),
      )
      // Each has ended before the next step begins, and before one that failed is reported.
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    }
    if (events.length < copies.length) this.#master = this.#emptyCache()
    // Of several versions, written or not, only the last one names master data.
    if (events.some(({ plan, versions }) => versions.length > 1 || plan.coming.length > 1))
      this.#copied.mayHaveUnnamed()
    await this.#note(copies, ({ plan, versions, shownHash, findHolder }) => ({
      versions,
      shownHash,
      sourceVersion: findHolder === undefined ? plan.sourceVersion : plan.sourceVersion - 1,
      settled: true,
    }))
    this.#held.onWritten(copies.reduce((sum, { plan, versions }) => sum + versions.length - plan.versions.length, 0))
    return copies
  }

  async #note(
    copies: readonly WritingCopy[],
    stateOf: (copy: WritingCopy) => Pick<KnownCopy, 'versions' | 'shownHash' | 'sourceVersion' | 'settled'>,
  ): Promise<void> {
    const { context, claimed, partner } = this.#held
    const rows = copies.map((copy) => {
      const { source, copyId, firstVersion } = copy.plan
      return { id: source.id, kind: source.kind, copyId, firstVersion, ...stateOf(copy) }
    })
    await noteCopies(context.store, { ...claimed, partner: partner.id, copies: rows })
  }

  /** Creates new events in one statement if none is in the way; returns those left to write. */
  async #createTogether(copies: readonly WritingCopy[], requestId: string): Promise<readonly WritingCopy[]> {
    const created = copies.filter(
      (copy) => isEvent(copy) && copy.versions.length === 0 && copy.plan.coming[0]?.voidReason === null,
    )
    if (created.length < 2) return copies
    this.#held.claimed.assertHeld()
    if (!(await this.#writers.receivingEvent.createTogether(created, requestId))) return copies
    return copies.filter((copy) => !created.includes(copy))
  }

  #writeVersion(copy: WritingCopy, shown: SharedVersion, requestId: string): Promise<void> {
    return shown.voidReason === null
      ? this.#writers[copy.plan.source.kind].writeVersion(copy, shown, requestId)
      : this.#voidCopy(copy, shown, requestId)
  }

  async #voidCopy(copy: WritingCopy, shown: SharedVersion, requestId: string): Promise<void> {
    const at = copy.versions.length
    if (at === 0) return
    const { copyId: id } = copy.plan
    const allowed = { versions: [at], are: 'in' } as const
    const voiding = { id, keyId, requestId, reason: shown.voidReason ?? '', allowed }
    const { is } = await voidEvent(this.#held.context.store, 'receivingEvent', this.#account, voiding)
    if (is === 'voided') noteVersion(copy, shown)
    else if (is !== 'unchanged') throw new Error(`The copy ${id} could not be voided: ${is}.`)
  }

  async withdraw(withdrawals: readonly Withdrawal[]): Promise<void> {
    if (withdrawals.length === 0) return
    const { context, claimed, partner } = this.#held
    await withdrawCopies(context.store, this.#account, withdrawals)
    const whole = withdrawals.filter(({ version }) => version === undefined).map(({ copyId }) => copyId)
    await noteWithdrawals(context.store, { ...claimed, partner: partner.id, copyIds: whole })
    this.#master = this.#emptyCache()
    this.#copied.withdrawn()
  }

  /**
   * Reconciles the copies that have the keys of others, and withdraws those that keep them: two
   * records can have changed keys. Returns the records whose copies were withdrawn.
   */
  async makeWay(
    blocked: readonly WritingCopy[],
    reconcile: (ids: readonly string[]) => Promise<unknown>,
  ): Promise<readonly string[]> {
    const { context, claimed, partner } = this.#held
    const found = await sourcesOfCopies(context.store, {
      provider: claimed.provider,
      partner: partner.id,
      copyIds: await holdersOf(blocked),
    })
    await reconcile(found.map(({ id }) => id))
    // A write whose end was not learnt is in its own way.
    const begun = blocked.flatMap(({ plan }) => (plan.versions.length === 0 ? [plan.copyId] : []))
    const own = await versionsInAccount(context.store, { provider: this.#account, copyIds: begun })
    const unknown = own.filter(({ versions }) => versions > 0).map(({ id }) => id)
    const still = [...(await holdersOf(blocked)), ...unknown]
    await this.withdraw(still.map((copyId) => ({ copyId })))
    return found.filter(({ copyId }) => still.includes(copyId)).map(({ id }) => id)
  }
}

const isEvent = ({ plan }: WritingCopy): boolean => isEventKind(plan.source.kind)

const asEvent = (content: Content) => content as unknown as ReceivingEventPayload

/** The copies that have the keys of others. */
async function holdersOf(blocked: readonly WritingCopy[]): Promise<readonly string[]> {
  const holders = new Set<string>()
  for (const { findHolder } of blocked) {
    const holder = await findHolder?.()
    if (holder !== undefined) holders.add(holder)
  }
  return [...holders]
}
