// Lot codes as people and programs write them, made from the lots that they name: a plain model of
// what reads alike, which knows nothing of how a text is read.
import fc from 'fast-check'

export interface WrittenLots {
  readonly written: string
  /** The lots that it names. */
  readonly names: readonly string[]
}

/** Lots of which none is written like another, not even with zeros, words or signs around it. */
const lots = ['L101', 'L102', 'L103', 'GV26063A', '123X', 'MIX77', '24131', '24132', 'TOM9'] as const

const lot = fc.constantFrom(...lots)
const frames: readonly (readonly [before: string, behind: string])[] = [
  ['', ''],
  ['0', ''],
  ['00', ''],
  ['10', ''],
  ['(10)', ''],
  ['(01)10614141000415(10)', ''],
  ['011061414100041610', ''],
  [']C110', ''],
  ['Lot# ', ''],
  ['LOT: ', ''],
  ['batch ', ''],
  ['Lote ', ''],
  ['lot no ', ''],
  ['Charge: ', ''],
  ['TLC ', ''],
  ['', ' (best by 3/4)'],
  ['', ' exp 12/26'],
  ['', ', use by 3/4/26'],
  ['Lot no. ', ' packed on 3/4'],
  ['', '\u001d'],
  ['', ' (20 cs)'],
  ['', ' organic'],
]

const one = fc
  .tuple(lot, fc.constantFrom(...frames))
  .map(([name, [before, behind]]): WrittenLots => ({ written: before + name + behind, names: [name] }))

const several = fc
  .tuple(
    fc.uniqueArray(lot, { minLength: 2, maxLength: 4 }),
    fc.constantFrom(', ', '; ', ' | ', ' & ', '\n', ' and ', ' + ', ' / '),
    fc.constantFrom<readonly [string, string]>(['', ''], ['Lots: ', ''], ['', ' (best by 3/4)']),
  )
  .map(([names, joint, [before, behind]]): WrittenLots => ({ written: before + names.join(joint) + behind, names }))

const ranges = fc.constantFrom<WrittenLots>(
  { written: 'L101-L103', names: ['L101', 'L102', 'L103'] },
  { written: 'L101 thru L102', names: ['L101', 'L102'] },
  { written: 'L101 to 103', names: ['L101', 'L102', 'L103'] },
  { written: '24130-24132', names: ['24130', '24131', '24132'] },
)

/** Names of nothing else. */
const others = fc
  .constantFrom('25/131', 'A-12/3', '2026/03/04', 'P&G 123', 'LOT', 'L10', 'L1011', '6063')
  .map((written): WrittenLots => ({ written, names: [written] }))

export const lotsWritten: fc.Arbitrary<WrittenLots> = fc.oneof(
  { weight: 5, arbitrary: one },
  { weight: 3, arbitrary: several },
  { weight: 1, arbitrary: ranges },
  { weight: 1, arbitrary: others },
)

export const namedTogether = (a: WrittenLots, b: WrittenLots): boolean => a.names.some((name) => b.names.includes(name))
