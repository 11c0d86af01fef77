// Compares shipping and receiving events, and lists every difference once. Source: decision 0081.
import { unitKeyOf } from '../contract/text/units.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { deliveriesOf } from './deliveries.ts'
import type { DeliveryEvent, DeliveryLine, DeliveryPlace } from './delivery-event.ts'
import { type ComparedDeliveries, type Comparison, FoundDifferences } from './found-differences.ts'
import { type Entry, Goods, type GoodsKey, textOf } from './goods.ts'
import { likelyPairs } from './likely-pairs.ts'
import { sameAs } from './wording.ts'

const goodsPerStep = 200

/** Compares all events with each other. They may be of several vendors. */
export function* compareDeliveries(
  events: readonly DeliveryEvent[],
  comparison: Comparison,
): Steps<ComparedDeliveries> {
  const found = new FoundDifferences(comparison)
  // Of several equally likely pairs the earliest counts, in whatever order they are read.
  const all = yield* goodsOf(
    events.toSorted((some, other) => some.instant - other.instant || (some.id < other.id ? -1 : 1)),
  )
  yield* settleDeliveries(all, found)
  const left = all.filter(({ isOpen }) => isOpen)
  yield* settleOrders(left, found)
  for (const goods of left) found.settleRepeated(goods)
  yield* pairLikely(left, (goods) => goods.delivery, { found, isOneDelivery: true })
  yield* pairLikely(left, (goods) => goods.order, { found, isOneDelivery: false })
  yield* settleUndocumented(left, found)
  return yield* found.end(
    all,
    left.filter(({ isOpen }) => isOpen),
  )
}

/** The goods of each delivery. */
function* goodsOf(events: readonly DeliveryEvent[]): Steps<readonly Goods[]> {
  const deliveries = yield* deliveriesOf(events)
  const keys = new GoodsKeys(events)
  const all = new Map<string, { readonly key: GoodsKey; readonly shipped: Entry[]; readonly received: Entry[] }>()
  for (const event of events) {
    yield
    const delivery = deliveries.get(event)
    if (delivery === undefined) continue
    for (const line of event.lines) {
      const key = keys.of(event, line)
      const text = `${delivery.number}\u0000${textOf(key)}`
      const entry = { event, delivery, line }
      const known = all.get(text)
      // A list that is made with its line has room for one; one that grows has room for 17.
      if (known === undefined)
        all.set(
          text,
          event.side === 'shipped' ? { key, shipped: [entry], received: [] } : { key, shipped: [], received: [entry] },
        )
      else known[event.side].push(entry)
    }
  }
  return yield* mapInSteps([...all.values()], ({ key, ...lines }) => new Goods(key, lines))
}

/** The keys of goods, with places by GLN where any event gives one for the code. */
class GoodsKeys {
  readonly #glns = new Map<string, string>()
  /** Spellings by text: few texts, in many lines. */
  readonly #items = new Map<string, string>()
  readonly #units = new Map<string, string>()

  constructor(events: readonly DeliveryEvent[]) {
    for (const { vendor, shipTo } of events)
      if (shipTo.gln !== undefined) this.#glns.set(placeText(vendor, shipTo), shipTo.gln)
  }

  of({ vendor, shipTo }: DeliveryEvent, { itemCode, lotCode, unit }: DeliveryLine): GoodsKey {
    const place = placeText(vendor, shipTo)
    return {
      vendor,
      item: known(this.#items, itemCode, sameAs),
      lot: lotCode ?? '',
      unit: known(this.#units, unit, unitKeyOf),
      shipTo: this.#glns.get(place) ?? place,
    }
  }
}

function known(spellings: Map<string, string>, text: string, read: (text: string) => string): string {
  const spelling = spellings.get(text) ?? read(text)
  spellings.set(text, spelling)
  return spelling
}

const placeText = (vendor: string, { code }: DeliveryPlace): string => `${vendor}\u0000${sameAs(code)}`

function* settleDeliveries(all: readonly Goods[], found: FoundDifferences): Steps<void> {
  for (const [i, goods] of all.entries()) {
    if (i % goodsPerStep === 0) yield
    found.settle(goods)
  }
}

/**
 * The remaining lines of one order: several shipments that were received together, or receipts that
 * name the order only.
 */
function* settleOrders(left: readonly Goods[], found: FoundDifferences): Steps<void> {
  let count = 0
  for (const group of groupsOf(left, (goods) => goods.order && `${goods.order}\u0000${textOf(goods.key)}`)) {
    if (count++ % goodsPerStep === 0) yield
    const [order, equal] = group
    if (order !== undefined && equal.length > 1) found.settleTogether(equal)
  }
}

function* pairLikely(
  left: readonly Goods[],
  scopeOf: (goods: Goods) => string | number | undefined,
  { found, isOneDelivery }: { readonly found: FoundDifferences; readonly isOneDelivery: boolean },
): Steps<void> {
  let count = 0
  for (const [scope, group] of groupsOf(
    left.filter(({ isOpen }) => isOpen),
    scopeOf,
  )) {
    if (count++ % goodsPerStep === 0) yield
    if (scope === undefined || group.length < 2) continue
    for (const pair of likelyPairs(group, (pair) => isOneDelivery || found.isInTime(pair))) found.addPair(pair)
  }
}

/** Most receipts of equal goods that one shipment is compared with. */
const comparedMax = 20

/**
 * Goods in equal quantities that nothing but the goods connects, where no document contradicts it.
 */
function* settleUndocumented(left: readonly Goods[], found: FoundDifferences): Steps<void> {
  const alone = left.filter(({ isOpen, isTwoSided, key }) => isOpen && !isTwoSided && key.lot !== '')
  const received = groupsOf(
    alone.filter(({ isShipped }) => !isShipped),
    (goods) => `${textOf(goods.key)}\u0000${-goods.balance.value}`,
  )
  let count = 0
  for (const some of alone.filter(({ isShipped }) => isShipped)) {
    if (count++ % goodsPerStep === 0) yield
    const equal = received.get(`${textOf(some.key)}\u0000${some.balance.value}`)?.slice(0, comparedMax) ?? []
    const other = equal.find((one) => one.isOpen && found.areAlike(some, one))
    if (other === undefined) continue
    some.takeIn(other)
    found.settle(some)
  }
}
