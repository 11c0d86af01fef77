// Brings the copies that a partner has of some records up to what is shared of them now. It looks
// at what is, and not at what happened: doing it again, or after it was cut off, ends the same.
// Source: decision 0078.
import { createHash, randomUUID } from 'node:crypto'
import type { MasterLocationPayload, MasterProductPayload, ReceivingEventPayload } from '../../contract/payloads.ts'
import {
  location,
  masterProduct,
  type RecordKind,
  type RecordKindName,
  receivingEvent,
  shippingEvent,
} from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { type GlnOf, maskEvent, maskMasterData, openerOf, withheldOfMasterData } from '../../contract/sharing.ts'
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
  type NamedCode,
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
import { byLocation, hashOf } from '../records/judged-payload.ts'
import {
  type StoredKind,
  storedLocations,
  storedMasterProducts,
  storedReceivingEvents,
} from '../records/stored-kinds.ts'

/** Who copies are written by, as their versions say. */
const keyId = 'sharing'
/** Versions of one record, and characters of records, that are worked on at once. */
const versionsAtOnce = 4
const charactersAtOnce = 2_000_000
/** How long computing keeps others waiting at a time, in milliseconds. */
const turnMs = 8
/** How often records that are in the way of each other are brought up. */
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

type Opener = ReturnType<typeof openerOf>
type Content = Readonly<Record<string, unknown>>

/** What is shared of one version. */
interface Shown {
  readonly version: number
  readonly content: Content
  readonly hash: Buffer
  readonly voidReason: string | null
}

/** A record, what there is of it, and its copy. */
interface Source {
  readonly id: string
  readonly kind: RecordKindName
  readonly versions: readonly SourceVersion[]
  /** Undefined when the record was purged. */
  readonly current: SourceVersion | undefined
  readonly copy: KnownCopy | undefined
  /** Versions whose content is wanted. */
  readonly wanted: readonly SourceVersion[]
  /** Versions that the copy does not show yet. */
  readonly coming: readonly SourceVersion[]
  /** True when there are still more of them. */
  readonly hasMore: boolean
  readonly contents: Map<number, Content>
}

/** What becomes of a copy. */
interface Plan {
  readonly source: Source
  readonly copyId: string
  /** Versions that the copy has. */
  readonly versions: readonly number[]
  readonly coming: readonly Shown[]
  /** What the record is at now, which decides what it is found by. */
  readonly last: Content
  readonly sourceVersion: number
  /** The version that the record was at when the copy was begun. */
  readonly firstVersion: number
  readonly shownHash: Buffer
}

/** A record that cannot be copied while another copy has its key. */
interface Blocked {
  readonly plan: Plan
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
  readonly #open: Opener
  readonly #openEarlier: Opener
  readonly #hasHistory: boolean
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
    const { places, isDeleted } = partner
    const grants = isDeleted ? [] : partner.grants
    const glnOf: GlnOf = (vendor, code) => {
      const stored = this.#sourceMaster.locations.get(vendorKey(vendor, code))
      return stored === undefined ? undefined : (stored.gln ?? null)
    }
    this.#of = of
    this.#account = partner.account
    this.#open = openerOf({ places, grants }, glnOf)
    const withHistory = grants.filter((grant) => grant.withHistory === true)
    this.#openEarlier = openerOf({ places, grants: withHistory }, glnOf)
    this.#hasHistory = withHistory.length > 0
    this.#hasGlns = places.some(({ gln }) => isGiven(gln))
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
    const isEvent = ({ kind }: Source) => kind === 'receivingEvent'
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
      ids.map((id) => {
        const copy = copies.get(id)
        const isThere = copy !== undefined && !copy.withdrawn && copy.versions.length > 0
        return { id, from: isThere ? Math.min(...copy.versions) : this.#hasHistory ? 1 : undefined }
      }),
    )
    const versionsOf = new Map<string, SourceVersion[]>(ids.map((id) => [id, []]))
    for (const row of rows) versionsOf.get(row.id)?.push(row)
    return ids.map((id): Source => {
      const copy = copies.get(id)
      const versions = versionsOf.get(id) ?? []
      const current = versions.find(({ version, current, isPurged }) => version === current && !isPurged)
      const kind = versions[0]?.kind ?? copy?.kind ?? 'receivingEvent'
      const shown = copy === undefined || copy.withdrawn ? [] : copy.versions
      const from = copy === undefined || copy.withdrawn ? 0 : copy.sourceVersion
      const isWhole = shown.length > 0 || (this.#hasHistory && current?.voidReason === null)
      const ahead =
        current === undefined
          ? []
          : kind === 'receivingEvent' && isWhole
            ? versions.filter(({ version, isPurged }) => version > from && !isPurged)
            : current.version > from || shown.length === 0
              ? [current]
              : []
      const coming = ahead.slice(0, versionsAtOnce)
      const compared = all ? versions.filter(({ version, isPurged }) => shown.includes(version) && !isPurged) : []
      const wanted = current === undefined ? [] : [...new Set([...compared, ...coming, current])]
      return {
        id,
        kind,
        versions,
        current,
        copy,
        wanted,
        coming,
        hasMore: ahead.length > coming.length,
        contents: new Map(),
      }
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
      const count = byId.get(copy.copyId)?.versions ?? 0
      const versions = copy.versions.slice(0, count)
      // What its versions show is compared at the next walk.
      return versions.length === copy.versions.length
        ? copy
        : { ...copy, versions, sourceVersion: versions.at(-1) ?? 0, shownHash: unknownHash }
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
    const withdrawals: Withdrawal[] = []
    const plans: Plan[] = []
    const more: string[] = []
    let since = performance.now()
    for (const source of sources) {
      const { plan, withdrawn, isAgain } = await this.#planFor(source, all, named)
      if (withdrawn !== undefined) withdrawals.push({ copyId: withdrawn })
      if (plan !== undefined) plans.push(plan)
      if (isAgain || (plan !== undefined && source.hasMore)) more.push(source.id)
      if (performance.now() - since > turnMs) {
        await nextTurn()
        since = performance.now()
      }
    }
    this.#of.claimed.assertHeld()
    await this.#withdraw(withdrawals)
    const written = await this.#copy(plans)
    // After the writing: only then is it known which version each one shows last.
    await this.#withdraw(plans.flatMap((plan) => purgedVersions(plan, written.get(plan)?.versions ?? plan.versions)))
    const blocked = [...written.values()].flatMap(({ plan, blockedBy }) =>
      blockedBy === undefined ? [] : [{ plan, search: blockedBy }],
    )
    return { more, blocked }
  }

  /** Copies events after what they name; returns what came of those that have something coming. */
  async #copy(plans: readonly Plan[]): Promise<ReadonlyMap<Plan, Writing>> {
    try {
      await this.#copyMasterData(plans)
      await this.#copyTimeZones(plans)
      return await this.#write(plans)
    } catch (error) {
      // The event may go elsewhere before it is tried again, and then nothing names what is there.
      this.#mayHaveUnnamed = true
      throw error
    }
  }

  /** Codes of master data among these that events of the account name, or are about to. */
  async #namedAmong(sources: readonly Source[], alsoNamed: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const codes = sources.flatMap((source) => {
      const code = codeOf(source)
      return code === undefined || alsoNamed.has(nameOf(code)) ? [] : [code]
    })
    const found = await codesNamedByEvents(this.#of.context.store, this.#account, codes)
    return new Set([...alsoNamed, ...found.map(nameOf)])
  }

  /** What is shared of a version; undefined when nothing is. */
  #shownOf(
    { kind, contents }: Source,
    one: SourceVersion,
    isEarlier: boolean,
    named: ReadonlySet<string>,
  ): Shown | undefined {
    const content = contents.get(one.version)
    if (content === undefined) return undefined
    const masked = this.#maskedOf(kind, content, isEarlier, named)
    return (
      masked && {
        version: one.version,
        content: masked,
        hash: hashOf(kindOf[kind], masked),
        voidReason: one.voidReason,
      }
    )
  }

  #maskedOf(
    kind: RecordKindName,
    content: Content,
    isEarlier: boolean,
    named: ReadonlySet<string>,
  ): Content | undefined {
    const { partner, now } = this.#of
    if (kind !== 'receivingEvent') {
      const code = codeIn(kind, content)
      return partner.isDeleted || code === undefined || !named.has(nameOf(code))
        ? undefined
        : maskedMasterData(kind, content, withheldOfMasterData(partner, now()))
    }
    const payload = content as unknown as ReceivingEventPayload
    if (isEarlier && this.#openEarlier(payload, now()) === undefined) return undefined
    const opened = this.#open(payload, now())
    return opened && (maskEvent(payload, opened) as unknown as Content)
  }

  async #planFor(
    source: Source,
    all: boolean,
    named: ReadonlySet<string>,
  ): Promise<{ readonly plan?: Plan; readonly withdrawn?: string; readonly isAgain?: boolean }> {
    const { current, copy, contents } = source
    const isThere = copy !== undefined && !copy.withdrawn
    const shownNow = current && this.#shownOf(source, current, false, named)
    if (current === undefined || shownNow === undefined) return isThere ? { withdrawn: copy.copyId } : {}
    if (!isThere || copy.versions.length === 0) {
      // What was voided before it was shared is nobody's business.
      if (current.voidReason !== null) return {}
      const begun = isThere ? { copyId: copy.copyId, shownHash: copy.shownHash } : undefined
      const copyId = begun?.copyId ?? (copy === undefined ? source.id : recordIdBeside(source.id))
      return {
        plan: this.#planOf(source, copyId, [], begun?.shownHash ?? noHash, shownNow, named, current.version),
      }
    }
    if (!all)
      return {
        plan: this.#planOf(source, copy.copyId, copy.versions, copy.shownHash, shownNow, named, copy.firstVersion),
      }
    const shown = copy.versions.map((version) => {
      const one = source.versions.find((other) => other.version === version)
      return one && contents.has(version) ? this.#shownOf(source, one, version < copy.firstVersion, named) : undefined
    })
    const chain = shown.reduce<Buffer>((hash, one) => hashAfter(hash, one?.hash), noHash)
    if (chain.equals(copy.shownHash))
      return {
        plan: this.#planOf(source, copy.copyId, copy.versions, copy.shownHash, shownNow, named, copy.firstVersion),
      }
    // Under a new id, so that nothing that was shown before is left in its history.
    if (!(await this.#showsNoMore(copy, shown))) return { withdrawn: copy.copyId, isAgain: true }
    const plan = this.#planOf(source, copy.copyId, copy.versions, chain, shownNow, named, copy.firstVersion)
    const last = shown.at(-1)
    const shownMore =
      plan.coming.length === 0 && current.voidReason === null && last !== undefined
        ? { ...plan, coming: [shownNow], shownHash: chain }
        : plan
    return { plan: shownMore }
  }

  #planOf(
    source: Source,
    copyId: string,
    versions: readonly number[],
    shownHash: Buffer,
    shownNow: Shown,
    named: ReadonlySet<string>,
    firstVersion: number,
  ): Plan {
    const { current, coming } = source
    const shown = coming.flatMap((one) => {
      if (one.version === current?.version) return [shownNow]
      return this.#shownOf(source, one, one.version < firstVersion, named) ?? []
    })
    return {
      source,
      copyId,
      versions,
      coming: shown,
      last: shownNow.content,
      sourceVersion: coming.at(-1)?.version ?? source.copy?.sourceVersion ?? shownNow.version,
      firstVersion,
      shownHash,
    }
  }

  /** True when each version in the account shows at most what is shared of it now. */
  async #showsNoMore({ copyId, versions }: KnownCopy, shown: readonly (Shown | undefined)[]) {
    const { context } = this.#of
    const asked = versions.map((_, i) => ({ id: copyId, version: i + 1 }))
    for await (const { version, body } of readInPortions(context.store, this.#account, asked)) {
      const allowed = shown[version - 1]
      if (allowed === undefined || !isWithin(JSON.parse(body), allowed.content)) return false
    }
    return true
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
  async #copyMasterData(plans: readonly Plan[]): Promise<void> {
    const { context, claimed } = this.#of
    if (this.#known.size > codesMax) this.#forgetMasterData()
    const codes = new Map(
      plans
        .filter(({ source }) => source.kind === 'receivingEvent')
        .flatMap(({ coming }) =>
          coming.flatMap(({ content }) => codesNamedIn(content as unknown as ReceivingEventPayload)),
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
  async #copyTimeZones(plans: readonly Plan[]): Promise<void> {
    const { context, claimed, timeZones } = this.#of
    const zones = byLocation(timeZones())
    if (zones.size === 0) return
    const coming = new Map<string, LocationTimeZone>()
    for (const { source, last } of plans) {
      if (source.kind !== 'receivingEvent') continue
      const { dataProviderVendorId, shipToLocationCode: locationCode } = (last as unknown as ReceivingEventPayload)
        .eventList
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

  async #write(plans: readonly Plan[]): Promise<ReadonlyMap<Plan, Writing>> {
    const { context, claimed, partner } = this.#of
    const { store } = context
    const writing = plans
      .filter(({ coming, source }) => coming.length > 0 || source.coming.length > 0)
      .map((plan): Writing => ({ plan, versions: [...plan.versions], shownHash: plan.shownHash, blockedBy: undefined }))
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
    return new Map(writing.map((one) => [one.plan, one]))
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
      records.push(this.#recordOf(storedReceivingEvents, plan, plan.coming[0] as Shown))
      if (performance.now() - since < turnMs) continue
      await nextTurn()
      since = performance.now()
    }
    const creation = { keyId, requestId, payloadId: undefined, records, claim: undefined }
    const { is } = await unlessHeld(this.#of.context.store.copiedEvents.create(this.#account, creation))
    if (is !== 'created') return []
    for (const writing of events) noteVersion(writing, writing.plan.coming[0] as Shown)
    return events
  }

  #recordOf<Search, Taken extends 'taken'>(
    stored: StoredKind<Search, Taken>,
    plan: Plan,
    { content, hash }: Shown,
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
    const shown = plan.coming[i] as Shown
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
  readonly plan: Plan
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

/** Versions of a copy that go because a purge took the last version that they show. */
const purgedVersions = ({ source, copyId }: Plan, versions: readonly number[]): readonly Withdrawal[] =>
  versions.flatMap((version, i) =>
    source.versions.some((one) => one.version === version && one.isPurged) ? [{ copyId, version: i + 1 }] : [],
  )

function noteVersion(writing: Writing, { version, hash }: Shown): void {
  writing.versions.push(version)
  writing.shownHash = hashAfter(writing.shownHash, hash)
}

const rowOf = ({ source, copyId, sourceVersion, firstVersion }: Plan) => ({
  id: source.id,
  kind: source.kind,
  copyId,
  sourceVersion,
  firstVersion,
})

const asEvent = ({ content }: Shown) => content as unknown as ReceivingEventPayload

const beforeAll = '00000000-0000-0000-0000-000000000000'
const noHash = Buffer.alloc(0)
/** Differs from what any versions show. */
const unknownHash = Buffer.from([0])

/** The hash of some versions and one more. */
const hashAfter = (before: Buffer, hash: Buffer | undefined): Buffer =>
  hash === undefined ? unknownHash : createHash('sha256').update(before).update(hash).digest()

/**
 * Every version is found by what the record is at now: another record may have the key of an
 * earlier one. Its own list sets no location up, since locations are copied by themselves.
 */
function foundAs(content: Content): Partial<ReceivingSearch> {
  const { dataProviderVendorId, eventDateTime, shipToLocationCode } = (content as unknown as ReceivingEventPayload)
    .eventList
  return { dataProviderVendorId, eventDateTime, shipToLocationCode, locations: () => [] }
}

const nameOf = ({ kind, vendor, code }: NamedCode): string => JSON.stringify([kind, vendor, code])

/** The code of a product or location. */
function codeIn(kind: RecordKindName, content: Content): NamedCode | undefined {
  const { locationMasterList, productMasterDataList } = content as unknown as Partial<
    MasterLocationPayload & MasterProductPayload
  >
  if (kind === 'location' && locationMasterList !== undefined)
    return { kind, vendor: locationMasterList.dataProviderVendorId, code: locationMasterList.locationCode }
  if (kind === 'masterProduct' && productMasterDataList !== undefined)
    return { kind, vendor: productMasterDataList.dataProviderVendorId, code: productMasterDataList.itemCode }
  return undefined
}

const codeOf = ({ kind, current, contents }: Source): NamedCode | undefined => {
  const content = current && contents.get(current.version)
  return content && codeIn(kind, content)
}

function maskedMasterData(kind: RecordKindName, content: Content, withheld: ReadonlySet<string>): Content {
  const { subject } = kindOf[kind]
  const { [subject]: record, ...envelope } = content
  const mask = maskMasterData as (fields: unknown, withheld: ReadonlySet<string>) => Content
  return { ...mask(envelope, withheld), [subject]: mask(record, withheld) }
}

/** What an event names, as the tables of events have it. */
function codesNamedIn({ eventList: event, locationMasterList }: ReceivingEventPayload): NamedCode[] {
  const vendor = event.dataProviderVendorId
  const places = [
    event.shipFromLocationCode,
    event.shipToLocationCode,
    ...locationMasterList.map((one) => one.locationCode),
  ]
  const items = event.productList.flatMap((line) => [line.vendorItemCode, line.purchaserItemCode]).filter(isGiven)
  return [
    ...[...new Set(places)].map((code): NamedCode => ({ kind: 'location', vendor, code })),
    ...[...new Set(items)].map((code): NamedCode => ({ kind: 'masterProduct', vendor, code })),
  ]
}

/** True when everything that is in one value is in the other as well. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) {
    if (!Array.isArray(whole)) return false
    let next = 0
    return part.every((one) => {
      while (next < whole.length && !isWithin(one, whole[next])) next++
      return next++ < whole.length
    })
  }
  if (typeof part !== 'object' || part === null) return part === whole
  if (typeof whole !== 'object' || whole === null) return false
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && isWithin(value, (whole as Content)[name]),
  )
}
