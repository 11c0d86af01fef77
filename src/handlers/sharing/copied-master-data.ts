// Master data and time zones in a partner's account: those that events of the account name. Source:
// decision 0078.

import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import { isEventKind } from '../../contract/record-kinds.ts'
import { vendorKey } from '../../rules/rule.ts'
import type { LocationTimeZone } from '../../store/records/location-time-zones.ts'
import {
  codesNamedByEvents,
  copyTimeZones,
  masterDataOfAccount,
  masterDataWithCodes,
  type NamedCode,
} from '../../store/sharing/shared-copies.ts'
import { byLocation } from '../records/judged-payload.ts'
import type { ClaimedPartner } from './claimed-partner.ts'
import type { CopyPlan, ReadSource } from './copy-plan.ts'
import { codeOf, codesNamedBy, nameOf } from './named-codes.ts'

/** Codes of which it is remembered that their master data is copied. */
const copiedMax = 10_000
const masterDataAtOnce = 500
const beforeAll = '00000000-0000-0000-0000-000000000000'

export class CopiedMasterData {
  readonly #held: ClaimedPartner
  /** Names of codes whose master data is copied. */
  readonly #copied = new Set<string>()
  #mayHaveUnnamed = true
  /** Time zones that the account has, and whether it may have others than the provider. */
  readonly #copiedZones = new Set<string>()
  #mayHaveOtherZones = true

  constructor(held: ClaimedPartner) {
    this.#held = held
  }

  /** Master data may be left that no event names any longer. */
  mayHaveUnnamed(): void {
    this.#mayHaveUnnamed = true
  }

  /** Copies were withdrawn, of master data or of events that name some. */
  withdrawn(): void {
    this.#copied.clear()
    this.#mayHaveUnnamed = true
  }

  /** Names of codes of these records that events of the account name, or are about to. */
  async namedAmong(sources: readonly ReadSource[], alsoNamed: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const codes = sources.flatMap(({ kind, current, contents }) => {
      const content = current && contents.get(current.version)
      const code = content && codeOf(kind, content)
      return code === undefined || alsoNamed.has(nameOf(code)) ? [] : [code]
    })
    const { context, partner } = this.#held
    if (codes.length === 0) return alsoNamed
    const found = await codesNamedByEvents(context.store, { provider: partner.account, named: codes })
    return new Set([...alsoNamed, ...found.map(nameOf)])
  }

  /** Copies the master data that events name, before them. */
  async copyNamedBy(
    plans: readonly CopyPlan[],
    reconcile: (ids: readonly string[], named: ReadonlySet<string>) => Promise<void>,
  ): Promise<void> {
    const { context, claimed } = this.#held
    if (this.#copied.size > copiedMax) this.#copied.clear()
    const codes = new Map<string, NamedCode>()
    for (const plan of plans)
      if (plan.is === 'write' && isEventKind(plan.source.kind))
        for (const { content } of plan.coming)
          for (const code of codesNamedBy(content as unknown as ReceivingEventPayload)) codes.set(nameOf(code), code)
    for (const name of this.#copied) codes.delete(name)
    if (codes.size === 0) return
    const found = await masterDataWithCodes(context.store, { provider: claimed.provider, named: [...codes.values()] })
    // In the order of their ids: of several products with one code, the newest counts.
    const ids = [...new Set(found.map(({ id }) => id))].sort()
    if (ids.length > 0) await reconcile(ids, new Set(codes.keys()))
    for (const name of codes.keys()) this.#copied.add(name)
  }

  /** Withdraws master data that no event of the account names any longer. */
  async withdrawUnnamed(withdraw: (copyIds: readonly string[]) => Promise<void>): Promise<void> {
    if (!this.#mayHaveUnnamed) return
    const { context, claimed, partner } = this.#held
    for (let after = beforeAll; ; ) {
      const some = await masterDataOfAccount(context.store, {
        provider: partner.account,
        after,
        limit: masterDataAtOnce,
      })
      claimed.assertHeld()
      await withdraw(some.filter(({ isNamed }) => !isNamed).map(({ id }) => id))
      after = some.at(-1)?.id ?? after
      if (some.length < masterDataAtOnce) break
    }
    this.#mayHaveUnnamed = false
  }

  /** Copies the time zones in which events are received, before them (decision 0055). */
  async copyTimeZones(plans: readonly CopyPlan[]): Promise<void> {
    const { context, claimed, partner, timeZones } = this.#held
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
        if (timeZone === undefined || this.#copiedZones.has(key)) continue
        coming.set(key, { dataProviderVendorId: vendor, locationCode, timeZone })
      }
    }
    if (coming.size === 0) return
    claimed.assertHeld()
    await copyTimeZones(context.store, { provider: partner.account, zones: [...coming.values()], areAll: false })
    for (const key of coming.keys()) this.#copiedZones.add(key)
  }

  /** Time zones of the provider were changed: those of the account are compared again. */
  timeZonesChanged(): void {
    this.#mayHaveOtherZones = true
    this.#copiedZones.clear()
  }

  async alignTimeZones(): Promise<void> {
    if (!this.#mayHaveOtherZones) return
    const { context, claimed, partner, timeZones } = this.#held
    claimed.assertHeld()
    await copyTimeZones(context.store, { provider: partner.account, zones: timeZones(), areAll: true })
    this.#mayHaveOtherZones = false
  }
}
