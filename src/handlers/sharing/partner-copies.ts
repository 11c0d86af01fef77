// Reconciles a partner's copies with what is shared now. It compares states, not events, so it is
// idempotent and safe to resume. Source: decision 0078.
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import { isEventKind, isSharedKind } from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { GlnOf } from '../../contract/sharing.ts'
import { vendorKey } from '../../rules/rule.ts'
import { readInPortions } from '../../store/records/record-versions.ts'
import {
  copiesOfRecords,
  recordsOfAccount,
  type SourceVersion,
  sourcesOfCopies,
  versionsOfSources,
} from '../../store/sharing/shared-copies.ts'
import { nextTurn } from '../base/cooperative.ts'
import { recordIdBeside } from '../base/record-id.ts'
import { MasterDataCache } from '../records/exported-events.ts'
import type { ClaimedPartner } from './claimed-partner.ts'
import { CopiedMasterData } from './copied-master-data.ts'
import { turnMs, type WritingCopy } from './copy-kind-writer.ts'
import {
  type Comparison,
  type Content,
  type CopyPlan,
  firstVersionToRead,
  isWithin,
  planCopy,
  purgedVersions,
  type ReadSource,
  type SharedWith,
  sharedWith,
  versionsToRead,
} from './copy-plan.ts'
import { CopyWriter } from './copy-writer.ts'

/** Characters of records that are worked on at once. */
const charactersAtOnce = 2_000_000
/** Most attempts to resolve key conflicts between copies. */
const triesMax = 20
/** Records of an account that are compared with notes at once. */
const recordsAtOnce = 1_000
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** A record whose contents are being read. */
interface Source extends ReadSource {
  readonly contents: Map<number, Content>
}

/** How records are reconciled. */
interface Reconciling {
  /** Whether existing copies are compared, as after a change of grants. */
  readonly compares: boolean
  /** Names of codes that events name which are about to be copied. */
  readonly named: ReadonlySet<string>
}

export class PartnerCopies {
  readonly #held: ClaimedPartner
  readonly #account: string
  readonly #sharing: SharedWith
  readonly #masterData: CopiedMasterData
  readonly #writer: CopyWriter
  /** Locations of the provider, as the batch under way sees them. */
  #locations: MasterDataCache

  constructor(held: ClaimedPartner) {
    const { context, partner, claimed } = held
    const glnOf: GlnOf = (vendor, code) => {
      const stored = this.#locations.locations.get(vendorKey(vendor, code))
      return stored === undefined ? undefined : (stored.gln ?? null)
    }
    this.#held = held
    this.#account = partner.account
    this.#sharing = sharedWith(partner, glnOf)
    this.#masterData = new CopiedMasterData(held)
    this.#writer = new CopyWriter(held, this.#masterData)
    this.#locations = new MasterDataCache(context, claimed.provider)
  }

  /** Reconciles the copies of these records. */
  reconcile(ids: readonly string[], { compares }: Pick<Reconciling, 'compares'> = { compares: false }): Promise<void> {
    return this.#reconcile(ids, { compares, named: new Set() })
  }

  async #reconcile(ids: readonly string[], how: Reconciling): Promise<void> {
    let left = ids
    for (let tries = 0; left.length > 0; ) {
      const compares = how.compares && tries === 0
      const { more, blocked } = await this.#reconcileOnce(left, { ...how, compares })
      const reconcile = (holders: readonly string[]) => this.#reconcileOnce(holders, { ...how, compares: false })
      const displaced = blocked.length > 0 ? await this.#writer.makeWay(blocked, reconcile) : []
      if (blocked.length > 0 && ++tries > triesMax) throw new Error('Copies keep being in the way of each other.')
      left = [...new Set([...more, ...blocked.map(({ plan }) => plan.source.id), ...displaced])]
    }
  }

  async #reconcileOnce(ids: readonly string[], how: Reconciling) {
    const { context, claimed } = this.#held
    const sources = await this.#sourcesOf(ids, how)
    this.#locations = new MasterDataCache(context, claimed.provider)
    const more: string[] = []
    const blocked: WritingCopy[] = []
    const [events, masterData] = [true, false].map((areEvents) =>
      sources.filter(({ kind }) => isEventKind(kind) === areEvents),
    )
    // Master data first: events copy the master data they name, which would then be written twice.
    for (const ofKind of [masterData, events])
      for await (const some of this.#readContents(ofKind ?? [])) {
        const ended = await this.#reconcileRead(some, how)
        blocked.push(...ended.blocked)
        more.push(...ended.more)
      }
    return { more, blocked }
  }

  async #sourcesOf(ids: readonly string[], how: Reconciling): Promise<Source[]> {
    const { context, claimed, partner } = this.#held
    const { store } = context
    const { provider } = claimed
    const known = await this.#writer.settle(await copiesOfRecords(store, { provider, partner: partner.id, ids }))
    const copies = new Map(known.map((copy) => [copy.id, copy]))
    const rows = await versionsOfSources(store, {
      provider,
      sources: ids.map((id) => ({ id, from: firstVersionToRead(copies.get(id), this.#sharing) })),
    })
    const versionsOf = new Map<string, SourceVersion[]>(ids.map((id) => [id, []]))
    for (const row of rows) versionsOf.get(row.id)?.push(row)
    return ids.flatMap((id): Source[] => {
      const copy = copies.get(id)
      const versions = versionsOf.get(id) ?? []
      const kind = versions[0]?.kind ?? copy?.kind
      if (kind === undefined || !isSharedKind(kind)) return []
      const source = { id, kind, versions, copy, freshId: copy === undefined ? id : recordIdBeside(id) }
      return [{ ...source, ...versionsToRead(source, this.#sharing, how), contents: new Map() }]
    })
  }

  /** The sources with the contents that their plans need, some at a time. */
  async *#readContents(sources: readonly Source[]): AsyncGenerator<readonly Source[]> {
    const { context, claimed } = this.#held
    const wanted = sources.flatMap((source) => source.wanted.map(({ id, version }) => ({ id, version })))
    const bySource = new Map(sources.map((source) => [source.id, source]))
    let some: Source[] = sources.filter((source) => source.wanted.length === 0)
    let characters = 0
    let reading: Source | undefined
    const records = readInPortions(context.store, claimed.provider, wanted, {
      onMissing: ({ id, version }) =>
        context.reportDropped(`Sharing leaves out record ${id}: its version ${version} is missing in the database.`),
    })
    for await (const { id, version, body } of records) {
      const source = bySource.get(id)
      if (source === undefined) continue
      if (source !== reading && characters > charactersAtOnce) {
        yield some
        some = []
        characters = 0
      }
      if (source !== reading) some.push(source)
      reading = source
      source.contents.set(version, JSON.parse(body) as Content)
      characters += body.length
    }
    // One that was purged meanwhile is found by a later look.
    if (some.length > 0) yield some
  }

  async #reconcileRead(sources: readonly Source[], how: Reconciling) {
    const { claimed } = this.#held
    const plans = await this.#plan(sources, how)
    claimed.assertHeld()
    await this.#writer.withdraw(plans.flatMap((plan) => (plan.is === 'withdraw' ? [{ copyId: plan.copyId }] : [])))
    const written = await this.#write(plans)
    // After the writing: only then is it known which version each one shows last.
    await this.#writer.withdraw([
      ...plans.flatMap((plan) => (plan.is === 'keep' ? takeOut(plan.copyId, plan.purged) : [])),
      ...written.flatMap(({ plan, versions }) => takeOut(plan.copyId, purgedVersions(plan.source, versions))),
    ])
    return {
      more: sources.filter((_, i) => isUnfinished(plans[i])).map(({ id }) => id),
      blocked: written.filter(({ findHolder }) => findHolder !== undefined),
    }
  }

  async #plan(sources: readonly Source[], { compares, named: alsoNamed }: Reconciling): Promise<readonly CopyPlan[]> {
    const { partner, now } = this.#held
    if (partner.places.some(({ gln }) => isGiven(gln)))
      await this.#locations.lookUp(
        sources
          .filter(({ kind }) => isEventKind(kind))
          .flatMap(({ contents }) => [...contents.values()].map((content) => content as ReceivingEventPayload)),
      )
    const named = await this.#masterData.namedAmong(sources, alsoNamed)
    const plans: CopyPlan[] = []
    let since = performance.now()
    for (const source of sources) {
      plans.push(await this.#compare(planCopy(source, this.#sharing, { now: now(), named, compares })))
      if (performance.now() - since <= turnMs) continue
      await nextTurn()
      since = performance.now()
    }
    return plans
  }

  /** The plan once what the copy shows has been read, where it depends on that. */
  async #compare(plan: CopyPlan | Comparison): Promise<CopyPlan> {
    if (plan.is !== 'compare') return plan
    const { copyId, allowed, fits, exceeds } = plan
    const copied = allowed.map((_, i) => ({ id: copyId, version: i + 1 }))
    for await (const { version, body } of readInPortions(this.#held.context.store, this.#account, copied))
      if (!isWithin(JSON.parse(body), allowed[version - 1])) return exceeds
    return fits
  }

  /** Writes copies, after the master data they name. */
  async #write(plans: readonly CopyPlan[]): Promise<readonly WritingCopy[]> {
    try {
      await this.#masterData.copyNamedBy(plans, (ids, named) => this.#reconcile(ids, { compares: false, named }))
      await this.#masterData.copyTimeZones(plans)
      return await this.#writer.write(plans.filter((plan) => plan.is === 'write'))
    } catch (error) {
      // The event may go elsewhere before it is tried again, and then nothing names what is there.
      this.#masterData.mayHaveUnnamed()
      throw error
    }
  }

  withdrawUnnamed(): Promise<void> {
    return this.#masterData.withdrawUnnamed((copyIds) => this.#writer.withdraw(copyIds.map((copyId) => ({ copyId }))))
  }

  timeZonesChanged(): void {
    this.#masterData.timeZonesChanged()
  }

  alignTimeZones(): Promise<void> {
    return this.#masterData.alignTimeZones()
  }

  /** Withdraws records of the account that are not noted, as a process that was late wrote them. */
  async withdrawUnnoted(): Promise<void> {
    const { context, claimed, partner } = this.#held
    for (let after = beforeAll; ; ) {
      const some = await recordsOfAccount(context.store, { provider: this.#account, after, limit: recordsAtOnce })
      const noted = await sourcesOfCopies(context.store, {
        provider: claimed.provider,
        partner: partner.id,
        copyIds: some,
      })
      const copyIds = new Set(noted.map(({ copyId }) => copyId))
      claimed.assertHeld()
      await this.#writer.withdraw(some.filter((id) => !copyIds.has(id)).map((copyId) => ({ copyId })))
      after = some.at(-1) ?? after
      if (some.length < recordsAtOnce) return
    }
  }
}

/** True when the record is to be reconciled once more. */
const isUnfinished = (plan: CopyPlan | undefined): boolean =>
  (plan?.is === 'withdraw' && plan.isReplaced) || (plan?.is === 'write' && plan.hasMore)

const takeOut = (copyId: string, versions: readonly number[]) => versions.map((version) => ({ copyId, version }))
