// The GS1 logistic labels of the pallets of an event: what stands on each, and in which barcodes.
// Pure. Source: GS1 Logistic Label Guideline, GS1 General Specifications 5.9.
import { readScan } from '../../contract/lots/gs1-label.ts'
import { readLotCode } from '../../contract/lots/lot-code.ts'
import { gtin14Of } from '../../contract/text/gs1-text.ts'
import { gs1LotPattern, hasRightCheckDigit } from '../../contract/text/identifiers.ts'
import { unitOf } from '../../contract/text/units.ts'
import { type Fields, fieldsOf, joinGiven, listOf, textOf } from './record-summary.ts'

/** A value with its GS1 data title. */
type Titled = readonly [title: string, value: string]

export interface PalletLabel {
  readonly sscc: string
  /** Where the goods come from and go to: lines of names and addresses. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly documents: readonly Titled[]
  /** What is on the pallet, when it is one lot of one item. */
  readonly content: readonly Titled[]
  /** Else item, lot and quantity of each line. */
  readonly lines: readonly (readonly string[])[]
  /** Element strings of the barcodes, from top to bottom: the SSCC is the lowest. */
  readonly barcodes: readonly string[]
}

/** Lines by SSCC. One with a wrong check digit is none: no scanner would read its label. */
function palletsIn(record: Fields): ReadonlyMap<string, readonly Fields[]> {
  const pallets = new Map<string, Fields[]>()
  for (const line of listOf(fieldsOf(record.eventList).productList)) {
    const sscc = readScan(textOf(line.palletId))?.palletId
    if (sscc === undefined) continue
    const lines = pallets.get(sscc)
    if (lines === undefined) pallets.set(sscc, [line])
    else lines.push(line)
  }
  return pallets
}

const dateTitles = [
  ['harvestDate', 'HARVEST DATE'],
  ['packagingDate', 'PACK DATE'],
  ['productionDate', 'PROD DATE'],
  ['bestBeforeDate', 'BEST BEFORE'],
  ['expirationDate', 'EXPIRY'],
] as const

export function palletLabelsOf(record: Fields): readonly PalletLabel[] {
  const event = fieldsOf(record.eventList)
  const places = listOf(record.locationMasterList)
  const products = new Map(listOf(record.productMasterDataList).map((product) => [product.itemCode, product]))
  const placeLines = (code: unknown): readonly string[] => {
    const place = places.find(({ locationCode }) => locationCode === code) ?? {}
    const { streetAddress1, city, state, postalCode } = fieldsOf(place.address)
    const lines = [textOf(place.locationName) || textOf(code), textOf(streetAddress1)]
    return [...lines, joinGiven(' ', city, state, postalCode)].filter(Boolean)
  }
  const shared = {
    from: placeLines(event.shipFromLocationCode),
    to: placeLines(event.shipToLocationCode),
    documents: titled([
      ['ORDER NUMBER', event.purchaseOrderNumber],
      ['BILL OF LADING', event.billOfLadingNumber],
      ['SHIP NOTICE', event.asnNumber],
    ]),
  }
  return [...palletsIn(record)].map(([sscc, lines]) => {
    const read = lines.map((line) => readLine(line, fieldsOf(products.get(line.vendorItemCode))))
    const [first] = read
    const isOne =
      first &&
      read.every(({ gtin, item, lot }) => [gtin, item, lot].join() === [first.gtin, first.item, first.lot].join())
    const count = isOne ? countOf(lines) : undefined
    return {
      ...shared,
      sscc,
      content: isOne
        ? titled([
            ['CONTENT', first.gtin],
            ['COUNT', count],
            ['BATCH/LOT', first.lot],
            ['ITEM', first.item],
            ...dateTitles.map(([field, title]) => [title, lines[0]?.[field]] as const),
          ])
        : [],
      lines: isOne ? [] : read.map(({ item, lot, quantity }) => [item, lot, quantity]),
      barcodes: [
        // The number of a content is mandatory beside it.
        ...(isOne && first.gtin && count ? [`(02)${first.gtin}(37)${count}`] : []),
        // A bracket would begin another element.
        ...(isOne && gs1LotPattern.test(first.lot) && !/[()]/.test(first.lot) ? [`(10)${first.lot}`] : []),
        `(00)${sscc}`,
      ],
    }
  })
}

const titled = (values: readonly (readonly [string, unknown])[]): readonly Titled[] =>
  values.flatMap(([title, value]) => (textOf(value) === '' ? [] : [[title, textOf(value)] as const]))

function readLine(line: Fields, product: Fields) {
  const { gtin: within, lotCode } = readLotCode(textOf(line.caseLotNumber))
  const gtin = [line.caseGtin, product.gtin, within]
    .map((one) => gtin14Of(textOf(one)))
    .find((one) => one !== undefined && hasRightCheckDigit(one))
  return {
    gtin,
    lot: lotCode,
    item: textOf(line.vendorItemDescription) || textOf(product.itemDescription) || textOf(line.vendorItemCode),
    quantity: joinGiven(' ', line.shipQuantity, line.shipQuantityUom),
  }
}

/** The cases of all lines; undefined where the unit counts none, or there is a part of a case. */
function countOf(lines: readonly Fields[]): number | undefined {
  let sum = 0
  for (const { shipQuantity, shipQuantityUom } of lines) {
    const unit = unitOf(textOf(shipQuantityUom))
    if (unit === undefined || !('counts' in unit) || unit.counts !== 'cases') return undefined
    sum += Number(shipQuantity)
  }
  // AI 37 has up to eight digits.
  return Number.isInteger(sum) && sum > 0 && sum < 1e8 ? sum : undefined
}
