// What a reference document is read as, and that nothing of it is lost on the way to FDA's columns
// and back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  billOfLading,
  documentCells,
  documentsOf,
  fieldsOfDocuments,
  findKind,
  plainKinds,
  purchaseOrder,
  type ReferenceDocument,
  readDocumentCells,
  readNamedDocument,
  readReferenceDocument,
  referenceKinds,
  shippingNotice,
  writeReferenceDocument,
} from '../../src/contract/reference-document.ts'
import { runs } from '../support/runs.ts'

describe('a purchase order number is read as', () => {
  test.each([
    ['88120', purchaseOrder, '88120'],
    ['PO-1', purchaseOrder, 'PO-1'],
    ['PO 88120', purchaseOrder, 'PO 88120'],
    ['Purchase Order (PO) Invoice 12', purchaseOrder, 'Invoice 12'],
    ['Packing List 48661', 'Packing List', '48661'],
    ['packing list 48661', 'Packing List', 'packing list 48661'],
    ['Receipt 991', 'Receipt', '991'],
    ['Receipt of Goods 24-1103-48', 'Receipt of Goods', '24-1103-48'],
    ['Receipt # 991', 'Receipt', '# 991'],
    ['Receipt-991', 'Receipt', 'Receipt-991'],
    ['Invoice No. 12', 'Invoice', 'No. 12'],
    ['Inter-Location Transfer 5', 'Inter-Location Transfer', '5'],
    ['Work Order WO-719-2043', 'Work Order', 'WO-719-2043'],
    ['BOL 042520 XYZ', billOfLading, 'BOL 042520 XYZ'],
    ['Bill of Lading (BOL) 7', billOfLading, '7'],
    ['ASN 10212025', shippingNotice, 'ASN 10212025'],
    ['Truck Log: 5', 'Truck Log', '5'],
    ['Vendor PO: 5', purchaseOrder, 'Vendor PO: 5'],
    ['Receiptage 5', purchaseOrder, 'Receiptage 5'],
    ['Polo 5', purchaseOrder, 'Polo 5'],
    ['4500: 12', purchaseOrder, '4500: 12'],
    ['Truck Log: ', purchaseOrder, 'Truck Log: '],
    ['', purchaseOrder, ''],
  ])('%j: %s, number %j', (text, kind, number) => {
    expect(readReferenceDocument(text)).toEqual({ kind, number })
  })
})

test.each([
  ['Bill of Lading (BOL)', billOfLading],
  ['BOL #', billOfLading],
  ['B/L', billOfLading],
  ['advance ship notice', shippingNotice],
  ['Customer purchase order no.', purchaseOrder],
  ['RECEIPT', 'Receipt'],
  ['Packing list number', 'Packing List'],
  ['Truck  log', 'Truck log'],
  ['Form 7', undefined],
  [' ', undefined],
])('a heading or a cell that says %j names the kind %s', (label, kind) => {
  expect(findKind(label)).toBe(kind)
})

test.each([
  ['ASN-12005', shippingNotice],
  ['PO88120', purchaseOrder],
  ['BOL# 7', billOfLading],
  ['Invoice 750A', 'Invoice'],
  ['POTATO-7', undefined],
  ['88120', undefined],
])('a cell that says %j holds a document of kind %s, and the number is kept whole', (text, kind) => {
  expect(readNamedDocument(text)).toEqual(kind && { kind, number: text })
})

describe('an event', () => {
  test('has every document once, whichever field names it', () => {
    expect(documentsOf({ purchaseOrderNumber: 'PO-1', billOfLadingNumber: 'B7', asnNumber: 'Invoice 12' })).toEqual([
      { kind: billOfLading, number: 'B7' },
      { kind: 'Invoice', number: '12' },
      { kind: purchaseOrder, number: 'PO-1' },
    ])
    expect(documentsOf({ purchaseOrderNumber: 'Bill of Lading (BOL) B7', billOfLadingNumber: 'B7' })).toEqual([
      { kind: billOfLading, number: 'B7' },
    ])
    expect(documentsOf({ purchaseOrderNumber: ' ' })).toEqual([])
  })

  test('that has no purchase order is given its first document with its kind in front', () => {
    expect(fieldsOfDocuments([{ kind: billOfLading, number: 'B7' }])).toEqual({
      fields: { billOfLadingNumber: 'B7', purchaseOrderNumber: 'Bill of Lading (BOL) B7' },
      left: [],
    })
    expect(fieldsOfDocuments([{ kind: 'Packing List', number: '48661' }])).toEqual({
      fields: { purchaseOrderNumber: 'Packing List 48661' },
      left: [],
    })
    expect(fieldsOfDocuments([])).toEqual({ fields: {}, left: [] })
  })

  test('has room for three documents of any kinds, and more are named', () => {
    const four = ['1', '2', '3', '4'].map((number) => ({ kind: 'Invoice', number }))
    expect(fieldsOfDocuments(four)).toEqual({
      fields: { purchaseOrderNumber: 'Invoice 1', billOfLadingNumber: 'Invoice 2', asnNumber: 'Invoice 3' },
      left: [{ kind: 'Invoice', number: '4' }],
    })
  })
})

const pieces = fc.constantFrom(
  ...referenceKinds.flatMap(({ name, also = [], abbreviation = 'x' }) => [name, ...also, abbreviation]),
  ...[' ', ': ', ':', '; ', ';', '-', '#', 'No. ', '12', 'Truck Log', 'é', '  '],
)
const text = fc.oneof(
  fc.array(pieces, { minLength: 1, maxLength: 6 }).map((some) => some.join('')),
  fc.string({ minLength: 1, unit: 'binary' }),
)
const number = text.filter((some) => some.trim() !== '')
const kind = fc.constantFrom(...referenceKinds.map(({ name }) => name), 'Truck Log', "Captain's Log", 'Ümschlag')
const document: fc.Arbitrary<ReferenceDocument> = fc.record({ kind, number })
const plainKind = fc.constantFrom(...Object.values(plainKinds))

test('whatever text is read, writing it returns the same text', () => {
  fc.assert(
    fc.property(text, plainKind, (some, plain) => {
      const read = readReferenceDocument(some, plain)
      expect(writeReferenceDocument(read, plain)).toBe(some)
      expect(findKind(read.kind)).toBe(read.kind)
    }),
    { numRuns: runs(5_000) },
  )
})

test('whatever document is written, reading it returns its kind', () => {
  fc.assert(
    fc.property(document, plainKind, (some, plain) => {
      const written = writeReferenceDocument(some, plain)
      expect(readReferenceDocument(written, plain).kind).toBe(some.kind)
      expect(written.endsWith(some.number)).toBe(true)
    }),
    { numRuns: runs(5_000) },
  )
})

test("an event's documents stand in at most two pairs of cells, and are read back in their order", () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 3 }), (some) => {
      const cells = documentCells(some)
      expect(cells.length).toBeLessThanOrEqual(2)
      expect(cells.flatMap(readDocumentCells)).toEqual(some)
    }),
    { numRuns: runs(5_000) },
  )
})

test('bill of lading, ship notice and purchase order come back into the fields they came from', () => {
  const fields = fc.record({ billOfLadingNumber: number, asnNumber: number, purchaseOrderNumber: number })
  const isPlain = (event: Record<keyof typeof plainKinds, string>) =>
    Object.entries(plainKinds).every(
      ([field, own]) => readReferenceDocument(event[field as keyof typeof plainKinds], own).kind === own,
    )
  fc.assert(
    fc.property(fields.filter(isPlain), (event) => {
      expect(fieldsOfDocuments(documentCells(documentsOf(event)).flatMap(readDocumentCells))).toEqual({
        fields: event,
        left: [],
      })
    }),
    { numRuns: runs(2_000) },
  )
})
