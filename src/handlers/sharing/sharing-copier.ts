// Keeps the accounts of partners up to date in the background. A process claims providers that no
// other one has: it follows the feed of changes once for all partners, and rescans all records for
// those whose places or grants changed. Source: decision 0078.
import {
  beginning,
  type Change,
  kindOfChange,
  type Position,
  positionText,
  readPosition,
} from '../../contract/changes.ts'
import { isEventKind, isSharedKind, type RecordKindName } from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { isEnded, nextEnd } from '../../contract/sharing.ts'
import { ClaimLost } from '../../store/base/leases.ts'
import { newestPosition, wantedChanges } from '../../store/changes/changes.ts'
import { cannotWriteNow, connectionLost, mayRetry, nodeLost } from '../../store/database/database-errors.ts'
import {
  type LocationTimeZone,
  stampOfTimeZones,
  timeZonesOfProvider,
} from '../../store/records/location-time-zones.ts'
import { lotRowOf } from '../../store/records/lot-rows.ts'
import { readInPortions } from '../../store/records/record-versions.ts'
import {
  beginSharingFailure,
  claimSharing,
  completeSharing,
  copiesAfter,
  endSharingFailure,
  moveSharing,
  noteRescan,
  openSharedAccount,
  partnersToCopyFor,
  partnersWithCopies,
  placesOfEvents,
  providersSharing,
  type RescanPlace,
  removeDeletedPartner,
  restartRescan,
  type SharingPartner,
  sharingLease,
  uncopiedEvents,
} from '../../store/sharing/shared-copies.ts'
import { locationsWithGln } from '../../store/sharing/shared-events.ts'
import type { BackgroundWork } from '../base/background-work.ts'
import type { HandlerContext } from '../base/handler.ts'
import type { HeldClaim } from '../base/held-claim.ts'
import { LeasedWork } from '../base/leased-work.ts'
import { PartnerCopies } from './partner-copies.ts'

/** Time without a renewal of the claim until nothing more is begun. */
const heldMs = sharingLease.ms / 3
/** Longest time until partners are looked up again, and longest wait for changes. */
const partnersMs = 2_000
/** Time between two looks for changes: a copy follows a write within two seconds. */
const changesMs = 1_000
/** Longest time for which the position is not stored while no change touches a partner. */
const unmovedMsMax = 10_000
/** Changes of one page, and records that are brought up at once. */
const changesAtOnce = 500
const recordsAtOnce = 500
/** Longest pause after a step of a rescan: requests go first. */
const pauseMsMax = 50

/** The counts of the copier of this process. */
interface SharingReport {
  /** Partners that this process copies for, and those whose accounts are not complete. */
  readonly partners: number
  readonly behind: number
  /** Versions that it wrote into accounts. */
  readonly written: number
}

export interface SharingCopier extends BackgroundWork {
  report(): SharingReport
}

/** `isAlone`: no other process can be on this database, so claims of an earlier one are free. */
export function sharingCopier(context: HandlerContext, { isAlone }: { readonly isAlone: boolean }): SharingCopier {
  const { store } = context
  let written = 0
  const work = new LeasedWork(context, {
    name: 'sharing',
    doing: 'Copying for partners',
    isAlone,
    lease: sharingLease,
    find: () => providersSharing(store),
    claim: ({ provider }) => claimSharing(store, { provider, isAlone }),
    workerOf: (held, claimed) =>
      new ProviderCopier(context, held, claimed, (versions) => {
        written += versions
      }),
  })
  return {
    name: work.name,
    due: (provider) => work.due(provider),
    report() {
      const all = work.workers
      return {
        partners: all.reduce((sum, one) => sum + one.partners, 0),
        behind: all.reduce((sum, one) => sum + one.behind, 0),
        written,
      }
    },
    end: () => work.end(),
  }
}

/** Location codes that are places of a partner, and whose they are; undefined for all vendors. */
type Codes = ReadonlyMap<string, ReadonlySet<string> | undefined>

/** A partner, and cached facts of its generation. */
interface KnownPartner {
  row: SharingPartner
  readonly copies: PartnerCopies
  codes: Codes
  /** Ids of master data that changed while copies of events were not compared yet. */
  readonly waiting: Set<string>
}

/**
 * Progress of a rescan: first of the copies of events, then of those of master data, then of events
 * that have none. Keys stay cached briefly after their account is closed: master data that only
 * earlier events name may not be shown as it is shared now.
 */
interface Rescan {
  readonly generation: number
  readonly phase: 'events' | 'masterData' | 'adding'
  /** When it began, in milliseconds since 1970. */
  readonly began: number
  /** The place that is rescanned, and the id reached there; or that of a copy. */
  readonly place: string
  readonly after: string
}

const beforeAll = '00000000-0000-0000-0000-000000000000'

/** Where the partner is as it was read: a change of it begins another generation. */
const atGeneration = ({ id, generation }: SharingPartner) => ({ partner: id, generation })

function readRescan({ rescanned, generation }: SharingPartner): Rescan | undefined {
  if (rescanned === null) return undefined
  const read = JSON.parse(rescanned) as Rescan
  return read.generation === generation ? read : undefined
}

/** Copies for a provider that this process has claimed. */
class ProviderCopier {
  readonly #context: HandlerContext
  readonly #held: HeldClaim
  readonly #provider: string
  readonly #onWritten: (versions: number) => void
  #known = new Map<string, KnownPartner>()
  #position: Position | undefined
  #movedAt = Number.NEGATIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY
  /** The time of the database less that of this process, in milliseconds. */
  #clockAhead = 0
  #timeZones: readonly LocationTimeZone[] = []
  /** Of the time zones as they were read last. */
  #stampOfZones = ''
  /** As it is stored. */
  #isFailing: boolean
  /** Partner whose rescan has its turn. */
  #turn = 0

  constructor(
    context: HandlerContext,
    held: HeldClaim,
    { position, isFailing }: { readonly position: string | null; readonly isFailing: boolean },
    onWritten: (versions: number) => void,
  ) {
    this.#context = context
    this.#held = held
    this.#provider = held.provider
    this.#position = position === null ? undefined : readPosition(position)
    this.#isFailing = isFailing
    this.#onWritten = onWritten
  }

  get partners(): number {
    return this.#known.size
  }

  get behind(): number {
    return [...this.#known.values()].filter(({ row }) => isToRescan(row)).length
  }

  async step(): Promise<void> {
    try {
      await this.#copy()
    } catch (error) {
      // Where the database is away it cannot be noted, and is noted with the next failure.
      if (!(error instanceof ClaimLost)) await this.#noteFailing(true).catch(() => undefined)
      throw error
    }
  }

  async #copy(): Promise<void> {
    if (this.#held.isStale || performance.now() - this.#readAt > partnersMs) await this.#read()
    if (this.#known.size === 0) return this.#held.stop()
    const followed = await this.#follow()
    const rescanned = await this.#rescan()
    // No partner waits for a copy that failed.
    if (!rescanned && !this.#held.isStale) await this.#noteFailing(false)
    if (!followed && !rescanned) await this.#held.waitForChanges(this.#position ?? beginning, partnersMs, changesMs)
  }

  get #claimed() {
    const { row, provider } = this.#held
    return { provider, fence: row.fence, assertHeld: () => this.#held.assertRenewedWithin(heldMs) }
  }

  /** The next look for alerts sees it. */
  async #noteFailing(isFailing: boolean): Promise<void> {
    if (this.#isFailing === isFailing) return
    await (isFailing ? beginSharingFailure : endSharingFailure)(this.#context.store, this.#claimed)
    this.#isFailing = isFailing
  }

  async #read(): Promise<void> {
    const { store } = this.#context
    this.#held.isStale = false
    const began = Date.now()
    const rows = await partnersToCopyFor(store, { provider: this.#provider })
    const [first] = rows
    if (first !== undefined) this.#clockAhead = first.now.getTime() - began
    const known = new Map<string, KnownPartner>()
    for (const row of rows) {
      const before = this.#known.get(row.id)
      const isSame = before?.row.generation === row.generation && before.row.isDeleted === row.isDeleted
      if (before !== undefined && isSame) {
        before.row = row
        known.set(row.id, before)
      } else
        known.set(row.id, {
          row,
          codes: await this.#codesOf(row),
          waiting: before?.waiting ?? new Set(),
          copies: new PartnerCopies({
            context: this.#context,
            claimed: this.#claimed,
            partner: row,
            now: () => this.#now(),
            timeZones: () => this.#timeZones,
            onWritten: this.#onWritten,
          }),
        })
    }
    this.#known = known
    await this.#readTimeZones()
    this.#readAt = performance.now()
  }

  /** Time zones are no records, so the feed does not tell of them. */
  async #readTimeZones(): Promise<void> {
    const { store } = this.#context
    const stamp = await stampOfTimeZones(store, this.#provider)
    if (stamp === this.#stampOfZones) return
    this.#timeZones = await timeZonesOfProvider(store, { provider: this.#provider })
    this.#stampOfZones = stamp
    for (const { copies } of this.#known.values()) copies.timeZonesChanged()
  }

  #now(): Date {
    return new Date(Date.now() + this.#clockAhead)
  }

  async #codesOf({ places }: SharingPartner): Promise<Codes> {
    const codes = new Map<string, Set<string> | undefined>()
    const add = (code: string, vendor: string | undefined) => {
      if (vendor === undefined) codes.set(code, undefined)
      else if (!codes.has(code)) codes.set(code, new Set([vendor]))
      else codes.get(code)?.add(vendor)
    }
    const glns = places.map(({ gln }) => gln?.trim()).filter(isGiven)
    if (glns.length > 0)
      for (const one of await locationsWithGln(this.#context.store, { provider: this.#provider, glns }))
        add(one.locationCode, one.dataProviderVendorId)
    for (const { gln, locationCode, dataProviderVendorId } of places)
      if (!isGiven(gln) && isGiven(locationCode))
        add(locationCode, isGiven(dataProviderVendorId) ? dataProviderVendorId : undefined)
    return codes
  }

  /** Updates the copies that the next changes touch. False when there were none. */
  async #follow(): Promise<boolean> {
    const { store } = this.#context
    if (this.#position === undefined) {
      // Rescans find the earlier ones.
      const newest = await newestPosition(store, this.#provider)
      await this.#moveTo(newest)
    }
    const page = await wantedChanges(store, this.#provider, {
      after: this.#position ?? beginning,
      limit: changesAtOnce,
      filter: {},
    })
    if (page === 'otherHistory') {
      // A backup was restored.
      await restartRescan(store, { ...this.#claimed, partnerIds: [...this.#known.keys()] })
      await this.#moveTo(await newestPosition(store, this.#provider))
      this.#held.reread()
      return true
    }
    if (page.changes.length === 0) return false
    const hasTouched = await this.#reconcileChanged(page.changes)
    // Looked at twice, changes end the same, so a place in the feed may be late.
    const isDue = hasTouched || performance.now() - this.#movedAt > unmovedMsMax
    if (isDue && [...this.#known.values()].every(({ waiting }) => waiting.size === 0)) await this.#moveTo(page.next)
    else this.#position = page.next
    return true
  }

  async #moveTo(position: Position): Promise<void> {
    if (!(await moveSharing(this.#context.store, { ...this.#claimed, position: positionText(position) }))) {
      this.#held.stop()
      throw new ClaimLost('Another process copies for this provider.')
    }
    this.#position = position
    this.#movedAt = performance.now()
  }

  /** False when the changes concern no partner. */
  async #reconcileChanged(every: readonly Change[]): Promise<boolean> {
    const { store } = this.#context
    const changes = every.filter((change) => isSharedKind(kindOfChange(change)))
    const kinds = new Map(changes.map((change) => [change.id, kindOfChange(change)]))
    const isMasterData = (id: string) => !isEventKind(kinds.get(id) as RecordKindName)
    const ids = [...kinds.keys()]
    const toRescan = await this.#placesChanged(changes)
    const events = await placesOfEvents(store, {
      provider: this.#provider,
      ids: ids.filter((id) => !isMasterData(id)),
    })
    const masterData = ids.filter(isMasterData)
    const copied = await partnersWithCopies(store, { provider: this.#provider, ids })
    let hasTouched = toRescan.length > 0
    for (const { row, codes, copies, waiting } of this.#known.values()) {
      const isAt = (vendor: string, code: string) => codes.has(code) && (codes.get(code)?.has(vendor) ?? true)
      const touched = new Set([
        ...masterData,
        ...events
          .filter(({ vendor, shipTo, shipFrom }) => isAt(vendor, shipTo) || isAt(vendor, shipFrom))
          .map(({ id }) => id),
        ...copied.filter(({ partner }) => partner === row.id).map(({ id }) => id),
      ])
      if (!areEventsCompared(row)) for (const id of touched) if (isMasterData(id) && touched.delete(id)) waiting.add(id)
      if (touched.size === 0) continue
      hasTouched = true
      try {
        for (const some of inPortions([...touched])) await copies.reconcile(some)
      } catch (error) {
        // Its account may be on a node that is away while the others are not.
        if (isPassing(error) && !nodeLost(error)) throw error
        // It holds nobody else up: all of its records are rescanned.
        this.#held.reportFailure(error)
        await this.#noteFailing(true)
        toRescan.push(row.id)
      }
    }
    if (toRescan.length > 0) {
      await restartRescan(store, { ...this.#claimed, partnerIds: toRescan })
      this.#held.reread()
    }
    return hasTouched
  }

  /** Partners of whom a location became a place, or ceased to be one, by its GLN. */
  async #placesChanged(changes: readonly Change[]): Promise<string[]> {
    const { store } = this.#context
    const versions = changes
      .filter((change) => change.version > 1 && change.type === 'location.replaced')
      .flatMap(({ id, version }) => [
        { id, version: version - 1 },
        { id, version },
      ])
    const withGlns = [...this.#known.values()].filter(({ row }) => row.places.some(({ gln }) => isGiven(gln)))
    if (withGlns.length === 0) return []
    const changed = new Set<string>()
    let read = 0
    let before: { readonly id: string; readonly named: string; readonly gln: string | undefined } | undefined
    for await (const { id, body } of readInPortions(store, this.#provider, versions, { onMissing: () => undefined })) {
      read++
      const { dataProviderVendorId, locationCode, gln } = (
        JSON.parse(body) as { locationMasterList: Record<string, string | undefined> }
      ).locationMasterList
      const now = { id, named: JSON.stringify([dataProviderVendorId, locationCode]), gln: gln?.trim() }
      if (before?.id === id && (before.named !== now.named || before.gln !== now.gln))
        for (const one of [before.gln, now.gln]) if (isGiven(one)) changed.add(one)
      before = now
    }
    // A version that was purged since, or is missing, may have had any GLN.
    const isUnknown = read < versions.length
    const found: string[] = []
    for (const known of withGlns) {
      if (changes.some(({ type }) => type === 'location.created' || type === 'location.replaced'))
        known.codes = await this.#codesOf(known.row)
      if (isUnknown || known.row.places.some(({ gln }) => changed.has(gln?.trim() ?? ''))) found.push(known.row.id)
    }
    return found
  }

  /** One step of the rescan of one partner. False when there is none. */
  async #rescan(): Promise<boolean> {
    const toRescan = [...this.#known.values()].filter(({ row }) => isToRescan(row))
    const known = toRescan[this.#turn++ % Math.max(1, toRescan.length)]
    if (known === undefined) {
      for (const { copies } of this.#known.values()) {
        await copies.withdrawUnnamed()
        await copies.alignTimeZones()
      }
      return false
    }
    const began = performance.now()
    const progress = readRescan(known.row)
    const isEndedSince = progress?.phase === 'adding' && known.row.isClosed
    if (progress === undefined || isEndedSince) await this.#beginRescan(known)
    else if (progress.phase === 'adding') await this.#add(known, progress)
    else await this.#check(known, progress)
    await this.#held.sleep(Math.min(performance.now() - began, pauseMsMax))
    return true
  }

  async #beginRescan(known: KnownPartner): Promise<void> {
    known.codes = await this.#codesOf(known.row)
    const { generation } = known.row
    const began = this.#now().getTime()
    await this.#noteRescan(known, { generation, phase: 'events', began, place: '', after: beforeAll })
  }

  async #noteRescan(known: KnownPartner, progress: Rescan): Promise<void> {
    const text = JSON.stringify(progress)
    if (await noteRescan(this.#context.store, { ...this.#claimed, ...atGeneration(known.row), rescanned: text }))
      known.row = { ...known.row, rescanned: text }
    else this.#held.reread()
  }

  /** Compares copies with the shared records; opens the account when all are right. */
  async #check(known: KnownPartner, progress: Rescan): Promise<void> {
    const { store } = this.#context
    const { row, copies } = known
    const some = await copiesAfter(store, {
      provider: this.#provider,
      partner: row.id,
      after: progress.after,
      limit: recordsAtOnce,
    })
    const ofPhase = some.filter(({ kind }) => isEventKind(kind) === (progress.phase === 'events'))
    await copies.reconcile(
      ofPhase.map(({ id }) => id),
      { compares: true },
    )
    const last = some.at(-1)
    if (last !== undefined && some.length === recordsAtOnce)
      return this.#noteRescan(known, { ...progress, after: last.copyId })
    if (progress.phase === 'events') {
      await copies.withdrawUnnamed()
      return this.#noteRescan(known, { ...progress, phase: 'masterData', after: beforeAll })
    }
    for (const some of inPortions([...known.waiting])) await copies.reconcile(some)
    known.waiting.clear()
    await copies.withdrawUnnoted()
    await copies.withdrawUnnamed()
    if (row.isDeleted) {
      await removeDeletedPartner(store, { ...this.#claimed, partner: row.id })
      return this.#held.reread()
    }
    const until = nextEnd(row.grants, new Date(progress.began))
    if (!(await openSharedAccount(store, { ...this.#claimed, ...atGeneration(row), until }))) return this.#held.reread()
    known.row = { ...row, isClosed: until !== undefined && until <= this.#now() }
    await this.#noteRescan(known, { ...progress, phase: 'adding', place: '', after: beforeAll })
  }

  /** Copies events that are shared and have no copy. */
  async #add(known: KnownPartner, progress: Rescan): Promise<void> {
    const { store } = this.#context
    const { row, copies } = known
    const ids = new Set<string>()
    let reached = progress
    let isEnd = true
    for (const [place, at] of this.#placesToRescan(known)) {
      if (place < reached.place) continue
      const after = place === reached.place ? reached.after : beforeAll
      const room = recordsAtOnce - ids.size
      const found = await uncopiedEvents(store, {
        provider: this.#provider,
        partner: row.id,
        place: at,
        after,
        limit: room,
      })
      for (const id of found) ids.add(id)
      reached = { ...reached, place, after: found.at(-1) ?? after }
      if (found.length < room) continue
      isEnd = false
      break
    }
    if (ids.size > 0) await copies.reconcile([...ids])
    if (!isEnd) return this.#noteRescan(known, reached)
    await completeSharing(store, { ...this.#claimed, ...atGeneration(row) })
    this.#held.reread()
  }

  /** Where events are that grants may open, in a fixed order. */
  #placesToRescan({ row, codes }: KnownPartner): readonly (readonly [string, RescanPlace])[] {
    const places = new Map<string, RescanPlace>()
    const now = this.#now()
    const grants = row.grants.filter((grant) => !isEnded(grant, now))
    for (const { lotCode } of grants)
      if (isGiven(lotCode)) {
        const { code } = lotRowOf(lotCode)
        places.set(`lot ${code}`, { by: 'lot', code })
      }
    for (const by of ['shipTo', 'shipFrom'] as const) {
      const some = grants.filter(({ direction, lotCode }) => direction === by && !isGiven(lotCode))
      if (some.length === 0) continue
      const named = some.map(({ dataProviderVendorIds }) => dataProviderVendorIds)
      const granted = named.includes(undefined) ? undefined : new Set(named.flatMap((vendors) => vendors ?? []))
      const dates = some.map(({ firstEventDate }) => firstEventDate)
      const firstEventDate = dates.includes(undefined) ? undefined : dates.sort()[0]
      for (const [code, own] of codes) {
        const vendors = own === undefined ? granted : [...own].filter((vendor) => granted?.has(vendor) ?? true)
        places.set(`${by} ${code}`, { by, code, vendors: vendors && [...vendors], firstEventDate })
      }
    }
    return [...places].sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

/** False while the account may hold events that are not shared any longer. */
function areEventsCompared(row: SharingPartner): boolean {
  const phase = readRescan(row)?.phase
  return !isToRescan(row) || phase === 'masterData' || (phase === 'adding' && !row.isClosed)
}

const isToRescan = ({ generation, copiedGeneration, rescanned, isClosed, isDeleted }: SharingPartner): boolean =>
  generation !== copiedGeneration || rescanned !== null || isClosed || isDeleted

/** A failure of the database, or of the claim, and not of one record. */
const isPassing = (error: unknown): boolean =>
  error instanceof ClaimLost || connectionLost(error) || mayRetry(error) || cannotWriteNow(error)

function* inPortions(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += recordsAtOnce) yield ids.slice(start, start + recordsAtOnce)
}
