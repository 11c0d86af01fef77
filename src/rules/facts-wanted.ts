// Which facts the rules of this one payload need from the store. Most payloads that say everything themselves need none.
import { given } from '../contract/field.ts'
import type { MasterLocation } from '../contract/location.ts'
import type { Loose } from '../contract/read-shape.ts'
import { isAddressOnly, isDescribed, isIdentified } from './location.ts'
import { type Context, vendorKey } from './rule.ts'

/** A code of a vendor, to be looked up in master data. */
interface VendorCode {
  readonly vendor: string
  readonly code: string
}

export interface FactsWanted {
  readonly payloadId: string | undefined
  /** Locations whose own entry does not identify or describe them. */
  readonly locations: readonly VendorCode[]
  /** Items that are in no list of the payload; for a master product payload, its own item codes. */
  readonly items: readonly VendorCode[]
}

/**
 * Most locations, and most items, one payload is looked up for: 1,000 vendors times 1,000 bare locations would be a million.
 * What goes beyond is judged as not set up.
 */
const factsWantedMax = 20_000

export function factsWanted(context: Omit<Context, 'at' | 'facts' | 'settings'>): FactsWanted {
  const { events, products, locationByCode, itemCodes, payloadId } = context
  const locations = new Map<string, VendorCode>()
  const items = new Map<string, VendorCode>()
  const want = (wanted: Map<string, VendorCode>, vendor: string | undefined, code: string | undefined) => {
    if (given(vendor) && given(code) && wanted.size < factsWantedMax)
      wanted.set(vendorKey(vendor, code), { vendor, code })
  }

  const unidentified = context.locations.filter(({ value }) => !isIdentified(value) || isAddressOnly(value))
  for (const { value: event } of events) {
    const vendor = event.dataProviderVendorId
    for (const { value } of unidentified) want(locations, vendor, value.locationCode)
    for (const code of [event.shipFromLocationCode, event.shipToLocationCode])
      if (given(code) && isIncomplete(locationByCode.get(code)?.value)) want(locations, vendor, code)
    for (const line of event.productList ?? [])
      if (given(line?.vendorItemCode) && !itemCodes.has(line.vendorItemCode)) want(items, vendor, line.vendorItemCode)
  }
  if (events.length === 0) for (const { value } of products) want(items, value.dataProviderVendorId, value.itemCode)

  return {
    payloadId: given(payloadId) ? payloadId : undefined,
    locations: [...locations.values()],
    items: [...items.values()],
  }
}

const isIncomplete = (entry: Loose<MasterLocation> | undefined): boolean => entry !== undefined && !isDescribed(entry)
