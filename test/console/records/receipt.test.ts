import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ShippingEventRecord } from '../../../src/client/generated/shapes.ts'
import {
  addLot,
  beginAgain,
  beginReceipt,
  changeLines,
  changeReceipt,
  faultsOf,
  findingsByLine,
  findShippingEvents,
  idempotencyKeyOf,
  palletsOf,
  payloadOf,
  type Receipt,
  scanInto,
} from '../../../src/console/records/receipt.ts'
import type { Finding } from '../../../src/contract/shape/finding.ts'
import { shippingPayload } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'

const gs = '\u001d'
const now = { at: 1, dateTime: '2026-03-04T09:30:15-05:00' }
const shipmentOf = (edit?: Parameters<typeof shippingPayload>[0]): ShippingEventRecord => ({
  ...shippingPayload(edit),
  id: 'S',
})
const shipment = shipmentOf(({ eventList: { productList } }) => {
  productList[2].palletId = productList[1].palletId
})
const fresh = beginReceipt(shipment, 1, 0)
const ticked = ({ lines }: Receipt) => lines.flatMap(({ hasArrived }, i) => (hasArrived ? [i + 1] : []))

describe('a scan', () => {
  // Two pallets: romaine of lot GV26062-A, of lot GV26063-B, and cilantro beside it.
  const [pallet, other] = shipment.eventList.productList.map(({ palletId }) => palletId)

  test.each([
    [`00${pallet}`, [1]],
    [`]C100${pallet}`, [1]],
    [`${pallet}`, [1]],
    [`(00)${pallet}`, [1]],
    [`00${other}`, [2, 3]],
    [']C1011061414100041510GV26062-A', [1]],
    ['011061414100041510GV26063-B', [2]],
    [`]C1${gs}011061414100041510GV26063-B${gs}3740`, [2]],
    ['011061414100041510GV26063-B^3740', [2]],
    ['(01)10614141000415(10)gv26063 b', [2]],
    ['https://id.gs1.org/01/10614141000415/10/GV26062-A', [1]],
    ['GV26062-A', [1]],
    ['  gv26062a ', [1]],
    ['CIL-30', [3]],
    ['(01)10614141000521', [3]],
  ])('of %s ticks its lines', (text, lines) => {
    const { receipt, isFound, words } = scanInto(fresh, text, now)
    expect([ticked(receipt), isFound]).toEqual([lines, true])
    expect(receipt.dateTime).toBe(now.dateTime)
    expect(words).toContain('is ticked')
    const again = scanInto(receipt, text, { ...now, at: 2 })
    expect(again.receipt).toBe(receipt)
    expect(again.words).toContain('already')
  })

  test.each([
    ['00106141410000000033', 'Pallet 106141410000000033 is not on this shipment'],
    ['01106141410004151', 'is no pallet, lot or item'],
    ['(01)10614141000996(10)A', 'No line of this shipment has the GTIN'],
    ['(01)10614141000415', '2 lines have this item'],
    ['ROM-24', 'is no pallet'],
    ['<img src=x onerror=alert(1)>', '“<img src=x onerror=alert(1)>” is no pallet'],
    [gs, 'is no pallet'],
    ['9'.repeat(200), `“${'9'.repeat(60)}” is no pallet`],
  ])('of %s changes nothing and says why', (text, words) => {
    const scanned = scanInto(fresh, text, now)
    expect(scanned.receipt).toBe(fresh)
    expect([scanned.isFound, scanned.words]).toEqual([false, expect.stringContaining(words)])
  })

  test('of a lot that was not announced offers its item, and ticks nothing', () => {
    const { receipt, otherLot, isFound } = scanInto(fresh, '(01)10614141000521(10)NEW-1', now)
    expect([ticked(receipt), otherLot, isFound]).toEqual([[], { line: 2, lotCode: 'NEW-1' }, false])
    const added = addLot(receipt, 2, 'NEW-1', now)
    expect(added.lines[3]).toMatchObject({ of: 2, lotCode: 'NEW-1', quantity: '', hasArrived: true })
    expect(faultsOf(added)).toMatchObject([{ line: 3 }])
  })

  test('of a case ticks the next line of its lot, since it names no pallet', () => {
    const twice = beginReceipt(
      shipmentOf(({ eventList }) => {
        eventList.productList[1].caseLotNumber = '(01)10614141000415(10)GV26062-A'
      }),
      1,
      0,
    )
    const first = scanInto(twice, 'GV26062-A', now).receipt
    expect(ticked(first)).toEqual([1])
    expect(ticked(scanInto(first, 'GV26062-A', now).receipt)).toEqual([1, 2])
  })

  test('never fails, and never makes a line or a lot that is not there', () => {
    const parts = fc.constantFrom('00', '01', '10', '(01)', '(10)', gs, ']C1', '^', '10614141000415', 'GV26062-A', '%')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(text, (scanned) => {
        const { receipt } = scanInto(fresh, scanned, now)
        expect(receipt.lines.map(({ hasArrived: _, ...line }) => line)).toEqual(
          fresh.lines.map(({ hasArrived: _, ...line }) => line),
        )
        findShippingEvents([shipment], scanned)
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('a receipt', () => {
  test('sends what is ticked, as it was corrected, and nothing of the shipper’s times and ids', () => {
    let receipt = changeLines(fresh, [0, 2], { hasArrived: true }, now)
    receipt = changeLines(receipt, [0], { quantity: '54.5', lotCode: ' GV26062-B ' }, now)
    const { payload, lineAt } = payloadOf(receipt)
    const { productList, ...event } = payload.eventList as Record<string, unknown>
    expect(lineAt).toEqual([0, 2])
    expect(productList).toEqual([
      { ...shipment.eventList.productList[0], shipQuantity: 54.5, caseLotNumber: 'GV26062-B', productId: undefined },
      { ...shipment.eventList.productList[2], productId: undefined },
    ])
    expect(event).toMatchObject({
      eventDateTime: now.dateTime,
      purchaseOrderNumber: 'PO-88120',
      asnNumber: 'ASN-771203',
    })
    expect(payload).not.toHaveProperty('payloadId')
    expect(faultsOf(receipt)).toEqual([])
  })

  test('says what is missing before it is sent', () => {
    expect(faultsOf(fresh).map(({ about }) => about)).toEqual(['lines', 'dateTime'])
    for (const quantity of ['', '0', '-1', 'ten', '1e99', 'NaN'])
      expect(faultsOf(changeLines(fresh, [1], { hasArrived: true, quantity }, now)), quantity).toMatchObject([
        { line: 1 },
      ])
    const noOrder = beginReceipt(
      shipmentOf(({ eventList }) => {
        for (const field of ['purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber']) delete eventList[field]
      }),
      1,
      0,
    )
    expect(faultsOf(changeLines(noOrder, [0], { hasArrived: true }, now))).toMatchObject([{ about: 'purchaseOrder' }])
    expect(faultsOf(changeReceipt(noOrder, { purchaseOrder: 'PO-1' }, now))).toHaveLength(2)
  })

  test('has one key on every device, and another one only when another receipt is asked for', () => {
    expect(idempotencyKeyOf(beginReceipt(shipment, 1, 5))).toBe(idempotencyKeyOf(fresh))
    const stored: Receipt = { ...changeLines(fresh, [0], { hasArrived: true }, now), state: 'stored' }
    const again = beginAgain(stored, 9)
    expect(idempotencyKeyOf(again)).not.toBe(idempotencyKeyOf(fresh))
    expect([ticked(again), again.dateTime, again.state]).toEqual([[], '', 'open'])
    expect(ticked(beginAgain({ ...stored, state: 'refused' }, 9))).toEqual([1])
  })

  test('shows each finding at the line it is about, also when lines were left out', () => {
    const finding = (pointer: string) => ({ pointer }) as Finding
    const found = findingsByLine(
      ['/eventList/productList/1/shipQuantity', '/eventList/productList/1', '/eventList/eventDateTime'].map(finding),
      [0, 2],
    )
    expect(found.map(({ line }) => line)).toEqual([2, 2, undefined])
  })

  test('has its lines by pallet', () => {
    expect(palletsOf(fresh).map(({ lines }) => lines)).toEqual([[0], [1, 2]])
  })
})

test('a shipment is found by its documents however they are written, its pallets and its lots', () => {
  const others = ['ASN-1', 'ASN-2'].map((asnNumber) =>
    shipmentOf(({ eventList }) => {
      Object.assign(eventList, { asnNumber, purchaseOrderNumber: `PO-${asnNumber}`, billOfLadingNumber: undefined })
      eventList.productList = [{ ...eventList.productList[0], palletId: undefined, caseLotNumber: asnNumber }]
    }),
  )
  const all = [shipment, ...others]
  for (const text of [
    'ASN-771203',
    'asn 771203',
    '771203',
    'po 88120',
    'BOL55310',
    'GV26063-B',
    '00106141410000000019',
  ])
    expect(findShippingEvents(all, text), text).toEqual([shipment])
  expect(findShippingEvents(all, '(01)10614141000415(10)ASN-2')).toEqual([others[1]])
  expect(findShippingEvents(all, '(01)10614141000415')).toEqual(all)
  for (const text of ['', '-', '00106141410000000033', 'ASN-7']) expect(findShippingEvents(all, text), text).toEqual([])
})
