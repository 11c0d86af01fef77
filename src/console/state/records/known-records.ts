// Stored values that a form can offer: vendors, locations, products, time zones.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import type { MasterLocation } from '../../../contract/location.ts'
import type { MasterProduct } from '../../../contract/product.ts'
import { stringLengthMax } from '../../../contract/shape/field.ts'
import { timeZoneOf, vendorKey } from '../../../rules/rule.ts'
import { type RequestState, useRequest } from '../frame/request.ts'
import { useOpenSession } from '../frame/session.ts'

export interface KnownRecords {
  readonly locations: readonly MasterLocation[]
  /** The service has not said yet which locations there are. */
  readonly isAsking: boolean
  readonly products: readonly MasterProduct[]
  /** Each once, with the name that a product gives it. */
  readonly vendors: readonly { readonly id: string; readonly name: string | undefined }[]
  /** The time zone that is set for a location of a vendor. */
  readonly timeZone: (vendor: string, locationCode: string) => string | undefined
  /** Called with the typed text: searches the service, and offers the results as well. */
  readonly seek: (text: string) => void
}

const pageLimit = 200
/** So many pages of each list are offered immediately; later ones are found by typing. */
const pagesMax = 5

/**
 * How long typing must pause before the service is asked, in milliseconds, and the shortest text.
 */
const restMs = 200
const soughtFrom = 2

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

interface Found {
  readonly places: readonly MasterLocation[]
  readonly items: readonly MasterProduct[]
  readonly vendors: readonly string[]
}

/** Locations, products and vendors whose code or name begins so. */
async function findRecords(api: Client, text: string): Promise<Found> {
  const { content } = (await api.search({ text, limit: 20 })).body
  const valuesOf = (kind: string) => [...new Set(content.filter((hit) => hit.kind === kind).map(({ value }) => value))]
  const [locationCode, itemCode] = [valuesOf('location'), valuesOf('masterProduct')]
  const [places, items] = await Promise.all([
    locationCode.length === 0
      ? []
      : api.listLocations({ locationCode, limit: pageLimit }).then(({ body }) => body.content),
    itemCode.length === 0
      ? []
      : api.listMasterProducts({ itemCode, limit: pageLimit }).then(({ body }) => body.content),
  ])
  return {
    places: places.map(({ locationMasterList }) => locationMasterList),
    items: items.map(({ productMasterDataList }) => productMasterDataList),
    vendors: valuesOf('dataProviderVendorId'),
  }
}

/** The results for the typed texts, and the search for another one. */
function useFound(api: Client): readonly [Found, (text: string) => void] {
  const [found, setFound] = useState<Found>({ places: [], items: [], vendors: [] })
  const sought = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const seek = (typed: string) => {
    const text = typed.trim()
    clearTimeout(timer.current)
    if (text.length < soughtFrom || text.length > stringLengthMax || sought.current.has(text)) return
    timer.current = setTimeout(() => {
      sought.current.add(text)
      findRecords(api, text).then(
        (more) =>
          setFound((before) => ({
            places: [...before.places, ...more.places],
            items: [...before.items, ...more.items],
            vendors: [...before.vendors, ...more.vendors],
          })),
        // A form works without it. The next time it is typed it is sought again.
        () => sought.current.delete(text),
      )
    }, restMs)
  }
  return [found, seek]
}

/** Those that differ in vendor and code, each as it comes first. */
const eachOnce = <T extends { readonly dataProviderVendorId: string }>(
  entries: readonly T[],
  codeOf: (entry: T) => string,
): readonly T[] =>
  [
    ...new Map(
      [...entries].reverse().map((entry) => [vendorKey(entry.dataProviderVendorId, codeOf(entry)), entry]),
    ).values(),
  ].reverse()

export function useKnownRecords(): KnownRecords {
  const { api } = useOpenSession()
  const [found, seek] = useFound(api)
  const locations = useRequest((signal) => firstPages((page) => api.listLocations({ ...page, signal })), [])
  const products = useRequest((signal) => firstPages((page) => api.listMasterProducts({ ...page, signal })), [])
  const zones = useRequest((signal) => firstPages((page) => api.listTimeZones({ ...page, signal })), [])
  return useMemo(() => {
    const places = eachOnce(
      [...entriesOf(locations).map(({ locationMasterList }) => locationMasterList), ...found.places],
      ({ locationCode }) => locationCode,
    )
    const items = eachOnce(
      [...entriesOf(products).map(({ productMasterDataList }) => productMasterDataList), ...found.items],
      ({ itemCode }) => itemCode,
    )
    const names = new Map<string, string | undefined>()
    for (const { dataProviderVendorId: id, dataProviderVendorName: name } of items) names.set(id, names.get(id) ?? name)
    for (const id of [...places.map(({ dataProviderVendorId }) => dataProviderVendorId), ...found.vendors])
      if (!names.has(id)) names.set(id, undefined)
    const byPlace = new Map(
      entriesOf(zones).map(
        ({ locationCode, dataProviderVendorId, timeZone }) =>
          [vendorKey(dataProviderVendorId ?? '', locationCode), timeZone] as const,
      ),
    )
    return {
      locations: places,
      isAsking: locations.is === 'asking',
      products: items,
      vendors: [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.id.localeCompare(b.id)),
      timeZone: (vendor: string, locationCode: string) => timeZoneOf(byPlace, vendor, locationCode),
      seek,
    }
  }, [locations.is, products.is, zones.is, found])
}
