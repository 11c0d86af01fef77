// The compared fields of an event that are in no column of its search row: written when the event
// is stored, and read by comparisons, which would take two to three times as long with whole
// bodies.

import { gtinsOf } from '../contract/line-item.ts'
import { readLotCode } from '../contract/lots/lot-code.ts'
import type { EventPayload } from '../contract/payloads.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isStatedCode } from '../contract/shape/placeholder.ts'
import { gtin14Of } from '../contract/text/gs1-text.ts'
import type { DeliveryLine } from './delivery-event.ts'

type Text = string | null

/** Without names, since each line would repeat them. */
type ComparedFields = [
  vendorName: Text,
  billOfLadingNumber: Text,
  shipFromGln: Text,
  shipToGln: Text,
  lines: [
    vendorItemCode: string,
    caseGtin: Text,
    /** Of the product in the event's own list. */
    gtin: Text,
    caseLotNumber: Text,
    shipQuantity: number,
    shipQuantityUom: string,
    palletId: Text,
  ][],
]

/**
 * The fields as JSON text, as they were sent: a later program may derive other values from them.
 */
export function writeComparedFields(payload: EventPayload): string {
  const { eventList: event, locationMasterList, productMasterDataList } = payload
  const glnAt = (code: string) => locationMasterList.find(({ locationCode }) => locationCode === code)?.gln ?? null
  const gtins = new Map(productMasterDataList.map(({ itemCode, gtin }) => [itemCode, gtin]))
  const fields: ComparedFields = [
    event.dataProviderVendorName ?? null,
    event.billOfLadingNumber ?? null,
    glnAt(event.shipFromLocationCode),
    glnAt(event.shipToLocationCode),
    event.productList.map((line) => [
      line.vendorItemCode,
      line.caseGtin ?? null,
      gtins.get(line.vendorItemCode) ?? null,
      line.caseLotNumber ?? null,
      line.shipQuantity,
      line.shipQuantityUom,
      line.palletId ?? null,
    ]),
  ]
  return JSON.stringify(fields)
}

/** The values compared of these fields. */
export function readComparedFields(text: string) {
  const [vendorName, billOfLadingNumber, shipFromGln, shipToGln, lines] = JSON.parse(text) as ComparedFields
  return {
    vendorName: isGiven(vendorName) ? vendorName : undefined,
    billOfLadingNumber: billOfLadingNumber ?? undefined,
    shipFromGln: statedIn(shipFromGln),
    shipToGln: statedIn(shipToGln),
    lines: lines.map(([itemCode, caseGtin, gtin, caseLotNumber, quantity, unit, palletId], index): DeliveryLine => {
      const ownGtin = statedIn(caseGtin)?.trim()
      const writtenLot = statedIn(caseLotNumber)
      return {
        index,
        itemCode,
        caseGtin: ownGtin && (gtin14Of(ownGtin) ?? ownGtin),
        gtins: gtinsOf(
          { caseGtin: caseGtin ?? undefined, caseLotNumber: caseLotNumber ?? undefined },
          { gtin: gtin ?? undefined },
        ),
        lotCode: writtenLot && readLotCode(writtenLot).lotCode,
        quantity,
        unit,
        palletId: statedIn(palletId)?.trim(),
      }
    }),
  }
}

/** The code, unless it stands for none. */
const statedIn = (code: Text): string | undefined => (code !== null && isStatedCode(code) ? code : undefined)
