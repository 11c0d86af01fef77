// A walk from lot to lot over events that use some and make others. Source: 21 CFR 1.1350(a).
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ground, grounds } from '../../src/contract/lots/grounds.ts'
import { runSteps } from '../../src/steps.ts'
import {
  type ChainLine,
  type ChainQuery,
  ChainWalk,
  directions,
  type LinePart,
  linesOfChain,
  type WalkedChain,
} from '../../src/tracing/chain-walk.ts'
import { codeOfReference, referenceOfCode } from '../../src/tracing/field-reference.ts'
import { runs } from '../support/runs.ts'

/** Farms by their codes: two are codes of one place. */
const farms = { FARM: '0614141000012', 'RANCH-9': '0614141000012', LONE: undefined } as const
type Farm = keyof typeof farms

interface ChainEvent {
  readonly id: string
  readonly lines: readonly ChainLine[]
}

interface Said {
  readonly part: LinePart
  readonly code: string
  readonly gln?: string | undefined
  readonly quantity?: number
  readonly gtin?: string
  /** Food of a farm on a date, without a lot code: `code` is the date. */
  readonly isFood?: boolean
  /** The farm, as its vendor calls it. */
  readonly farm?: Farm
}

let count = 0
const event = (...said: Said[]): ChainEvent => ({
  id: `E${++count}`,
  lines: said.map(
    ({ part, code, gln, quantity = 10, gtin, isFood = false, farm }, i): ChainLine => ({
      pointer: `/eventList/productList/${i}`,
      part,
      gtins: gtin === undefined ? [] : [gtin],
      itemDescription: undefined,
      line: {
        vendorItemCode: 'ITEM',
        shipQuantity: quantity,
        shipQuantityUom: 'case',
        ...(!isFood && { caseLotNumber: code }),
        ...(gln !== undefined && { tlcSourceReferenceGln: gln }),
      },
      ...(isFood && { reference: harvestOn(code, farm) }),
    }),
  ),
})
function harvestOn(date: string, farm: Farm = 'FARM') {
  return { kind: 'harvestingEvent', vendor: 'V-1', locationCode: farm, date, gln: farms[farm] } as const
}
const codeOf = ({ line, reference }: ChainLine): string =>
  reference === undefined ? (line.caseLotNumber ?? '') : codeOfReference(reference)
const used = (code: string, gln?: string): Said => ({ part: 'used', code, gln })
const made = (code: string, gln?: string): Said => ({ part: 'made', code, gln })

/** Lot codes that read alike, and why. */
const alike: readonly (readonly [one: string, other: string, ground: Ground])[] = [
  ['L11', 'l-11', 'readAlike'],
  ['L11', '0L11', 'readAlike'],
  ['l-11', '0L11', 'readAlike'],
  ...['L11', 'l-11', '0L11', 'L12'].map((code) => [code, 'L11, L12', 'severalLots'] as const),
]
const likeness = (a: string, b: string): Ground | undefined =>
  alike.find(([one, other]) => (one === a && other === b) || (one === b && other === a))?.[2]
/** Codes of food of one place and date. */
function isSamePlace(a: string, b: string): boolean {
  const [one, other] = [referenceOfCode(a), referenceOfCode(b)]
  if (one === undefined || other === undefined) return false
  const [gln, same] = [one, other].map(({ locationCode }) => farms[locationCode as Farm])
  return one.date === other.date && gln !== undefined && gln === same
}
/** The higher, the surer. */
const levelOf = (ground: Ground): number => grounds.length - grounds.indexOf(ground)

interface Walked extends WalkedChain<ChainEvent> {
  readonly ended: 'full' | 'late' | undefined
  /** Lot codes whose events were read, round by round. */
  readonly rounds: readonly (readonly string[])[]
}

/** The whole walk, with the events of each lot code read when they are first wanted. */
function walked(
  events: readonly ChainEvent[],
  asked: Partial<ChainQuery>,
  {
    lotsMax = 1_000,
    linksMax = 1_000,
    isLate,
  }: { readonly lotsMax?: number; readonly linksMax?: number; readonly isLate?: () => boolean } = {},
): Walked {
  const query = {
    lotCode: 'A',
    gtin: undefined,
    tlcSource: undefined,
    direction: 'forward',
    least: 'reference',
    ...asked,
  } as const
  const walk = new ChainWalk<ChainEvent>(query, { lotsMax, linksMax })
  const isWanted = (code: string, wanted: readonly string[]) =>
    wanted.some(
      (one) =>
        one === code || isSamePlace(one, code) || (levelOf(query.least) <= levelOf('readAlike') && likeness(one, code)),
    )
  const added = new Set<ChainEvent>()
  const rounds: (readonly string[])[] = []
  for (let wanted: readonly string[] = [query.lotCode]; wanted.length > 0; ) {
    rounds.push(wanted)
    for (const event of events) {
      const isRead = event.lines.some((line) => isWanted(codeOf(line), wanted))
      if (isRead && !added.has(event)) walk.add(event)
      if (isRead) added.add(event)
    }
    wanted = runSteps(walk.next(wanted, isLate))
  }
  return { ...runSteps(walk.chain()), ended: walk.ended, rounds }
}

const codes = ({ lots }: WalkedChain<ChainEvent>) => lots.map(({ lotCode }) => lotCode)

describe('forward', () => {
  test('follows a lot through several transformations to all that was made of it', () => {
    const events = [
      event(used('A', '1'), made('B', '2')),
      event(used('B', '2'), used('X', '9'), made('C', '3'), made('D', '3')),
      event(used('E', '4'), made('F', '4')),
    ]
    const chain = walked(events, {})
    expect(codes(chain)).toEqual(['A', 'B', 'C', 'D'])
    expect(chain.lots.map(({ distance }) => distance)).toEqual([0, 1, 2, 2])
    expect(chain.steps.map(({ used, made }) => [used, made])).toEqual([
      [[0], [1]],
      [[1], [2, 3]],
    ])
  })

  test('goes once around a lot that was worked into itself again', () => {
    const chain = walked(
      [event(used('A', '1'), used('B', '2'), made('B', '2')), event(used('B', '2'), made('A', '1'))],
      {},
    )
    expect(codes(chain)).toEqual(['A', 'B'])
    expect(chain.steps.map(({ used, made }) => [used, made])).toEqual([
      [[0, 1], [1]],
      [[1], [0]],
    ])
  })
})

test('back names every lot that went in, and theirs', () => {
  const events = [
    event(used('A', '1'), used('B', '1'), made('C', '2')),
    event(used('C', '2'), used('D'), made('E', '3')),
  ]
  expect(codes(walked(events, { lotCode: 'E', direction: 'back' }))).toEqual(['E', 'C', 'D', 'A', 'B'])
})

describe('a lot code that two sources use', () => {
  const events = [
    event(used('A', '1'), made('B', '3')),
    event(used('A', '2'), made('C', '3')),
    event(used('A'), made('D', '3')),
  ]
  test('is two lots', () => {
    expect(codes(walked(events, { tlcSource: '1', least: 'sameSource' }))).toEqual(['A', 'B'])
  })

  test('and a line without a source may be of either: followed, and marked so, unless only what is sure is asked for', () => {
    const chain = walked(events, { tlcSource: '1' })
    expect(chain.lots.map(({ lotCode, ground }) => [lotCode, ground])).toEqual([
      ['A', 'sameSource'],
      ['B', 'sameSource'],
      ['D', 'sourceUnknown'],
    ])
    expect(walked(events, { tlcSource: '1', least: 'sameSource' }).leftOut.sourceUnknown).toBe(1)
  })
})

test('lines known to be of another item are of another lot', () => {
  const of = (said: Said, gtin: string) => ({ ...said, gtin })
  const events = [
    event(used('A', '1'), of(made('B', '2'), '10614141000415')),
    event(of(used('B', '2'), '10614141000415'), made('C', '3')),
    event(of(used('B', '2'), '10614141000538'), made('D', '3')),
    event(used('B', '2'), made('E', '3')),
  ]
  expect(codes(walked(events, {}))).toEqual(['A', 'B', 'C', 'E'])
})

describe('a chain of many rounds', () => {
  const links = 2_000
  const lotAt = (i: number) => (i === 0 ? 'A' : `L${i}`)
  const thin = Array.from({ length: links }, (_, i) => event(used(lotAt(i), '1'), made(lotAt(i + 1), '1')))

  test('takes one step for each of its events, in the way of the lots', () => {
    const byCode = new Map(thin.map((one) => [one.lines[0]?.line.caseLotNumber ?? '', one]))
    const query = { lotCode: 'A', gtin: undefined, tlcSource: undefined, direction: 'forward', least: 'sameSource' }
    const walk = new ChainWalk<ChainEvent>(query as ChainQuery, { lotsMax: links + 1, linksMax: links + 1 })
    let steps = 0
    for (let wanted: readonly string[] = ['A']; wanted.length > 0; ) {
      for (const code of wanted) {
        const next = byCode.get(code)
        if (next !== undefined) walk.add(next)
      }
      const round = walk.next(wanted)
      for (let step = round.next(); ; step = round.next(), steps++)
        if (step.done) {
          wanted = step.value
          break
        }
    }
    expect(runSteps(walk.chain()).lots.at(-1)).toMatchObject({ lotCode: `L${links}`, distance: links })
    expect(steps).toBeLessThan(links * 20)
  })

  test('ends where it has as many lots as it may, or is late, and keeps what it saw', () => {
    const full = walked(thin.slice(0, 20), {}, { lotsMax: 5 })
    expect([full.ended, codes(full)]).toEqual(['full', ['A', 'L1', 'L2', 'L3', 'L4']])
    expect(full.steps.at(-1)).toMatchObject({ used: [4], made: [] })
    let asked = 0
    const late = walked(thin.slice(0, 20), {}, { isLate: () => ++asked > 3 })
    expect([late.ended, codes(late)]).toEqual(['late', ['A', 'L1', 'L2', 'L3', 'L4']])
    expect(walked(thin.slice(0, 4), {}, { lotsMax: 5 }).ended).toBeUndefined()
    // Each of three lines that do not say their source may be of each of four lots.
    const unsure = ['1', '2', '3'].map((gln) => event(made('A', gln), used('A'), made(`B${gln}`, '9')))
    expect(walked(unsure, {}, { linksMax: 12 }).ended).toBeUndefined()
    const wide = walked(unsure, {}, { linksMax: 4 })
    expect([wide.ended, wide.steps.flatMap((step) => step.used)]).toEqual(['full', [0, 1, 0, 0]])
  })
})

test('reads no lot code twice, and an event that was stored meanwhile changes no lot that was left', () => {
  const walk = new ChainWalk<ChainEvent>(
    { lotCode: 'A', gtin: undefined, tlcSource: undefined, direction: 'forward', least: 'sourceUnknown' },
    { lotsMax: 10, linksMax: 10 },
  )
  walk.add(event(used('A', '1'), made('B', '2')))
  expect(runSteps(walk.next(['A']))).toEqual(['B'])
  walk.add(event(used('B', '2'), made('C', '2')))
  walk.add(event(used('B', '2'), made('A', '1'), made('A', '9')))
  expect(runSteps(walk.next(['B']))).toEqual(['C'])
  expect(runSteps(walk.next(['C']))).toEqual([])
  const chain = runSteps(walk.chain())
  expect(codes(chain)).toEqual(['A', 'B', 'C'])
  expect(chain.steps).toHaveLength(3)
})

describe('food without a lot code', () => {
  const food = (part: LinePart, date: string, area?: string): Said => ({ part, code: date, gln: area, isFood: true })
  const events = [
    event(food('made', '2026-03-02', '7')),
    event(food('made', '2026-03-02')),
    event(food('made', '2026-03-02', '8')),
    event(food('made', '2026-03-01', '7')),
    event(food('used', '2026-03-02', '7'), made('A', '1')),
  ]

  test('is joined back by place and date, and by growing area where both state one', () => {
    const chain = walked(events, { direction: 'back' })
    expect(chain.steps.map(({ event: { id }, ground }) => [events.findIndex((one) => one.id === id), ground])).toEqual([
      [4, 'sameSource'],
      [0, 'reference'],
      [1, 'reference'],
    ])
    expect(chain.steps.map(({ usedFood, madeFood }) => [usedFood, madeFood])).toEqual([
      [[0], []],
      [[], [0]],
      [[], [0]],
    ])
    expect(codes(chain)).toEqual(['A'])
    expect(chain.food.map(({ reference, ground }) => [reference?.date, ground])).toEqual([['2026-03-02', 'sameSource']])
  })

  test('is left out and counted where only what is surer is asked for', () => {
    const chain = walked(events, { direction: 'back', least: 'sourceUnknown' })
    expect(chain.steps).toHaveLength(1)
    expect(chain.leftOut).toMatchObject({ sameSource: 0, sourceUnknown: 0, reference: 2 })
  })

  test('is that of the place with its GLN, whatever another record calls it', () => {
    const chain = walked([event({ ...food('made', '2026-03-02', '7'), farm: 'RANCH-9' }), ...events.slice(4)], {
      direction: 'back',
    })
    expect(chain.steps.map(({ ground }) => ground)).toEqual(['sameSource', 'reference'])
    expect(chain.food).toHaveLength(1)
  })

  test('is followed forward to the lots that were packed of it', () => {
    const chain = walked(events, { lotCode: codeOfReference(harvestOn('2026-03-02')), tlcSource: '7' })
    expect(chain.lots.map(({ lotCode, ground }) => [lotCode, ground])).toEqual([['A', 'reference']])
  })
})

describe('lot codes that read alike', () => {
  const events = [
    event(used('L11', '1'), made('A', '2')),
    event(used('l-11'), made('B', '2')),
    event(used('0L11', '9'), made('C', '2')),
    event(used('L11, L12', '1'), made('D', '2')),
    event(used('L12', '1'), made('E', '2')),
    event(used('X', '2'), made('l-11', '1')),
  ]
  const asked = { lotCode: 'L11', tlcSource: '1' }

  test('are not followed unless that is asked for', () => {
    const chain = walked(events, asked)
    expect([codes(chain), chain.rounds]).toEqual([
      ['L11', 'A'],
      [['L11'], ['A']],
    ])
  })

  test('are lots of their own, of no other source, told apart from all that is surer', () => {
    const chain = walked(events, { ...asked, least: 'readAlike' })
    expect(
      chain.lots.map(({ lotCode, ground, distance, readsLike }) => [lotCode, ground, distance, readsLike]),
    ).toEqual([
      ['L11', 'sameSource', 0, undefined],
      ['A', 'sameSource', 1, undefined],
      ['l-11', 'readAlike', 0, 0],
      ['l-11', 'readAlike', 0, 0],
      ['B', 'readAlike', 1, undefined],
    ])
    expect(chain.leftOut).toMatchObject({ readAlike: 0, severalLots: 1 })
  })

  test('lead from several lots in one code to what was made of it, and to none of its other lots', () => {
    const chain = walked(events, { ...asked, least: 'severalLots' })
    expect(codes(chain)).toEqual(['L11', 'A', 'l-11', 'l-11', 'B', 'L11, L12', 'D'])
    expect(chain.lots.at(-1)).toMatchObject({ ground: 'severalLots', distance: 1 })
  })

  test('are found where no line has the lot code that was asked for', () => {
    const chain = walked(events, { lotCode: 'L-11', least: 'readAlike' })
    expect(chain.lots).toEqual([])
    const found = walked(events.slice(1, 2), { ...asked, least: 'readAlike' })
    expect(found.lots.map(({ lotCode, ground, readsLike }) => [lotCode, ground, readsLike])).toEqual([
      ['l-11', 'readAlike', 'asked'],
      ['B', 'readAlike', undefined],
    ])
  })

  test('count as links, which are bounded', () => {
    const many = Array.from({ length: 40 }, (_, i) =>
      event(used(i === 0 ? 'L11' : 'l-11', i === 0 ? '1' : undefined), made(`M${i}`, '2')),
    )
    expect(walked(many, { ...asked, least: 'readAlike' }, { linksMax: 20 }).ended).toBe('full')
  })
})

describe('of any events', () => {
  const said = fc.record({
    part: fc.constantFrom<LinePart>('made', 'used', 'received'),
    code: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'L11', 'l-11', '0L11', 'L12', 'L11, L12'),
    gln: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
    isFood: fc.constantFrom(false, false, true),
    farm: fc.constantFrom<Farm>('FARM', 'RANCH-9', 'LONE'),
  })
  const events = fc
    .array(fc.array(said, { minLength: 1, maxLength: 4 }), { maxLength: 14 })
    .map((all) => all.map((lines) => event(...lines)))
  const asked = fc.record({
    direction: fc.constantFrom(...directions),
    least: fc.constantFrom(...grounds),
    tlcSource: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
    lotCode: fc.constantFrom('A', 'L11', 'L11, L12', codeOfReference(harvestOn('A'))),
  })

  test('the lots and grounds are those of a closure over all pairs of lots', () => {
    fc.assert(
      fc.property(events, asked, (all, query) => {
        const chain = walked(all, query)
        const found = [...chain.lots, ...chain.food].map(({ lotCode, source, ground }) => [
          `${lotCode} ${source.glns[0] ?? ''}`,
          ground,
        ])
        expect(Object.fromEntries(found)).toEqual(closure(all, query).ends)
        expect(found).toHaveLength(new Set(found.map(([name]) => name)).size)
      }),
      { numRuns: runs(1_000, 100) },
    )
  })

  test('the lines are those that each pair of a lot and a line allows, by the surest way', () => {
    fc.assert(
      fc.property(events, asked, (all, query) => {
        const found = runSteps(linesOfChain(walked(all, query), query))
        const plain = ({ lines }: Pick<typeof found, 'lines'>) =>
          [...lines]
            .flatMap(([{ id }, own]) => [...own].map(([pointer, ground]) => `${id} ${pointer} ${ground}`))
            .sort()
        expect([plain(found), plain({ lines: found.leftOut })]).toEqual(recount(all, query))
      }),
      { numRuns: runs(1_000, 100) },
    )
  })
})

type Asked = Pick<ChainQuery, 'lotCode' | 'direction' | 'least' | 'tlcSource'>

/** The lines of the lots that the closure reaches, and those that are less sure than asked. */
function recount(events: readonly ChainEvent[], query: Asked): readonly [lines: string[], leftOut: string[]] {
  const [chosen, out]: [string[], string[]] = [[], []]
  const surest = (all: readonly Ground[]) => grounds.find((ground) => all.includes(ground))
  const { ends, own: followed } = closure(events, query)
  const reached = Object.entries(ends)
  for (const { id, lines } of events)
    for (const one of lines) {
      const ways = reached.flatMap(([name, ground]): { way: Ground; isIn: boolean }[] => {
        const why = groundFor(name, one)
        if (why === undefined) return []
        // What was packed names its food itself.
        if (one.reference !== undefined && one.part === 'used' && query.direction === 'back' && name === nameOf(one))
          return [{ way: ground, isIn: true }]
        const way = grounds.indexOf(why) > grounds.indexOf(ground) ? why : ground
        return [{ way, isIn: grounds.indexOf(why) <= grounds.indexOf(query.least) }]
      })
      const isOneOfSeveral = followed.some((name) => likenessOf(name, nameOf(one)) === 'severalLots')
      if (query.least === 'readAlike' && isOneOfSeveral && ends[nameOf(one)] === undefined)
        ways.push({ way: 'severalLots', isIn: false })
      const within = surest(ways.filter(({ isIn }) => isIn).map(({ way }) => way))
      const without = surest(ways.map(({ way }) => way))
      if (within !== undefined) chosen.push(`${id} ${one.pointer} ${within}`)
      else if (without !== undefined) out.push(`${id} ${one.pointer} ${without}`)
    }
  return [chosen.sort(), out.sort()]
}

const nameOf = (line: ChainLine): string => `${codeOf(line)} ${line.line.tlcSourceReferenceGln ?? ''}`
const partsOf = (name: string) => {
  const at = name.lastIndexOf(' ')
  return { code: name.slice(0, at), gln: name.slice(at + 1) }
}

/** Why lots with other lot codes may be one. */
function likenessOf(a: string, b: string): Ground | undefined {
  const [one, other] = [partsOf(a), partsOf(b)]
  const isOtherSource = one.gln !== '' && other.gln !== '' && one.gln !== other.gln
  return isOtherSource ? undefined : likeness(one.code, other.code)
}

/** Why a line may be of a lot. */
function groundFor(lot: string, line: ChainLine): Ground | undefined {
  const { code, gln } = partsOf(lot)
  const own = line.line.tlcSourceReferenceGln ?? ''
  const isUnknown = gln === '' || own === ''
  if ((codeOf(line) !== code && !isSamePlace(codeOf(line), code)) || (!isUnknown && gln !== own)) return undefined
  return line.reference !== undefined ? 'reference' : isUnknown ? 'sourceUnknown' : 'sameSource'
}

/**
 * How surely each lot is reached, by raising all that can be until nothing changes. A lot is
 * reached as `own`, or only because it reads like one that is.
 */
function closure(events: readonly ChainEvent[], { lotCode, direction, least, tlcSource }: Asked) {
  const [out, into] = direction === 'forward' ? ['used', 'made'] : ['made', 'used']
  const names = [...new Set(events.flatMap(({ lines }) => lines.map(nameOf)))]
  const levels = { own: new Map<string, number>(), like: new Map<string, number>() }
  let isChanged = true
  const raise = (as: keyof typeof levels, name: string, level: number, ground: Ground) => {
    const next = Math.min(level, levelOf(ground))
    if (levelOf(ground) < levelOf(least) || next <= (levels[as].get(name) ?? 0)) return
    levels[as].set(name, next)
    isChanged = true
  }
  const asked = names.filter((name) => tlcSource === undefined || [tlcSource, ''].includes(partsOf(name).gln))
  const isNamed = (name: string) => tlcSource === undefined || partsOf(name).gln === tlcSource
  for (const name of asked.filter(isNamed))
    if (partsOf(name).code === lotCode) raise('own', name, levelOf('sameSource'), 'sameSource')
  if (levels.own.size === 0)
    for (const name of asked) {
      const ground = likeness(lotCode, partsOf(name).code)
      if (ground !== undefined) raise('like', name, levelOf(ground), ground)
    }
  while (isChanged) {
    isChanged = false
    for (const as of ['own', 'like'] as const)
      for (const [lot, level] of levels[as]) {
        for (const { lines } of events)
          for (const from of lines.filter(({ part }) => part === out)) {
            const ground = groundFor(lot, from)
            if (ground !== undefined)
              for (const to of lines.filter(({ part }) => part === into)) raise('own', nameOf(to), level, ground)
          }
        for (const other of as === 'own' ? names : []) {
          const ground = likenessOf(lot, other)
          if (ground !== undefined) raise('like', other, level, ground)
        }
      }
  }
  const ends: Record<string, Ground> = {}
  for (const name of names) {
    const level = Math.max(levels.own.get(name) ?? 0, levels.like.get(name) ?? 0)
    if (level > 0) ends[name] = grounds[grounds.length - level] as Ground
  }
  return { ends, own: [...levels.own.keys()] }
}
