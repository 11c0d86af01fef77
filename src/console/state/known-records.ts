// Stored values that a form can offer: vendors, locations, products, time zones.
import { useMemo } from 'preact/hooks'
import type { MasterLocation } from '../../contract/location.ts'
import type { MasterProduct } from '../../contract/product.ts'
import { timeZoneOf, vendorKey } from '../../rules/rule.ts'
import { type RequestState, useRequest } from './request.ts'
import { useOpenSession } from './session.ts'

export interface KnownRecords {
  readonly locations: readonly MasterLocation[]
  readonly products: readonly MasterProduct[]
  /** Each once, with the name that a product gives it. */
  readonly vendors: readonly { readonly id: string; readonly name: string | undefined }[]
  /** The time zone that is set for a location of a vendor. */
  readonly timeZone: (vendor: string, locationCode: string) => string | undefined
}

const pageLimit = 200
/** Most pages of each list that are offered; other values are typed. */
const pagesMax = 5

interface Page<Entry> {
  readonly body: { readonly content: readonly Entry[]; readonly nextCursor: string | null }
}

async function firstPages<Entry>(
  list: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Entry>>,
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < pagesMax && cursor !== null; page++) {
    const { body }: Page<Entry> = await list({ limit: pageLimit, ...(cursor !== undefined && { cursor }) })
    entries.push(...body.content)
    cursor = body.nextCursor
  }
  return entries
}

/** A form works without these: missing values are typed. */
const entriesOf = <T>(state: RequestState<readonly T[]>): readonly T[] => (state.is === 'answered' ? state.value : [])

export function useKnownRecords(): KnownRecords {
  const { api } = useOpenSession()
  const locations = useRequest((signal) => firstPages((page) => api.listLocations({ ...page, signal })), [])
  const products = useRequest((signal) => firstPages((page) => api.listMasterProducts({ ...page, signal })), [])
  const zones = useRequest((signal) => firstPages((page) => api.listTimeZones({ ...page, signal })), [])
  return useMemo(() => {
    const places = entriesOf(locations).map(({ locationMasterList }) => locationMasterList)
    const items = entriesOf(products).map(({ productMasterDataList }) => productMasterDataList)
    const names = new Map<string, string | undefined>()
    for (const { dataProviderVendorId: id, dataProviderVendorName: name } of items) names.set(id, names.get(id) ?? name)
    for (const { dataProviderVendorId: id } of places) if (!names.has(id)) names.set(id, undefined)
    const byPlace = new Map(
      entriesOf(zones).map(
        ({ locationCode, dataProviderVendorId, timeZone }) =>
          [vendorKey(dataProviderVendorId ?? '', locationCode), timeZone] as const,
      ),
    )
    return {
      locations: places,
      products: items,
      vendors: [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.id.localeCompare(b.id)),
      timeZone: (vendor: string, locationCode: string) => timeZoneOf(byPlace, vendor, locationCode),
    }
  }, [locations.is, products.is, zones.is])
}
