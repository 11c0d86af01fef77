// The stored master data of a document: by which keys they are looked up, and found again.
import type { NewCaptureSender } from '../contract/capture-sender.ts'
import type { Known } from '../contract/source-of-location.ts'
import type { EpcisDocument, EpcisEvent } from './document.ts'
import { addTo } from './goods.ts'
import { codeOfPlace, type PlaceName, readGoods, readPlace } from './identifiers.ts'
import { isOwnEvent } from './own-event.ts'
import { sitesOf, transferEnds } from './transfer-ends.ts'
import { entriesOf, memberOf, textOf } from './words.ts'

/** Stored master data that the identifiers of a document name. */
export interface StoredMasterData {
  readonly locations: readonly {
    readonly gln: string | null
    readonly dataProviderVendorId: string
    readonly locationCode: string
    readonly locationName: string
    readonly content?: Known
  }[]
  readonly products: readonly {
    readonly gtin: string | null
    readonly alternateItemCode?: string | null
    readonly dataProviderVendorId: string
    readonly itemCode: string
  }[]
}

/** The keys by which stored master data are looked up. */
export function keysOf(
  { events }: EpcisDocument,
  defaults: Pick<NewCaptureSender, 'shipFromLocationCode' | 'shipToLocationCode'> = {},
) {
  const glns = new Set<string>()
  const gtins = new Set<string>()
  const placeUris = new Set<string>()
  const itemUris = new Set<string>()
  const locationCodes = new Set<string>()
  for (const event of events) {
    if (isOwnEvent(event)) continue
    for (const place of placesOf(event))
      if (place.gln !== undefined) glns.add(place.gln)
      else {
        placeUris.add(place.uri)
        for (const code of codesOfPlace(place)) locationCodes.add(code)
      }
    for (const list of goodsMembers)
      for (const entry of entriesOf(memberOf(event, list))) {
        const { gtin, sscc, item } = readGoods(textOf(memberOf(entry, 'epcClass') ?? entry) ?? '')
        if (gtin !== undefined) gtins.add(gtin)
        else if (sscc === undefined) itemUris.add(item)
      }
  }
  for (const code of [defaults.shipFromLocationCode, defaults.shipToLocationCode])
    if (code !== undefined) locationCodes.add(code)
  return {
    glns: [...glns],
    gtins: [...gtins],
    locationCodes: [...locationCodes],
    alternateLocationCodes: [...placeUris],
    alternateItemCodes: [...itemUris],
  }
}

/** Members of events that list goods. */
const goodsMembers = [
  ...['epcList', 'childEPCs', 'quantityList', 'childQuantityList'],
  ...['inputEPCList', 'inputQuantityList', 'outputEPCList', 'outputQuantityList'],
]

/** Location codes under which a place without a GLN may be stored: its identifier comes first. */
export const codesOfPlace = (place: PlaceName): readonly string[] => [place.uri, codeOfPlace(place)]

const placesOf = (event: EpcisEvent): readonly PlaceName[] =>
  [...sitesOf(event), ...transferEnds(event)].map(({ uri }) => readPlace(uri))

export interface KnownByKey {
  /** By GLN, and by alternate code. */
  readonly locations: ReadonlyMap<string, StoredMasterData['locations']>
  /** By vendor and location code. */
  readonly places: ReadonlyMap<string, StoredMasterData['locations'][number]>
  /** By GTIN, and by alternate code. */
  readonly products: ReadonlyMap<string, StoredMasterData['products']>
}

export const placeKey = ({
  dataProviderVendorId,
  locationCode,
}: Pick<StoredMasterData['locations'][number], 'dataProviderVendorId' | 'locationCode'>): string =>
  JSON.stringify([dataProviderVendorId, locationCode])

export const byKey = ({ locations, products }: StoredMasterData): KnownByKey => ({
  locations: grouped(locations, ({ gln, content }) => [gln, content?.alternateLocationCode]),
  places: new Map(locations.map((one) => [placeKey(one), one])),
  products: grouped(products, ({ gtin, alternateItemCode }) => [gtin, alternateItemCode]),
})

function grouped<One>(
  all: readonly One[],
  keysOf: (one: One) => readonly (string | null | undefined)[],
): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>()
  for (const one of all) for (const key of keysOf(one)) if (key != null) addTo(groups, key, one)
  return groups
}
