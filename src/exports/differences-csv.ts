// Differences between shipped and received goods as rows, one for each.

import { csvRow } from 'lotkeeper-sheets/safe-csv'
import type { DeliveryDifference, DifferenceSide } from '../tracing/delivery-difference.ts'

type Column = readonly [heading: string, cell: (difference: DeliveryDifference) => string | number | undefined]

const sideColumns = (name: 'shipped' | 'received'): readonly Column[] => {
  const cell =
    (read: (side: DifferenceSide) => string | number | undefined): Column[1] =>
    (difference) => {
      const side = difference[name]
      return side === null ? undefined : read(side)
    }
  return [
    [`${name}Date`, cell(({ date }) => date)],
    [`${name}Quantity`, cell(({ shipQuantity }) => shipQuantity)],
    [`${name}QuantityUom`, cell(({ shipQuantityUom }) => shipQuantityUom)],
    [`${name}VendorItemCode`, cell(({ vendorItemCode }) => vendorItemCode)],
    [`${name}LotCode`, cell(({ caseLotNumber }) => caseLotNumber)],
    [`${name}ShipFromLocationCode`, cell(({ shipFromLocationCode }) => shipFromLocationCode)],
    [`${name}ShipToLocationCode`, cell(({ shipToLocationCode }) => shipToLocationCode)],
    [`${name}Records`, cell(({ records }) => records.map(({ id }) => id).join('; '))],
    [`${name}Pointers`, cell(({ records }) => records.map(({ pointer }) => pointer).join('; '))],
  ]
}

const columns: readonly Column[] = [
  ['kind', ({ kind }) => kind],
  ['date', ({ date }) => date],
  ['dataProviderVendorId', ({ dataProviderVendorId }) => dataProviderVendorId],
  ['dataProviderVendorName', ({ dataProviderVendorName }) => dataProviderVendorName],
  ['purchaseOrderNumber', ({ purchaseOrderNumber }) => purchaseOrderNumber],
  ['billOfLadingNumber', ({ billOfLadingNumber }) => billOfLadingNumber],
  ['asnNumber', ({ asnNumber }) => asnNumber],
  ['lines', ({ lines }) => lines],
  ['message', ({ message }) => message],
  ['remedy', ({ remedy }) => remedy],
  ...sideColumns('shipped'),
  ...sideColumns('received'),
]

/** The header row, and then a row at a time. */
export function* differenceRows(differences: readonly DeliveryDifference[]): Generator<string> {
  yield csvRow(columns.map(([heading]) => heading))
  for (const difference of differences) yield csvRow(columns.map(([, cell]) => String(cell(difference) ?? '')))
}
