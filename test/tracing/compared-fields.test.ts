// What is compared of an event, written beside it and read again.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gtinsOf } from '../../src/contract/line-item.ts'
import { readLotCode } from '../../src/contract/lots/lot-code.ts'
import type { ReceivingEventPayload } from '../../src/contract/payloads.ts'
import { isGiven } from '../../src/contract/shape/field.ts'
import { isStatedCode } from '../../src/contract/shape/placeholder.ts'
import { readComparedFields, writeComparedFields } from '../../src/tracing/compared-fields.ts'
import { receivingEventPayloads } from '../samples/arbitrary-payloads.ts'
import { eventPayload, type Payload } from '../support/records/payloads.ts'
import { runs } from '../support/runs.ts'

const read = (payload: Payload) => readComparedFields(writeComparedFields(payload))

test('the fields that are read are those of the payload', () => {
  fc.assert(
    fc.property(receivingEventPayloads, (sent) => {
      // As it is stored: JSON has no negative zero.
      const payload = JSON.parse(JSON.stringify(sent)) as ReceivingEventPayload
      const { eventList: event, locationMasterList, productMasterDataList } = payload
      const stated = (code: string | undefined) => (isStatedCode(code) ? code : undefined)
      const glnOf = (code: string) => stated(locationMasterList.find((place) => place.locationCode === code)?.gln)
      const fields = read(payload)
      expect(fields).toMatchObject({
        vendorName: isGiven(event.dataProviderVendorName) ? event.dataProviderVendorName : undefined,
        billOfLadingNumber: event.billOfLadingNumber,
        shipFromGln: glnOf(event.shipFromLocationCode),
        shipToGln: glnOf(event.shipToLocationCode),
      })
      expect(fields.lines).toHaveLength(event.productList.length)
      for (const [index, line] of event.productList.entries())
        expect(fields.lines[index]).toMatchObject({
          index,
          itemCode: line.vendorItemCode,
          gtins: gtinsOf(
            line,
            productMasterDataList.findLast(({ itemCode }) => itemCode === line.vendorItemCode),
          ),
          lotCode: isStatedCode(line.caseLotNumber) ? readLotCode(line.caseLotNumber).lotCode : undefined,
          quantity: line.shipQuantity,
          unit: line.shipQuantityUom,
          palletId: stated(line.palletId)?.trim(),
        })
    }),
    { numRuns: runs(700, 200) },
  )
})

test('a GTIN is read as 14 digits, and one that is none, a placeholder or a blank as what it is', () => {
  const caseGtinOf = (caseGtin: unknown) =>
    read(
      eventPayload(({ eventList }) => {
        eventList.productList[0].caseGtin = caseGtin
      }),
    ).lines[0]?.caseGtin
  expect(['614141000418', ' 10614141000415 ', '0614141', 'n/a', ' ', undefined].map(caseGtinOf)).toEqual([
    '00614141000418',
    '10614141000415',
    '0614141',
    undefined,
    undefined,
    undefined,
  ])
})
