// The quantities that each place received and sent, per source: lots of different sources do not
// offset each other.

import type { Movement } from './links.ts'
import type { LotEvent } from './lot-event.ts'
import { Quantities } from './quantities.ts'
import { ItemCodes, type UnitConversions, type UnitTable } from './unit-conversions.ts'

/** One direction: received, or sent on. */
interface Side {
  readonly quantities: Quantities
  /** In order, each once. */
  readonly events: LotEvent[]
  readonly gtins: Set<string>
  readonly items: ItemCodes
}

export interface Balance {
  readonly place: number
  readonly source: number
  readonly received: Side
  readonly sentOn: Side
}

/** How the units of the goods of balances convert. */
export const tableOfBalances = (balances: readonly Balance[], conversions: UnitConversions): UnitTable =>
  conversions.tableOf(balances.flatMap(({ received, sentOn }) => [...received.items.list(), ...sentOn.items.list()]))

const emptySide = (): Side => ({ quantities: new Quantities(), events: [], gtins: new Set(), items: new ItemCodes() })

/** Expects movements in the order of their events. */
export function balancesOf(movements: readonly Movement[]): readonly Balance[] {
  const balances = new Map<string, Balance>()
  const balanceOf = (place: number, source: number): Balance => {
    const key = `${place} ${source}`
    const balance = balances.get(key) ?? { place, source, received: emptySide(), sentOn: emptySide() }
    balances.set(key, balance)
    return balance
  }
  for (const movement of movements) {
    note(balanceOf(movement.from, movement.source).sentOn, movement)
    note(balanceOf(movement.to, movement.source).received, movement)
  }
  return [...balances.values()]
}

function note({ quantities, events, gtins, items }: Side, { event, line, gtin }: Movement): void {
  quantities.add(line.line.shipQuantity, line.line.shipQuantityUom)
  if (events.at(-1) !== event) events.push(event)
  if (gtin !== undefined) gtins.add(gtin)
  items.add(event.event.dataProviderVendorId, line.line.vendorItemCode)
}
