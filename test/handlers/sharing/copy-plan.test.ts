// What is done with a partner's copy of a record. Source: decisions 0077, 0078.

import { describe, expect, test } from 'vitest'
import { isSharedKind } from '../../../src/contract/record-kinds.ts'
import { type CopyPlan, copyAsFound, type SharedWith, type WritePlan } from '../../../src/handlers/sharing/copy-plan.ts'
import { nameOf } from '../../../src/handlers/sharing/named-codes.ts'
import type { KnownCopy } from '../../../src/store/sharing/shared-copies.ts'
import {
  empty,
  id,
  planFor,
  reconcile,
  type Source,
  sharedBy,
  type Version,
} from '../../support/records/partner-account.ts'
import { eventPayload, locationPayload, type Payload } from '../../support/records/payloads.ts'

test('records of shipping are not shared', () => {
  expect(isSharedKind('shippingEvent')).toBe(false)
})

describe('an event', () => {
  const place = 'DC-07'
  const at = (shipToLocationCode: string, edit: Payload = {}): Version => {
    const content = eventPayload()
    Object.assign(content.eventList, { shipToLocationCode, ...edit })
    return { content }
  }
  const here = at(place)
  const away = at('DC-08')
  const voided = { ...here, isVoid: true }
  const purged = { ...here, isPurged: true }
  const grant = { direction: 'shipTo' }
  const history = { ...grant, withHistory: true }
  const ended = { ...grant, endDateTime: '2026-03-10T12:00:00Z' }

  const byGrants = ['V-WITH', 'V-WITHOUT', 'V-WITH'].map((dataProviderVendorId) => at(place, { dataProviderVendorId }))
  const perVendor = [
    { ...history, dataProviderVendorIds: ['V-WITH'] },
    { ...grant, dataProviderVendorIds: ['V-WITHOUT'] },
  ]

  const copyOf = (versions: number[], more: Partial<KnownCopy> = {}): KnownCopy => ({
    id,
    copyId: 'copy',
    kind: 'receivingEvent',
    sourceVersion: versions.at(-1) ?? 0,
    firstVersion: versions[0] ?? 1,
    versions,
    shownHash: Buffer.alloc(0),
    withdrawn: false,
    settled: true,
    ...more,
  })
  const inWords = (plan: CopyPlan): string => {
    if (plan.is === 'keep') return plan.purged.length === 0 ? 'keep' : `keep without its version ${plan.purged}`
    if (plan.is === 'withdraw') return plan.isReplaced ? 'withdraw and copy again' : 'withdraw'
    if (plan.is !== 'write') return plan.is
    const coming = plan.coming.map(({ version, voidReason }) => (voidReason === null ? version : `void ${version}`))
    const what = coming.length === 0 ? 'nothing' : coming.join(', ')
    return `${plan.versions.length === 0 ? 'create' : 'add'} ${what}${plan.hasMore ? ' and more' : ''}`
  }

  test.each<[string, readonly Version[], KnownCopy | undefined, readonly object[], string]>([
    ['that is shared is copied', [here], undefined, [grant], 'create 1'],
    ['that no grant opens is not copied', [here], undefined, [], 'nothing'],
    ['elsewhere is not copied', [away], undefined, [grant], 'nothing'],
    ['of a grant that has ended is not copied', [here], undefined, [ended], 'nothing'],
    ['that was voided before it was shared is not copied', [here, voided], undefined, [grant], 'nothing'],
    ['with history neither', [here, voided], undefined, [history], 'nothing'],
    ['is copied as it is, and not as it was', [here, here, here], undefined, [grant], 'create 3'],
    ['is copied with what it was, by a grant with history', [here, here], undefined, [history], 'create 1, 2'],
    ['is copied without what was elsewhere', [away, here, away, here], undefined, [history], 'create 2, 4'],
    ['is copied without what only a grant without history opens', byGrants, undefined, perVendor, 'create 1, 3'],
    ['is copied without what was purged', [purged, here], undefined, [history], 'create 2'],
    ['with many versions is copied in steps', Array(6).fill(here), undefined, [history], 'create 1, 2, 3, 4 and more'],
    ['that came back from a void is copied', [here, voided, here], undefined, [grant], 'create 3'],
    ['that was withdrawn before is copied anew', [here], copyOf([], { withdrawn: true }), [grant], 'create 1'],
    ['whose copy was begun and not written is written', [here, here], copyOf([]), [grant], 'create 2'],
    ['that did not change is kept', [here], copyOf([1]), [grant], 'keep'],
    ['that was replaced is replaced', [here, here], copyOf([1]), [grant], 'add 2'],
    [
      'that was replaced often is replaced in steps',
      Array(7).fill(here),
      copyOf([1]),
      [grant],
      'add 2, 3, 4, 5 and more',
    ],
    ['that was voided is voided', [here, voided], copyOf([1]), [grant], 'add void 2'],
    [
      'that was voided shows what was voided, and not what the copy had before',
      [here, purged, voided],
      copyOf([1]),
      [grant],
      'add 3, void 3',
    ],
    ['whose copy has what was voided is only voided', [here, purged, voided], copyOf([1, 2]), [grant], 'add void 3'],
    ['that was elsewhere meanwhile has what is shared', [here, away, here], copyOf([1]), [grant], 'add 3'],
    ['that went elsewhere is withdrawn', [here, away], copyOf([1]), [grant], 'withdraw'],
    ['whose grant was deleted is withdrawn', [here], copyOf([1]), [], 'withdraw'],
    ['whose grant ended is withdrawn', [here], copyOf([1]), [ended], 'withdraw'],
    ['whose version was purged loses it', [purged, here], copyOf([1, 2]), [grant], 'keep without its version 1'],
    ['whose void was noted is kept', [here, voided], copyOf([1, 2]), [grant], 'keep'],
  ])('%s', (_, versions, copy, grants, expected) => {
    const record = { kind: 'receivingEvent', versions } as const
    const plan = planFor(record, { ...empty, copy }, sharedBy({ places: [{ locationCode: place }], grants }))
    expect(inWords(plan)).toBe(expected)
  })

  const withGrants = (...grants: object[]) => sharedBy({ places: [{ locationCode: place }], grants })
  const event = { kind: 'receivingEvent', versions: [at(place, { methodOfPayment: 'Prepaid' })] } as const
  const twice = { ...event, versions: [here, at(place, { methodOfPayment: 'Prepaid' })] }
  const shownOf = (record: Source, sharing: SharedWith) => reconcile(record, empty, sharing).account

  test.each<[string, Source, SharedWith, SharedWith, readonly string[]]>([
    ['without a change', event, withGrants(grant), withGrants(grant), ['keep']],
    [
      'that withholds more',
      event,
      withGrants({ ...grant, withheld: [] }),
      withGrants(grant),
      ['withdraw and copy again', 'create 1'],
    ],
    ['that withholds less', event, withGrants(grant), withGrants({ ...grant, withheld: [] }), ['add 1']],
    ['that takes history back', twice, withGrants(history), withGrants(grant), ['withdraw and copy again', 'create 2']],
    ['that adds history', twice, withGrants(grant), withGrants(history), ['keep']],
    ['that deletes the grant', event, withGrants(grant), withGrants(), ['withdraw']],
    [
      'that deletes the partner',
      event,
      withGrants(grant),
      sharedBy({ places: [{ locationCode: place }], grants: [grant] }, true),
      ['withdraw'],
    ],
  ])('is rescanned after a change %s', (_, record, before, after, expected) => {
    const { plans } = reconcile(record, shownOf(record, before), after, { compares: true })
    expect(plans.map(inWords)).toEqual(expected)
  })

  test('that was purged is withdrawn, and one that was not copied stays out', () => {
    const gone = { ...event, isGone: true }
    expect(planFor(gone, shownOf(event, withGrants(grant)), withGrants(grant)).is).toBe('withdraw')
    expect(planFor(gone, empty, withGrants(grant)).is).toBe('nothing')
  })

  test('is never copied again under an id that was withdrawn', () => {
    const { account } = reconcile(event, shownOf(event, withGrants(grant)), withGrants())
    const again = planFor(event, account, withGrants(grant)) as WritePlan
    expect(account.withdrawn).not.toContain(again.copyId)
  })

  test('that a process did not finish is copied on from what the account has', () => {
    const record = { ...event, versions: [here, here, here] }
    expect(inWords(planFor(record, { ...empty, copy: copyAsFound(copyOf([1, 2, 3]), 2) }, withGrants(grant)))).toBe(
      'add 3',
    )
    expect(inWords(planFor(record, { ...empty, copy: copyAsFound(copyOf([3]), 0) }, withGrants(grant)))).toBe(
      'create 3',
    )
    expect(copyAsFound(copyOf([1, 2]), 2)).toEqual(copyOf([1, 2]))
    const ended = { ...event, versions: [here, purged, voided] }
    expect(inWords(planFor(ended, { ...empty, copy: copyAsFound(copyOf([1, 3, 3]), 2) }, withGrants(grant)))).toBe(
      'add void 3',
    )
  })
})

describe('a location', () => {
  const record = {
    kind: 'location',
    versions: [{ content: locationPayload() }, { content: locationPayload() }],
  } as const
  const { dataProviderVendorId: vendor, locationCode: code } = record.versions[1].content.locationMasterList
  const named = new Set([nameOf({ kind: 'location', vendor, code })])
  const sharing = sharedBy({ places: [], grants: [{ direction: 'shipTo', withHistory: true }] })

  test('is copied while an event of the account names it, and only as it is now', () => {
    expect(planFor(record, empty, sharing).is).toBe('nothing')
    const { account, plans } = reconcile(record, empty, sharing, { named })
    expect(plans.map((plan) => plan.is === 'write' && plan.coming.map(({ version }) => version))).toEqual([[2]])
    expect(planFor(record, account, sharing, { named }).is).toBe('keep')
    expect(planFor(record, account, sharing).is).toBe('withdraw')
  })

  test('is withdrawn with its partner, and has no field that a grant withholds', () => {
    const content = structuredClone(record.versions[1].content)
    content.locationMasterList.businessUnit = 'ZQ1X1Z'
    const withUnit = { ...record, versions: [{ content }] }
    const all = sharedBy({ places: [], grants: [{ direction: 'shipTo', withheld: [] }] })
    const { account } = reconcile(withUnit, empty, all, { named })
    expect(JSON.stringify(account.contents)).toContain('ZQ1X1Z')
    const less = reconcile(withUnit, account, sharing, { named, compares: true })
    expect(JSON.stringify(less.account.contents)).not.toContain('ZQ1X1Z')
    expect(planFor(withUnit, account, sharedBy({ places: [], grants: [] }, true), { named }).is).toBe('withdraw')
  })
})
