// Reconciles a partner's copies with what is shared now. It compares states, not events, so it is
// idempotent and safe to resume. Source: decision 0078.
import { randomUUID } from 'node:crypto'
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import {
  isEventKind,
  location,
  masterProduct,
  type RecordKind,
  type RecordKindName,
  receivingEvent,
  shippingEvent,
} from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { GlnOf } from '../../contract/sharing.ts'
import { judgeStored, onlyRecordOf, readPayload } from '../../rules/judge.ts'
import { noFacts, vendorKey } from '../../rules/rule.ts'
import type { Created, RecordWrite, Replaced } from '../../store/base/writes.ts'
import { keyIsHeld } from '../../store/database/database-errors.ts'
import { type Withdrawal, withdrawCopies } from '../../store/keeping/retention.ts'
import type { LocationTimeZone } from '../../store/records/location-time-zones.ts'
import type { ReceivingSearch } from '../../store/records/receiving-events.ts'
import { readInPortions } from '../../store/records/record-versions.ts'
import {
  addTimeZones,
  alignTimeZones,
  codesNamedByEvents,
  copiesOfRecords,
  type KnownCopy,
  masterDataOfAccount,
  masterDataWithCodes,
  noteCopies,
  noteWithdrawals,
  recordsOfAccount,
  type SharingClaim,
  type SharingPartner,
  type SourceVersion,
  sourcesOfCopies,
  versionsInAccount,
  versionsOfSources,
} from '../../store/sharing/shared-copies.ts'
import { voidEvent } from '../../store/store.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { HandlerContext } from '../base/handler.ts'
import { recordIdBeside } from '../base/record-id.ts'
import { MasterDataCache, verdictOf } from '../records/exported-events.ts'
import { byLocation } from '../records/judged-payload.ts'
import {
  type StoredKind,
  storedLocations,
  storedMasterProducts,
  storedReceivingEvents,
} from '../records/stored-kinds.ts'
import {
  type Content,
  type CopyPlan,
  type CopySource,
  copyAsFound,
  firstVersionToRead,
  hashAfter,
  isWithin,
  planCopy,
  purgedVersions,
  type ReadSource,
  type SharedVersion,
  type SharedWith,
  sharedWith,
  unknownHash,
  versionsAtOnce,
  versionsToRead,
  type WritePlan,
} from './copy-plan.ts'
import { codeOf, codesNamedBy, nameOf } from './named-codes.ts'

/** A record that is read. */
type Source = ReadSource & { readonly contents: Map<number, Content> }

/** Who copies are written by, as their versions say. */
const keyId = 'sharing'
/** Characters of records that are worked on at once. */
const charactersAtOnce = 2_000_000
/** How long computing keeps others waiting at a time, in milliseconds. */
const turnMs = 8
/** Most attempts to resolve key conflicts between copies. */
const triesMax = 20
/** Codes of master data that are kept in mind. */
const codesMax = 10_000
const masterDataAtOnce = 500
/** Records of an account that are compared with notes at once. */
const recordsAtOnce = 1_000

const kindOf: Readonly<Record<RecordKindName, RecordKind>> = {
  receivingEvent,
  shippingEvent,
  masterProduct,
  location,
}

/** A record that cannot be copied while another copy has its key. */
interface Blocked {
  readonly plan: WritePlan
  readonly search: unknown
}

export interface PartnerOfClaim {
  readonly context: HandlerContext
  /** `assertHeld` throws once another process may have taken over. */
  readonly claimed: SharingClaim & { readonly assertHeld: () => void }
  readonly partner: SharingPartner
  /** The time of the database. */
  readonly now: () => Date
  /** Time zones of locations of the provider, as they were read last. */
  readonly timeZones: () => readonly LocationTimeZone[]
  readonly onWritten: (versions: number) => void
}

export class PartnerCopies {
  readonly #of: PartnerOfClaim
  readonly #account: string
  readonly #sharing: SharedWith
  readonly #hasGlns: boolean
  /** Locations of the provider, as the batch under way sees them. */
  #sourceMaster: MasterDataCache
  /** Master data of the account. */
  #ownMaster: MasterDataCache
  /** Codes whose master data is copied. */
  #known = new Set<string>()
  /** True when master data may be left that no event names any longer. */
  #mayHaveUnnamed = true
  /** Time zones that the account has, and whether it may have others than the provider. */
  readonly #knownZones = new Set<string>()
  #mayHaveOtherZones = true

  constructor(of: PartnerOfClaim) {
    const { context, partner, claimed } = of
    const glnOf: GlnOf = (vendor, code) => {
      const stored = this.#sourceMaster.locations.get(vendorKey(vendor, code))
      return stored === undefined ? undefined : (stored.gln ?? null)
    }
    this.#of = of
    this.#account = partner.account
    this.#sharing = sharedWith(partner, glnOf)
    this.#hasGlns = partner.places.some(({ gln }) => isGiven(gln))
    this.#sourceMaster = new MasterDataCache(context, claimed.provider)
    this.#ownMaster = new MasterDataCache(context, partner.account)
  }

  /**
   * Brings the copies of these records up. `all` compares what was copied before as well, which is
   * needed after a change of what is shared.
   */
  async bringUp(ids: readonly string[], all = false): Promise<void> {
    await this.#bringUp(ids, all, new Set())
  }

  async #bringUp(ids: readonly string[], all: boolean, alsoNamed: ReadonlySet<string>): Promise<void> {
    let left = ids
    for (let tries = 0; left.length > 0; ) {
      const { more, blocked } = await this.#bringUpOnce(left, all && tries === 0, alsoNamed)
      const displaced = blocked.length > 0 ? await this.#makeWay(blocked, alsoNamed) : []
      if (blocked.length > 0 && ++tries > triesMax) throw new Error('Copies keep being in the way of each other.')
      left = [...new Set([...more, ...blocked.map(({ plan }) => plan.source.id), ...displaced])]
    }
  }

  /**
   * Takes what no event of the account names any longer out of its master data.
   */
  async withdrawUnnamed(): Promise<void> {
    if (!this.#mayHaveUnnamed) return
    const { context, claimed } = this.#of
    for (let after = beforeAll; ; ) {
      const some = await masterDataOfAccount(context.store, this.#account, after, masterDataAtOnce)
      const unnamed = some.filter(({ isNamed }) => !isNamed).map(({ id }) => ({ copyId: id }))
      claimed.assertHeld()
      await this.#withdraw(unnamed)
      after = some.at(-1)?.id ?? after
      if (some.length < masterDataAtOnce) break
    }
    this.#mayHaveUnnamed = false
  }

  /** Compares the time zones of the account again: those of the provider were changed. */
  timeZonesChanged(): void {
    this.#mayHaveOtherZones = true
    this.#knownZones.clear()
  }

  async alignTimeZones(): Promise<void> {
    if (!this.#mayHaveOtherZones) return
    const { context, claimed, timeZones } = this.#of
    claimed.assertHeld()
    await alignTimeZones(context.store, this.#account, timeZones())
    this.#mayHaveOtherZones = false
  }

  /** Takes out of the account what nobody noted: a process that was late may have written it. */
  async withdrawUnnoted(): Promise<void> {
    const { context, claimed, partner } = this.#of
    for (let after = beforeAll; ; ) {
      const some = await recordsOfAccount(context.store, this.#account, after, recordsAtOnce)
      const noted = await sourcesOfCopies(context.store, claimed.provider, partner.id, some)
      const copyIds = new Set(noted.map(({ copyId }) => copyId))
      claimed.assertHeld()
      await this.#withdraw(some.filter((id) => !copyIds.has(id)).map((copyId) => ({ copyId })))
      after = some.at(-1) ?? after
      if (some.length < recordsAtOnce) return
    }
  }

  async #bringUpOnce(ids: readonly string[], all: boolean, alsoNamed: ReadonlySet<string>) {
    const { context, claimed } = this.#of
    const sources = await this.#sourcesOf(ids, all)
    this.#sourceMaster = new MasterDataCache(context, claimed.provider)
    const more: string[] = []
    const blocked: Blocked[] = []
    const isEvent = ({ kind }: CopySource) => isEventKind(kind)
    // Master data first: events bring up what they name, which would then be written twice.
    for (const ofKind of [sources.filter((source) => !isEvent(source)), sources.filter(isEvent)])
      for await (const some of this.#withContents(ofKind)) {
        const ended = await this.#bringUpThese(some, all, alsoNamed)
        blocked.push(...ended.blocked)
        more.push(...ended.more)
      }
    return { more, blocked }
  }

  async #sourcesOf(ids: readonly string[], all: boolean): Promise<Source[]> {
    const { context, claimed, partner } = this.#of
    const { store } = context
    const { provider } = claimed
    const known = await this.#settled(await copiesOfRecords(store, provider, partner.id, ids))
    const copies = new Map(known.map((copy) => [copy.id, copy]))
    const rows = await versionsOfSources(
      store,
      provider,
      ids.map((id) => ({ id, from: firstVersionToRead(copies.get(id), this.#sharing) })),
    )
    const versionsOf = new Map<string, SourceVersion[]>(ids.map((id) => [id, []]))
    for (const row of rows) versionsOf.get(row.id)?.push(row)
    return ids.map((id): Source => {
      const copy = copies.get(id)
      const versions = versionsOf.get(id) ?? []
      const kind = versions[0]?.kind ?? copy?.kind ?? 'receivingEvent'
      const source = { id, kind, versions, copy, freshId: copy === undefined ? id : recordIdBeside(id) }
      return { ...source, ...versionsToRead(source, this.#sharing, all), contents: new Map() }
    })
  }

  /** Finds out what a process left that ended while it wrote. */
  async #settled(copies: readonly KnownCopy[]): Promise<readonly KnownCopy[]> {
    const { context, claimed, partner } = this.#of
    const open = copies.filter(({ settled, withdrawn }) => !settled && !withdrawn)
    if (open.length === 0) return copies
    const found = await versionsInAccount(
      context.store,
      this.#account,
      open.map(({ copyId }) => copyId),
    )
    const byId = new Map(found.map((row) => [row.id, row]))
    const gone = open.filter(({ copyId }) => {
      const row = byId.get(copyId)
      return row !== undefined && row.versions > 0 && !row.isThere
    })
    await noteWithdrawals(
      context.store,
      claimed,
      partner.id,
      gone.map(({ copyId }) => copyId),
    )
    return copies.map((copy) => {
      if (gone.includes(copy)) return { ...copy, withdrawn: true, versions: [] }
      if (!open.includes(copy)) return copy
      return copyAsFound(copy, byId.get(copy.copyId)?.versions ?? 0)
    })
  }

  /** The sources with what they say, some at a time. */
  async *#withContents(sources: readonly Source[]): AsyncGenerator<readonly Source[]> {
    const { context, claimed } = this.#of
    const wanted = sources.flatMap((source) => source.wanted.map(({ id, version }) => ({ id, version, source })))
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
    // Purged while it was looked at: a later look finds out.
    if (some.length > 0) yield some
  }

  async #bringUpThese(sources: readonly Source[], all: boolean, alsoNamed: ReadonlySet<string>) {
    if (this.#hasGlns)
      await this.#sourceMaster.lookUp(
        sources.flatMap(({ kind, contents }) =>
          kind === 'receivingEvent' ? [...contents.values()].map((content) => content as ReceivingEventPayload) : [],
        ),
      )
    const named = await this.#namedAmong(sources, alsoNamed)
    const { claimed, now } = this.#of
    const plans: CopyPlan[] = []
    const more: string[] = []
    let since = performance.now()
    for (const source of sources) {
      const plan = await this.#decide(planCopy(source, this.#sharing, { now: now(), named, compares: all }))
      plans.push(plan)
      if ((plan.is === 'withdraw' && plan.isReplaced) || (plan.is === 'write' && plan.hasMore)) more.push(source.id)
      if (performance.now() - since > turnMs) {
        await nextTurn()
        since = performance.now()
      }
    }
    claimed.assertHeld()
    await this.#withdraw(plans.flatMap((plan) => (plan.is === 'withdraw' ? [{ copyId: plan.copyId }] : [])))
    const written = await this.#copy(plans)
    // After the writing: only then is it known which version each one shows last.
    await this.#withdraw([
      ...plans.flatMap((plan) => (plan.is === 'keep' ? versionsOf(plan.copyId, plan.purged) : [])),
      ...written.flatMap(({ plan, versions }) => versionsOf(plan.copyId, purgedVersions(plan.source, versions))),
    ])
    const blocked = written.flatMap(({ plan, blockedBy }) =>
      blockedBy === undefined ? [] : [{ plan, search: blockedBy }],
    )
    return { more, blocked }
  }

  /** The plan once what the copy shows has been read, where it depends on that. */
  async #decide(plan: CopyPlan): Promise<CopyPlan> {
    if (plan.is !== 'compare') return plan
    const { copyId, allowed, fits, exceeds } = plan
    const copied = allowed.map((_, i) => ({ id: copyId, version: i + 1 }))
    for await (const { version, body } of readInPortions(this.#of.context.store, this.#account, copied))
      if (!isWithin(JSON.parse(body), allowed[version - 1])) return exceeds
    return fits
  }

  /** Copies events after what they name. */
  async #copy(plans: readonly CopyPlan[]): Promise<readonly Writing[]> {
    try {
      const writes = plans.filter((plan) => plan.is === 'write')
      await this.#copyMasterData(writes)
      await this.#copyTimeZones(plans)
      return await this.#write(writes)
    } catch (error) {
      // The event may go elsewhere before it is tried again, and then nothing names what is there.
      this.#mayHaveUnnamed = true
      throw error
    }
  }

  /** Codes of master data among these that events of the account name, or are about to. */
  async #namedAmong(sources: readonly Source[], alsoNamed: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const codes = sources.flatMap((source) => {
      const { kind, current, contents } = source
      const content = current && contents.get(current.version)
      const code = content && codeOf(kind, content)
      return code === undefined || alsoNamed.has(nameOf(code)) ? [] : [code]
    })
    const found = await codesNamedByEvents(this.#of.context.store, this.#account, codes)
    return new Set([...alsoNamed, ...found.map(nameOf)])
  }

  async #withdraw(withdrawals: readonly Withdrawal[]): Promise<void> {
    if (withdrawals.length === 0) return
    const { context, claimed, partner } = this.#of
    await withdrawCopies(context.store, this.#account, withdrawals)
    await noteWithdrawals(
      context.store,
      claimed,
      partner.id,
      withdrawals.filter(({ version }) => version === undefined).map(({ copyId }) => copyId),
    )
    this.#forgetMasterData()
    this.#mayHaveUnnamed = true
  }

  #forgetMasterData(): void {
    this.#known.clear()
    this.#ownMaster = new MasterDataCache(this.#of.context, this.#account)
  }

  /** Copies what these events name, before them. */
  async #copyMasterData(plans: readonly WritePlan[]): Promise<void> {
    const { context, claimed } = this.#of
    if (this.#known.size > codesMax) this.#forgetMasterData()
    const codes = new Map(
      plans
        .filter(({ source }) => source.kind === 'receivingEvent')
        .flatMap(({ coming }) =>
          coming.flatMap(({ content }) => codesNamedBy(content as unknown as ReceivingEventPayload)),
        )
        .map((code) => [nameOf(code), code]),
    )
    for (const name of this.#known) codes.delete(name)
    if (codes.size === 0) return
    const found = await masterDataWithCodes(context.store, claimed.provider, [...codes.values()])
    // In the order of their ids: of several products with one code, the newest counts.
    const ids = [...new Set(found.map(({ id }) => id))].sort()
    if (ids.length > 0) await this.#bringUp(ids, false, new Set(codes.keys()))
    for (const name of codes.keys()) this.#known.add(name)
  }

  /** Copies the time zones in which these events are received, before them (decision 0055). */
  async #copyTimeZones(plans: readonly CopyPlan[]): Promise<void> {
    const { context, claimed, timeZones } = this.#of
    const zones = byLocation(timeZones())
    if (zones.size === 0) return
    const coming = new Map<string, LocationTimeZone>()
    for (const plan of plans) {
      const event = 'last' in plan ? (plan.last as Partial<ReceivingEventPayload>).eventList : undefined
      if (event === undefined) continue
      const { dataProviderVendorId, shipToLocationCode: locationCode } = event
      for (const vendor of [dataProviderVendorId, '']) {
        const key = vendorKey(vendor, locationCode)
        const timeZone = zones.get(key)
        if (timeZone === undefined || this.#knownZones.has(key)) continue
        coming.set(key, { dataProviderVendorId: vendor, locationCode, timeZone })
      }
    }
    if (coming.size === 0) return
    claimed.assertHeld()
    await addTimeZones(context.store, this.#account, [...coming.values()])
    for (const key of coming.keys()) this.#knownZones.add(key)
  }

  async #write(plans: readonly WritePlan[]): Promise<readonly Writing[]> {
    const { context, claimed, partner } = this.#of
    const { store } = context
    const writing = plans.map(
      (plan): Writing => ({ plan, versions: [...plan.versions], shownHash: plan.shownHash, blockedBy: undefined }),
    )
    claimed.assertHeld()
    await noteCopies(
      store,
      claimed,
      partner.id,
      writing.map(({ plan }) => ({
        ...rowOf(plan),
        versions: [...plan.versions, ...plan.coming.map(({ version }) => version)],
        shownHash: unknownHash,
        settled: false,
      })),
    )
    const events = writing.filter(({ plan }) => plan.source.kind === 'receivingEvent')
    if (events.length > 0) await this.#ownMaster.lookUp(events.flatMap(({ plan }) => plan.coming.map(asEvent)))
    const requestId = randomUUID()
    for (let i = 0; i < versionsAtOnce; i++) {
      const some = writing.filter(({ plan }) => plan.coming[i] !== undefined)
      if (some.length === 0) break
      claimed.assertHeld()
      const created = i === 0 ? await this.#createTogether(some, requestId) : []
      const writes = some.filter((one) => !created.includes(one)).map((one) => this.#writeVersion(one, i, requestId))
      // Each has ended before the next step begins, and before one that failed is reported.
      for (const one of await Promise.allSettled(writes)) if (one.status === 'rejected') throw one.reason
    }
    if (events.length < writing.length) this.#ownMaster = new MasterDataCache(context, this.#account)
    // Of several versions, written or not, only the last one names master data.
    if (events.some(({ plan, versions }) => versions.length > 1 || plan.coming.length > 1)) this.#mayHaveUnnamed = true
    await noteCopies(
      store,
      claimed,
      partner.id,
      writing.map(({ plan, versions, shownHash, blockedBy }) => ({
        ...rowOf(plan),
        versions,
        shownHash,
        sourceVersion: blockedBy === undefined ? plan.sourceVersion : plan.sourceVersion - 1,
        settled: true,
      })),
    )
    this.#of.onWritten(writing.reduce((sum, { plan, versions }) => sum + versions.length - plan.versions.length, 0))
    return writing
  }

  /**
   * Creates the events that are new in one statement. None where one of them cannot be created:
   * then each is written by itself.
   */
  async #createTogether(some: readonly Writing[], requestId: string): Promise<readonly Writing[]> {
    const events = some.filter(
      ({ plan, versions }) =>
        plan.source.kind === 'receivingEvent' && versions.length === 0 && plan.coming[0]?.voidReason === null,
    )
    if (events.length < 2) return []
    const records: RecordWrite<ReceivingSearch>[] = []
    let since = performance.now()
    for (const { plan } of events) {
      records.push(this.#recordOf(storedReceivingEvents, plan, plan.coming[0] as SharedVersion))
      if (performance.now() - since < turnMs) continue
      await nextTurn()
      since = performance.now()
    }
    const creation = { keyId, requestId, payloadId: undefined, records, claim: undefined }
    const { is } = await unlessHeld(this.#of.context.store.copiedEvents.create(this.#account, creation))
    if (is !== 'created') return []
    for (const writing of events) noteVersion(writing, writing.plan.coming[0] as SharedVersion)
    return events
  }

  #recordOf<Search, Taken extends 'taken'>(
    stored: StoredKind<Search, Taken>,
    plan: WritePlan,
    { content, hash }: SharedVersion,
  ): RecordWrite<Search> {
    const { kind } = plan.source
    const { findings, warnings, tallies } = this.#verdictOf(kind, content)
    const search = {
      ...stored.searchOf({ content, warnings, tallies, judgedIn: undefined }),
      ...(kind === 'receivingEvent' && foundAs(plan.last)),
    }
    return {
      id: plan.copyId,
      body: JSON.stringify(content),
      contentHash: hash,
      findings: JSON.stringify(findings),
      search,
    }
  }

  #writeVersion(writing: Writing, i: number, requestId: string): Promise<void> {
    const { kind } = writing.plan.source
    if (kind === 'masterProduct') return this.#writeOf(storedMasterProducts, writing, i, requestId)
    if (kind === 'location') return this.#writeOf(storedLocations, writing, i, requestId)
    return this.#writeOf(storedReceivingEvents, writing, i, requestId)
  }

  async #writeOf<Search, Taken extends 'taken'>(
    stored: StoredKind<Search, Taken>,
    writing: Writing,
    i: number,
    requestId: string,
  ): Promise<void> {
    const { plan, versions } = writing
    const { store } = this.#of.context
    const shown = plan.coming[i] as SharedVersion
    const { voidReason } = shown
    const id = plan.copyId
    const at = versions.length
    const allowed = { versions: [at], are: 'in' } as const
    if (voidReason !== null) {
      if (at === 0) return
      const { is } = await voidEvent(store, 'receivingEvent', this.#account, {
        id,
        keyId,
        requestId,
        reason: voidReason,
        allowed,
      })
      if (is === 'voided') noteVersion(writing, shown)
      else if (is !== 'unchanged') throw new Error(`The copy ${id} could not be voided: ${is}.`)
      return
    }
    const isLast = shown.version === plan.source.current?.version
    const record = this.#recordOf(stored, plan, shown)
    const by = { keyId, requestId, payloadId: undefined }
    const writer = plan.source.kind === 'receivingEvent' ? store.copiedEvents : stored.writer(store)
    const { is } = await unlessHeld<Created | Replaced>(
      at === 0
        ? writer.create(this.#account, { ...by, records: [record as never], claim: undefined })
        : writer.replace(this.#account, { ...by, record: record as never, allowed }),
    )
    if (is === 'created' || is === 'replaced') noteVersion(writing, shown)
    else if (is === 'unchanged') versions[at - 1] = shown.version
    else if (is === 'taken') {
      // Of an earlier version nothing but its place in the history is lost.
      if (isLast) writing.blockedBy = record.search
    } else throw new Error(`The copy ${id} could not be written: ${is}.`)
  }

  #verdictOf(kind: RecordKindName, content: Content) {
    const { settings } = this.#of.context
    if (kind === 'receivingEvent')
      return verdictOf(
        content as unknown as ReceivingEventPayload,
        this.#ownMaster.facts(),
        settings,
        byLocation(this.#of.timeZones()),
      )
    const { [kind]: of } = kindOf
    return onlyRecordOf(judgeStored(of, readPayload(of, of.payload, content), noFacts, settings))
  }

  /**
   * Brings up the copies that have the keys of others, and withdraws those that keep them: two
   * records can have changed keys. Returns the records that were withdrawn for it.
   */
  async #makeWay(blocked: readonly Blocked[], alsoNamed: ReadonlySet<string>): Promise<readonly string[]> {
    const { context, claimed, partner } = this.#of
    const first = await this.#holdersOf(blocked)
    const found = await sourcesOfCopies(context.store, claimed.provider, partner.id, first)
    await this.#bringUpOnce(
      found.map(({ id }) => id),
      false,
      alsoNamed,
    )
    // A write whose end was not learnt is in its own way.
    const begun = blocked.flatMap(({ plan }) => (plan.versions.length === 0 ? [plan.copyId] : []))
    const own = await versionsInAccount(context.store, this.#account, begun)
    const unknown = own.filter(({ versions }) => versions > 0).map(({ id }) => id)
    const still = [...(await this.#holdersOf(blocked)), ...unknown]
    await this.#withdraw(still.map((copyId) => ({ copyId })))
    return found.filter(({ copyId }) => still.includes(copyId)).map(({ id }) => id)
  }

  async #holdersOf(blocked: readonly Blocked[]): Promise<readonly string[]> {
    const { store } = this.#of.context
    const holders = new Set<string>()
    for (const { plan, search } of blocked) {
      const { key } = plan.source.kind === 'location' ? storedLocations : storedReceivingEvents
      const holder = await key?.holderOf(store, this.#account, [search as never], plan.copyId)
      if (holder !== undefined) holders.add(holder.id)
    }
    return [...holders]
  }
}

/** A copy while it is written. */
interface Writing {
  readonly plan: WritePlan
  /** What it shows so far: of several versions that show the same, the last one. */
  readonly versions: number[]
  shownHash: Buffer
  /** The key that another copy has. */
  blockedBy: unknown
}

/** What came of a write; `taken` also where the index found out. */
const unlessHeld = <Outcome>(write: Promise<Outcome>): Promise<Outcome | { readonly is: 'taken' }> =>
  write.catch((error: unknown) => {
    if (keyIsHeld(error)) return { is: 'taken' } as const
    throw error
  })

const versionsOf = (copyId: string, versions: readonly number[]): readonly Withdrawal[] =>
  versions.map((version) => ({ copyId, version }))

function noteVersion(writing: Writing, { version, hash }: SharedVersion): void {
  writing.versions.push(version)
  writing.shownHash = hashAfter(writing.shownHash, hash)
}

const rowOf = ({ source, copyId, sourceVersion, firstVersion }: WritePlan) => ({
  id: source.id,
  kind: source.kind,
  copyId,
  sourceVersion,
  firstVersion,
})

const asEvent = ({ content }: SharedVersion) => content as unknown as ReceivingEventPayload

const beforeAll = '00000000-0000-0000-0000-000000000000'
/**
 * Every version is found by what the record is at now: another record may have the key of an
 * earlier one. Its own list sets no location up, since locations are copied by themselves.
 */
function foundAs(content: Content): Partial<ReceivingSearch> {
  const { dataProviderVendorId, eventDateTime, shipToLocationCode } = (content as unknown as ReceivingEventPayload)
    .eventList
  return { dataProviderVendorId, eventDateTime, shipToLocationCode, locations: () => [] }
}
