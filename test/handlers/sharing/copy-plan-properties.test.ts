// What a partner sees of an event, whatever happens to it and to what is shared, by an own idea of
// what may be seen. Source: decisions 0077, 0078.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Content } from '../../../src/handlers/sharing/copy-plan.ts'
import {
  type Account,
  carryOut,
  empty,
  planFor,
  reconcile,
  type Source,
  sharedBy,
  type Version,
} from '../../support/records/partner-account.ts'
import type { Payload } from '../../support/records/payloads.ts'
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
    return last.isVoid ? world : { ...world, record: { ...record, versions: [...versions, { ...last, isVoid: true }] } }
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
