// What is done with a partner's copy of a record: by cases, and for whatever happens to records and
// to what is shared. Source: decisions 0077, 0078.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Content,
  type CopyPlan,
  copyAsFound,
  firstVersionToRead,
  hashAfter,
  isWithin,
  planCopy,
  purgedVersions,
  type SharedKindName,
  type SharedWith,
  sharedWith,
  versionsToRead,
  type WritePlan,
} from '../../../src/handlers/sharing/copy-plan.ts'
import { nameOf } from '../../../src/handlers/sharing/named-codes.ts'
import type { KnownCopy } from '../../../src/store/sharing/shared-copies.ts'
import { eventPayload, locationPayload, type Payload } from '../../support/records/payloads.ts'
import {
  drawEvent,
  drawing,
  drawSharing,
  historyOf,
  marks,
  type Sharing,
  seenOf,
} from '../../support/records/sharing-world.ts'
import { runs } from '../../support/runs.ts'

const id = '0195c0de-0000-7000-8000-000000000001'
const now = new Date('2026-03-10T12:00:00Z')

/** A version of a record; void ones repeat the content of the one before. */
interface Version {
  readonly content: Payload
  readonly isVoid?: boolean
  readonly isPurged?: boolean
}

interface Source {
  readonly kind: SharedKindName
  readonly versions: readonly Version[]
  /** True when the record itself was purged. */
  readonly isGone?: boolean
}

/** What a partner's account has of a record, and what is noted of it. */
interface Account {
  readonly copy: KnownCopy | undefined
  /** Contents of the versions of the copy; undefined for one that was taken out. */
  readonly contents: readonly (Content | undefined)[]
  /** True when the copy is void. */
  readonly isVoid: boolean
  readonly withdrawn: readonly string[]
}

const empty: Account = { copy: undefined, contents: [], isVoid: false, withdrawn: [] }

const sharedBy = (sharing: Sharing, isDeleted = false): SharedWith =>
  sharedWith({ ...(sharing as Parameters<typeof sharedWith>[0]), isDeleted }, () => undefined)

/** The plan, with what the copy shows compared where it depends on that. */
function planFor(
  { kind, versions: all, isGone = false }: Source,
  { copy, contents: shown, withdrawn }: Account,
  sharing: SharedWith,
  { compares = false, named = new Set<string>() } = {},
): Exclude<CopyPlan, { is: 'compare' }> {
  const from = firstVersionToRead(copy, sharing) ?? all.length
  const versions = all
    .map((one, i) => ({
      id,
      kind,
      version: i + 1,
      current: isGone ? null : all.length,
      isPurged: isGone || one.isPurged === true,
      voidReason: one.isVoid === true ? 'Entered twice' : null,
    }))
    .filter(({ version }) => version >= from)
  const source = { id, kind, versions, copy, freshId: `${id}/${withdrawn.length}` }
  const read = versionsToRead(source, sharing, compares)
  const contents = new Map(read.wanted.map(({ version }) => [version, (all[version - 1] as Version).content]))
  const plan = planCopy({ ...source, ...read, contents }, sharing, { now, named, compares })
  if (plan.is !== 'compare') return plan
  const fits = plan.allowed.every((allowed, i) => shown[i] === undefined || isWithin(shown[i], allowed))
  return (fits ? plan.fits : plan.exceeds) as Exclude<CopyPlan, { is: 'compare' }>
}

/** The account once a plan has been carried out, as the service stores versions. */
function carryOut(account: Account, plan: Exclude<CopyPlan, { is: 'compare' }>): Account {
  if (plan.is === 'nothing') return account
  if (plan.is === 'keep') return takeOut(account, plan.purged)
  if (plan.is === 'write') return write(account, plan)
  const copy = { ...(account.copy as KnownCopy), withdrawn: true, versions: [] }
  return { copy, contents: [], isVoid: false, withdrawn: [...account.withdrawn, plan.copyId] }
}

const takeOut = (account: Account, versions: readonly number[]): Account => ({
  ...account,
  contents: account.contents.map((content, i) => (versions.includes(i + 1) ? undefined : content)),
})

function write(account: Account, plan: WritePlan): Account {
  const { copyId, coming, sourceVersion, firstVersion } = plan
  const contents = plan.versions.length === 0 ? [] : [...account.contents]
  const versions = [...plan.versions]
  let [shownHash, isVoid] = [plan.shownHash, account.isVoid]
  for (const { version, content, hash, voidReason } of coming) {
    if (voidReason !== null && (versions.length === 0 || isVoid)) continue
    if (voidReason === null && !isVoid && JSON.stringify(contents.at(-1)) === JSON.stringify(content))
      versions[versions.length - 1] = version
    else {
      versions.push(version)
      contents.push(voidReason === null ? content : contents.at(-1))
      shownHash = hashAfter(shownHash, hash)
      isVoid = voidReason !== null
    }
  }
  const kind = plan.source.kind
  const copy = { id, copyId, kind, sourceVersion, firstVersion, versions, shownHash, withdrawn: false, settled: true }
  return takeOut({ ...account, copy, contents, isVoid }, purgedVersions(plan.source, versions))
}

/** Plans and carries out until nothing is left to do; returns the plans as well. */
function reconcile(record: Source, account: Account, sharing: SharedWith, at: Parameters<typeof planFor>[3] = {}) {
  const plans: CopyPlan[] = []
  for (let i = 0; ; i++) {
    const plan = planFor(record, account, sharing, at)
    plans.push(plan)
    account = carryOut(account, plan)
    if (!(plan.is === 'write' && plan.hasMore) && !(plan.is === 'withdraw' && plan.isReplaced))
      return { account, plans }
    expect(i).toBeLessThan(20)
  }
}

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

describe('whatever happens to an event and to what is shared', () => {
  type Step = readonly ['replace' | 'void' | 'purge earlier' | 'purge' | 'share' | 'follow' | 'rescan', number]
  const step = fc.tuple(
    fc.constantFrom('replace', 'replace', 'void', 'purge earlier', 'share', 'share', 'follow', 'rescan', 'purge'),
    fc.nat(999),
  ) as fc.Arbitrary<Step>

  interface World {
    readonly record: Source
    readonly sharing: Sharing
    readonly account: Account
    /** True once the copy was compared with what is shared since that changed. */
    readonly isCompared: boolean
  }

  /** Without a look at the clock. */
  const draw = (seed: number): { readonly event: Payload; readonly sharing: Sharing } => {
    const random = drawing(seed)
    const { places, grants } = drawSharing(random)
    const event = drawEvent(random, 'PO-1', '2026-02-02T08:00:00-05:00')
    return {
      event,
      sharing: {
        places: [...places, { locationCode: event.eventList.shipToLocationCode }],
        grants: grants.map((grant) =>
          grant.endDateTime === undefined ? grant : { ...grant, endDateTime: '2026-04-01T00:00:00Z' },
        ),
      },
    }
  }

  const begin = (seed: number): World => {
    const { event, sharing } = draw(seed)
    const record = { kind: 'receivingEvent', versions: [{ content: event }] } as const
    return { record, sharing, account: empty, isCompared: false }
  }

  function happen(world: World, [what, seed]: Step): World {
    const { record, sharing, account, isCompared } = world
    const { versions } = record
    const last = versions.at(-1) as Version
    if (what === 'share') return { ...world, sharing: draw(seed).sharing, isCompared: false }
    if (what === 'follow' || what === 'rescan') {
      const compares = what === 'rescan'
      const { account: reconciled } = reconcile(record, account, sharedBy(sharing), { compares })
      return { ...world, account: reconciled, isCompared: isCompared || compares }
    }
    if (record.isGone) return world
    if (what === 'replace')
      return { ...world, record: { ...record, versions: [...versions, { content: draw(seed).event }] } }
    if (what === 'void')
      return last.isVoid
        ? world
        : { ...world, record: { ...record, versions: [...versions, { ...last, isVoid: true }] } }
    if (what === 'purge') return { ...world, record: { ...record, isGone: true } }
    const earlier = versions.map((one, i) => (i < versions.length - 1 ? { ...one, isPurged: true } : one))
    return { ...world, record: { ...record, versions: earlier } }
  }

  const worlds = fc.tuple(fc.nat(999), fc.array(step, { maxLength: 14 }))
  const grown = (seed: number, steps: readonly Step[]): World => steps.reduce(happen, begin(seed))
  const rescanned = (world: World): World => happen(world, ['rescan', 0])

  const seen = (version: Version, sharing: Sharing) => seenOf(version.content, sharing, () => [undefined])

  /** What a reader of the account finds: the newest version of the copy, unless that is void. */
  const visible = ({ account }: World): Content | undefined =>
    account.copy === undefined || account.copy.withdrawn || account.isVoid ? undefined : account.contents.at(-1)

  /** The same by what is shared, and not by how it came about. */
  const due = ({ record, sharing }: World): Content | undefined => {
    const last = record.versions.at(-1) as Version
    return record.isGone || last.isVoid ? undefined : seen(last, sharing)
  }

  /** Each text of the account is one that is shared of that version now. */
  function expectNothingMore({ account: { copy, contents }, record, sharing }: World): void {
    for (const [i, content] of contents.entries()) {
      if (content === undefined || copy === undefined) continue
      const version = copy.versions[i] ?? 0
      const shown = record.versions[version - 1] as Version
      expect(record.isGone || shown.isPurged).not.toBe(true)
      if (version < copy.firstVersion) expect(seen(shown, historyOf(sharing))).toBeDefined()
      const allowed = new Set(JSON.stringify(seen(shown, sharing) ?? {}).match(marks))
      for (const mark of JSON.stringify(content).match(marks) ?? []) expect(allowed).toContain(mark)
    }
  }

  const forAll = (check: (seed: number, steps: readonly Step[]) => void) =>
    fc.assert(
      fc.property(worlds, ([seed, steps]) => check(seed, steps)),
      { numRuns: runs(3_000, 300) },
    )

  test('a rescan leaves just what is shared of it as it is now', () => {
    let shared = 0
    forAll((seed, steps) => {
      const world = rescanned(grown(seed, steps))
      expect(visible(world)).toEqual(due(world))
      if (due(world) !== undefined) shared++
    })
    expect(shared).toBeGreaterThan(50)
  })

  test('a rescan leaves nothing that is withheld, in no version, and following adds nothing of it', () => {
    forAll((seed, steps) => {
      let world = begin(seed)
      for (const one of [
        ...steps,
        ['rescan', 0],
        ...steps.filter(([what]) => what !== 'share'),
        ['follow', 0],
      ] as Step[]) {
        world = happen(world, one)
        if (world.isCompared && (one[0] === 'rescan' || one[0] === 'follow')) expectNothingMore(world)
      }
    })
  })

  test('no planned content is more than what is shared of its version', () => {
    forAll((seed, steps) => {
      const { record, account, sharing } = grown(seed, steps)
      for (const compares of [false, true])
        for (const plan of reconcile(record, account, sharedBy(sharing), { compares }).plans)
          if (plan.is === 'write')
            for (const { version, content } of plan.coming)
              expect(content).toEqual(seen(record.versions[version - 1] as Version, sharing))
    })
  })

  test('a plan that was carried out leaves nothing to do', () => {
    forAll((seed, steps) => {
      const { record, account, sharing } = rescanned(grown(seed, steps))
      for (const compares of [false, true]) {
        const plan = planFor(record, account, sharedBy(sharing), { compares })
        expect(plan.is).toMatch(/^(nothing|keep)$/)
        expect(carryOut(account, plan)).toEqual(account)
      }
    })
  })

  test('without a grant, or without the partner, all of it is withdrawn', () => {
    forAll((seed, steps) => {
      const { record, account, sharing } = grown(seed, steps)
      for (const none of [sharedBy({ ...sharing, grants: [] }), sharedBy(sharing, true)]) {
        const { copy, contents } = reconcile(record, account, none).account
        expect(copy === undefined || copy.withdrawn).toBe(true)
        expect(contents).toEqual([])
      }
    })
  })

  test('without a grant with history, no version from before it was shared is opened', () => {
    forAll((seed, steps) => {
      const world = grown(seed, steps)
      const grants = world.sharing.grants.map((grant) => ({ ...grant, withHistory: false }))
      const { account } = rescanned({ ...world, sharing: { ...world.sharing, grants } })
      const { copy, contents } = account
      for (const [i, version] of (copy?.versions ?? []).entries())
        if (contents[i] !== undefined) expect(version).toBeGreaterThanOrEqual(copy?.firstVersion ?? 0)
    })
  })

  test('the end is the same, whenever it was looked at meanwhile', () => {
    forAll((seed, steps) => {
      const looked = rescanned(grown(seed, steps))
      const others = steps.filter(([what]) => what !== 'follow' && what !== 'rescan')
      expect(visible(looked)).toEqual(visible(rescanned(grown(seed, others))))
    })
  })

  test('the end is the same, whether what is shared or the event changed first', () => {
    forAll((seed, steps) => {
      const changes = steps.filter(([what]) => what !== 'share')
      const shares = steps.filter(([what]) => what === 'share')
      const ends = [[...changes, ...shares], [...shares, ...changes], steps].map((order) =>
        visible(rescanned(grown(seed, order))),
      )
      expect(ends[1]).toEqual(ends[0])
      expect(ends[2]).toEqual(ends[0])
    })
  })
})
