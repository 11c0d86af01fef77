// The records of the benchmark: about 2 KB and 5 product lines each, told apart by a number, and
// every version by a mark. Faulty records have as many lines, and 21 warnings and gaps.
//
// One template serves the load and the loader, so that a loaded record can be replaced like a created
// one. Keys stand in sorted order and there are no spaces: the text of a
// record is its canonical form, and its hash the content hash.

/**
 * What differs between records (number, shared lot, ship-to location, event date time) and between
 * versions of one (mark, in a number of the carrier).
 */
export type Hole = 'number' | 'sharedLot' | 'mark' | 'shipTo' | 'eventDateTime'

/**
 * `usual` has 5 product lines and no gap, `long` has 200. `faulty` is of a careless sender: four rules
 * find the same on each of its 5 lines.
 */
export type EventForm = 'usual' | 'faulty' | 'long'

/** Text and holes, in turn. */
export type Template = readonly (string | { readonly hole: Hole })[]

/** Digits of each number: always as many, so that every body of a template is equally long. */
export const numberDigits = 9
export const markDigits = 10

/** Ship-to locations an event may go to. */
export const shipToCount = 20

export const vendor = 'V-1001'
export const shipFrom = 'GV-COOLER-1'

/**
 * Date time of event 0; the next ones follow in steps. Two million steps are just short of two
 * years.
 */
export const firstEventAt = '2024-01-01T00:00:00Z'
export const eventStepSeconds = 30

const hole = (name: Hole): string => `<<${name}>>`

/** Fields a location sets up in master data, under its code. */
const usualLocations = {
  shipFrom: {
    address: { city: 'Salinas', country: 'USA', postalCode: '93901', state: 'CA', streetAddress1: '1200 Harvest Road' },
    gln: '0614141000012',
    locationCode: shipFrom,
    locationName: 'Green Valley Cooler',
    locationType: 'Supplier',
    phoneNumber: '+1.831.555.0100',
  },
  shipTo: {
    address: {
      city: 'Columbus',
      country: 'USA',
      postalCode: '43217',
      state: 'OH',
      streetAddress1: '88 Freight Avenue',
    },
    locationCode: `DC-${hole('shipTo')}`,
    locationName: `Distribution Center ${hole('shipTo')}`,
    locationType: 'Customer',
    phoneNumber: '+1.614.555.0170',
  },
}

const product = (itemCode: string, itemDescription: string, gtin: string, ftlCategory: string) => ({
  ftlCategory,
  gtin,
  isFtlItem: true,
  itemCode,
  itemDescription,
  packSize: '30 ct',
  packStyle: 'carton',
  productCommodity: itemDescription.split(' ')[0],
})

const usualProducts = [
  product('CIL-30', 'Cilantro bunched 30 ct', '10614141000521', 'herbs'),
  product('ROM-24', 'Romaine hearts 24 ct', '10614141000415', 'leafy greens'),
]

const lineOf = (index: number) => ({
  caseGtin: usualProducts[index % 2]?.gtin,
  caseLotNumber: lotCodeOf(index),
  shipQuantity: 24 + (index % 50),
  shipQuantityUom: 'case',
  tlcSourceReferenceGln: usualLocations.shipFrom.gln,
  vendorItemCode: usualProducts[index % 2]?.itemCode,
})

/**
 * The check digit of the GTIN is wrong, and neither the item nor the place of the lot's source is
 * known.
 */
const faultyLineOf = (index: number) => ({
  ...lineOf(index),
  caseGtin: '10614141000528',
  tlcSourceReferenceGln: '0614141000050',
  vendorItemCode: `NEW-${index % 2}`,
})

const lotCodeOf = (index: number): string =>
  index === sharedLotLine ? sharedLotOf(hole('sharedLot')) : lotOf(hole('number'), index)

/** Lot code of line `index` of the event with this number, as digits. */
export const lotOf = (number: string, index: number): string => `L${number}-${index}`

/**
 * The line whose lot code other events carry too: one of `lotEvents` in every `lotEventsApart`th,
 * all hours apart.
 */
const sharedLotLine = 4
export const lotEvents = 20
export const lotEventsApart = 400

/** Number of the shared lot of an event. */
export const sharedLotNumber = (number: number): number =>
  Math.floor(number / (lotEvents * lotEventsApart)) * lotEventsApart + (number % lotEventsApart)

/** Lot code of a shared lot, from its number as digits. */
export const sharedLotOf = (number: string): string => `S${number}`

const templateWith = (productList: readonly object[], productMasterDataList: typeof usualProducts): Template =>
  templateOf({
    eventList: {
      asnNumber: `ASN-${hole('number')}`,
      // No event is searched by it. A bill of lading also tells shipping events apart.
      carrierTrackingNumber: `TRK-${hole('mark')}`,
      dataProviderVendorId: vendor,
      dataProviderVendorName: 'Green Valley Farms',
      eventDateTime: hole('eventDateTime'),
      productList,
      purchaseOrderNumber: `PO-${hole('number')}`,
      shipFromLocationCode: shipFrom,
      shipToLocationCode: usualLocations.shipTo.locationCode,
      standardCarrierAlphaCode: 'GVTL',
    },
    locationMasterList: [usualLocations.shipFrom, usualLocations.shipTo],
    productMasterDataList,
    transmissionDateTime: '2026-03-04T18:05:00Z',
  })

const lines = (count: number, lineAt: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => lineAt(index))

export const eventTemplates: Readonly<Record<EventForm, Template>> = {
  usual: templateWith(lines(5, lineOf), usualProducts),
  faulty: templateWith(lines(5, faultyLineOf), []),
  long: templateWith(lines(200, lineOf), usualProducts),
}

/** One event of a form, as text. */
export function exampleOf(form: EventForm): string {
  const { before, after } = aroundMark(eventTemplates[form], 1)
  return before + digits(0, markDigits) + after
}

/** What an event's location entries look like in master data. */
export const locationTemplates = {
  shipFrom: templateOf(usualLocations.shipFrom),
  shipTo: templateOf(usualLocations.shipTo),
} as const

function templateOf(value: object): Template {
  return JSON.stringify(value)
    .split(/<<(\w+)>>/)
    .map((text, i) => (i % 2 === 0 ? text : { hole: text as Hole }))
}

/** The template with these values in its holes. */
export const filled = (template: Template, values: Readonly<Partial<Record<Hole, string>>>): string =>
  template.map((part) => (typeof part === 'string' ? part : (values[part.hole] ?? ''))).join('')

/**
 * The text of event `number` with everything filled in but the mark: what comes before it and after
 * it.
 */
export function aroundMark(template: Template, number: number): { readonly before: string; readonly after: string } {
  const at = template.findIndex((part) => typeof part !== 'string' && part.hole === 'mark')
  const values: Readonly<Record<Hole, string>> = {
    number: digits(number, numberDigits),
    sharedLot: digits(sharedLotNumber(number), numberDigits),
    shipTo: shipToOf(number),
    eventDateTime: eventDateTimeOf(number),
    mark: '',
  }
  return { before: filled(template.slice(0, at), values), after: filled(template.slice(at + 1), values) }
}

/** Two digits of the ship-to location of event `number`. */
export const shipToOf = (number: number): string => digits(number % shipToCount, 2)

/** When event `number` was received. */
export const eventDateTimeOf = (number: number): string =>
  new Date(Date.parse(firstEventAt) + number * eventStepSeconds * 1000).toISOString().replace('.000Z', 'Z')

/** A whole number with leading zeros. */
export const digits = (number: number, count: number): string => String(number).padStart(count, '0')
