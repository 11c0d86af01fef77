// Goods that were left over on one side each, and are likely to be the same goods with one thing
// written differently: the unit, the place, the lot code or the item (decision 0081).
import { withoutZeros } from '../contract/lots/alike-lots.ts'
import { foldLotCode } from '../contract/lots/lot-code.ts'
import { distance } from '../contract/text/name-distance.ts'
import { groupsOf } from '../groups.ts'
import type { Goods } from './goods.ts'
import { lettersAsDigits } from './lot-query.ts'

/** The difference of a pair; `gtin` is none: the item code differs, and its GTIN is one. */
type LikelyKind = 'gtin' | 'unit' | 'place' | 'lot' | 'item'

export interface LikelyPair {
  readonly kind: LikelyKind
  readonly shipped: Goods
  readonly received: Goods
}

interface Likeness {
  readonly kind: LikelyKind
  /** The values that the goods of a pair share. Goods with no key pair with none. */
  readonly keysOf: (goods: Goods) => readonly string[]
  /** True where goods with other quantities are other goods. */
  readonly isOnlyEqual?: true
}

const join = (...parts: readonly string[]): string => parts.join('\u0000')
const lotOf = ({ key: { lot } }: Goods, ...parts: readonly string[]): readonly string[] =>
  lot === '' ? [] : [join(lot, ...parts)]

/** In the order in which pairs are searched: the most explanatory first. */
const likenesses: readonly Likeness[] = [
  {
    kind: 'gtin',
    keysOf: (goods) => [...gtinsOf(goods)].map((gtin) => join(gtin, goods.key.lot, goods.key.unit, goods.key.shipTo)),
  },
  { kind: 'unit', keysOf: ({ key: { item, lot, shipTo } }) => [join(item, lot, shipTo)] },
  { kind: 'place', keysOf: (goods) => lotOf(goods, goods.key.item, goods.key.unit) },
  {
    kind: 'lot',
    keysOf: ({ key: { item, lot, unit, shipTo } }) => [join(item, foldedLot(lot), unit, shipTo)],
  },
  { kind: 'item', keysOf: (goods) => lotOf(goods, goods.key.unit, goods.key.shipTo), isOnlyEqual: true },
  { kind: 'lot', keysOf: ({ key: { item, unit, shipTo } }) => [join(item, unit, shipTo)] },
]

/** As it reads aloud, with letters that look like digits read as digits, without zeros in front. */
export const foldedLot = (lot: string): string => withoutZeros(lettersAsDigits(foldLotCode(lot)))

const gtinsOf = ({ left: { shipped, received } }: Goods): ReadonlySet<string> =>
  new Set([...shipped, ...received].flatMap(({ line }) => line.gtins))

/** Most pairs that are compared letter by letter within one group. */
const comparedMax = 10_000

/** Lot codes with more different letters are as far apart as can be. */
const apartMax = 20

/**
 * Pairs among goods that were left over. Goods of both sides, whose quantities differ, pair with
 * goods of one side that make up exactly that difference.
 */
export function likelyPairs(goods: readonly Goods[], isPossible: (pair: LikelyPair) => boolean): readonly LikelyPair[] {
  const pairs: LikelyPair[] = []
  const paired = new Set<Goods>()
  for (const likeness of likenesses) {
    const keyed = goods
      .filter((one) => !paired.has(one))
      .flatMap((one) => likeness.keysOf(one).map((key) => ({ key, one, sign: one.balance.sign })))
    for (const group of groupsOf(keyed, ({ key }) => key).values()) {
      const sideOf = (wanted: number) => group.flatMap(({ one, sign }) => (sign === wanted ? [one] : []))
      for (const pair of pairsOf(likeness, sideOf(1), sideOf(-1), isPossible)) {
        if (paired.has(pair.shipped) || paired.has(pair.received)) continue
        paired.add(pair.shipped)
        paired.add(pair.received)
        pairs.push(pair)
      }
    }
  }
  return pairs
}

/** The pairs of one group: equal quantities first, then the only goods left of each side. */
function pairsOf(
  { kind, isOnlyEqual }: Likeness,
  shipped: readonly Goods[],
  received: readonly Goods[],
  isPossible: (pair: LikelyPair) => boolean,
): readonly LikelyPair[] {
  if (shipped.length === 0 || received.length === 0) return []
  const pairs: LikelyPair[] = []
  const taken = new Set<Goods>()
  for (const [one, other] of equalPairs(shipped, received)) {
    const pair = { kind, shipped: one, received: other }
    if (taken.has(one) || taken.has(other) || !isPossible(pair)) continue
    taken.add(one).add(other)
    pairs.push(pair)
  }
  if (isOnlyEqual) return pairs
  const rest = (side: readonly Goods[]) => side.filter((one) => !taken.has(one) && !one.isTwoSided)
  const [[one, ...more], [other, ...others]] = [rest(shipped), rest(received)]
  if (one === undefined || other === undefined || more.length + others.length > 0) return pairs
  const last = { kind, shipped: one, received: other }
  return isPossible(last) ? [...pairs, last] : pairs
}

/** Pairs with equal quantities, those with the most similar lot codes first. */
function equalPairs(shipped: readonly Goods[], received: readonly Goods[]): readonly (readonly [Goods, Goods])[] {
  const byQuantity = groupsOf(received, ({ balance }) => -balance.value)
  const isSmall = shipped.length * received.length <= comparedMax
  const pairs = shipped.flatMap((one) => {
    const equal = byQuantity.get(one.balance.value) ?? []
    return (isSmall ? equal : equal.splice(0, 1))
      .filter((other) => !one.isTwoSided || !other.isTwoSided)
      .map((other) => ({ pair: [one, other] as const, apart: isSmall ? apart(one, other) : 0 }))
  })
  return pairs.sort((some, others) => some.apart - others.apart).map(({ pair }) => pair)
}

const apart = (one: Goods, other: Goods): number => distance(one.key.lot, other.key.lot, apartMax)
