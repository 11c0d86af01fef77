// Sheets as guides, exchanges and programs of the trade head them, with values of our own. Each is
// read with the columns that are proposed for it and at most two choices of a person.
import { describe, expect, test } from 'vitest'
import type { EventKindName } from '../../src/contract/record-kinds.ts'
import { checkDigitOf } from '../../src/contract/text/identifiers.ts'
import type { IntakeOptions } from '../../src/intake/intake.ts'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { csvOf, intakeOf, proposedIn, recordsIn, toldIn } from '../support/files/import-files.ts'

const withCheckDigit = (digits: string) => digits + checkDigitOf(`${digits}0`)
const harbor = withCheckDigit('061414100001')
const river = withCheckDigit('061414199999')
const gtins = [withCheckDigit('1061414100041'), withCheckDigit('1061414100042')]
const sscc = withCheckDigit('10614141123456789')

/** A heading, the column it means (`null`: none), and its value in each row, or the one of all. */
type Headings = Readonly<Record<string, readonly [column: string | null, ...values: string[]]>>

interface TradeSheet {
  readonly name: string
  readonly kind: EventKindName
  readonly headings: Headings
  /** What a person chooses: at most two of them. */
  readonly choices: Partial<Pick<IntakeOptions, 'timeZone' | 'kind'>> & {
    readonly defaults?: Readonly<Record<string, string>>
  }
  /** Titles above the headings. */
  readonly above?: readonly (readonly string[])[]
}

const chicago = { timeZone: 'America/Chicago' } as const

const sheets: readonly TradeSheet[] = [
  {
    name: 'a goods receipt list of SAP (MB51)',
    kind: 'receivingEvent',
    above: [['Material Document List'], [], ['Plant 1000', '', 'Period 03/2026']],
    headings: {
      Material: ['vendorItemCode', '100012', '100013'],
      'Material Description': ['vendorItemDescription', 'ROMAINE 24 CT', 'ICEBERG 24 CT'],
      Plant: ['shipToLocationCode', '1000'],
      'Storage Location': [null, '0001'],
      'Movement Type': [null, '101'],
      'Material Document': [null, '5000000117'],
      Item: [null, '1', '2'],
      'Posting Date': ['eventDateTime', '03/04/2026'],
      'Qty in unit of entry': ['shipQuantity', '40', '12'],
      'Unit of Entry': ['shipQuantityUom', 'CS'],
      Batch: [null, '0000004711', '0000004712'],
      'Vendor Batch': ['caseLotNumber', 'HG-1', 'HG-2'],
      'Purchase order': ['purchaseOrderNumber', '4500012345'],
      Supplier: ['dataProviderVendorId', '100077'],
      'Ship-from GLN': ['shipFrom.gln', harbor],
      'Ship-from name': ['shipFrom.locationName', 'Harbor Greenhouse'],
      'Plant GLN': ['shipTo.gln', river],
      'Plant name': ['shipTo.locationName', 'River Warehouse'],
      'User Name': [null, 'MMILLER'],
    },
    choices: { ...chicago, defaults: { tlcSourceReferenceGln: harbor } },
  },
  {
    name: 'item receipts of NetSuite',
    kind: 'receivingEvent',
    headings: {
      Date: ['eventDateTime', '3/4/2026'],
      'Document Number': [null, 'IR10023'],
      Vendor: ['dataProviderVendorName', 'Harbor Farms'],
      'PO #': ['purchaseOrderNumber', 'PO10077'],
      Item: ['vendorItemCode', 'ROM-24', 'ICE-24'],
      Description: ['vendorItemDescription', 'Romaine hearts 24 ct', 'Iceberg 24 ct'],
      'Quantity Received': ['shipQuantity', '40', '12'],
      Units: ['shipQuantityUom', 'Case'],
      'Serial/Lot Number': ['caseLotNumber', 'HG-1', 'HG-2'],
      'Expiration Date': ['expirationDate', '3/20/2026'],
      Location: ['shipTo.locationName', 'River Warehouse'],
      'Location GLN': ['shipTo.gln', river],
      'Ship From': ['shipFrom.locationName', 'Harbor Greenhouse'],
      'Ship From GLN': ['shipFrom.gln', harbor],
      Memo: [null, 'ok'],
    },
    choices: { ...chicago, defaults: { tlcSourceReferenceGln: harbor } },
  },
  {
    name: 'the upload of shipments to Wholechain',
    kind: 'shippingEvent',
    headings: {
      Id: [null, 'EVT123'],
      Type: [null, 'ship'],
      BizStep: [null, 'urn:epcglobal:cbv:bizstep:shipping'],
      Disposition: [null, 'urn:epcglobal:cbv:disp:in_progress'],
      EventTime: ['eventDateTime', '2026-03-04T12:00:00Z'],
      EventTimeZone: [null, '-05:00'],
      PurchaseOrder: ['purchaseOrderNumber', 'PO001'],
      InvoiceNumber: [null, 'INV001'],
      ReadPoint: [null, 'Loading Dock'],
      'ProductInstance-LotSerial': ['caseLotNumber', 'LOT001', 'LOT002'],
      'ProductInstance-Quantity': ['shipQuantity', '100'],
      'ProductInstance-ProductId': ['vendorItemCode', 'PROD123'],
      'ShipFromLocation-Id': ['shipFromLocationCode', 'SUPPLIER001'],
      'ShipFromLocation-Name': ['shipFrom.locationName', 'Harbor Greenhouse'],
      'ShipFromLocation-GLN': ['shipFrom.gln', harbor],
      'ShipToLocation-Id': ['shipToLocationCode', 'WAREHOUSE001'],
      'ShipToLocation-Name': ['shipTo.locationName', 'River Warehouse'],
      'ShipToLocation-GLN': ['shipTo.gln', river],
      'TlcSource-Identifier': ['tlcSourceReferenceGln', harbor],
      'TlcSource-Reference': [null, 'GLN'],
      'TlcSource-Type': [null, 'Identifier'],
      ReferenceDocumentId: ['referenceDocumentNumber', '55310'],
      ReferenceDocumentType: ['referenceDocumentType', 'Bill of Lading'],
    },
    choices: { defaults: { dataProviderVendorId: 'OWN', shipQuantityUom: 'case' } },
  },
  {
    name: 'a traceability export of an exchange',
    kind: 'receivingEvent',
    headings: {
      'Event Type': [null, 'Receiving'],
      'Event Date': ['eventDateTime', '2026-03-04'],
      'Event Time': [null, '09:30:00'],
      'Traceability Lot Code': ['caseLotNumber', 'HG-1', 'HG-2'],
      'Product Description': ['vendorItemDescription', 'Romaine hearts 24 ct'],
      Quantity: ['shipQuantity', '40'],
      'Unit of Measure': ['shipQuantityUom', 'cases'],
      'Origin GLN': ['shipFrom.gln', harbor],
      'Origin Name': ['shipFrom.locationName', 'Harbor Greenhouse'],
      'Origin Address': ['shipFrom.address.streetAddress1', '5 Quay Street, Watsonville, CA 95076'],
      'Destination GLN': ['shipTo.gln', river],
      'Destination Name': ['shipTo.locationName', 'River Warehouse'],
      'Destination Address': ['shipTo.address.streetAddress1', '17 Levee Road, Memphis, TN 38103'],
      'TLC Source GLN': ['tlcSourceReferenceGln', harbor],
      'TLC Source FDA Registration': ['tlcSourceReferenceFfrn', '14532865782'],
      'Reference Document Type': ['referenceDocumentType', 'BOL'],
      'Reference Document Number': ['referenceDocumentNumber', '55310'],
      'Harvest Date': ['harvestDate', '2026-03-01'],
      'Cooling Date': [null, '2026-03-01'],
      'Pack Date': ['packagingDate', '2026-03-02'],
      'Ship Date': [null, '2026-03-03'],
      'Transformation Date': [null, ''],
      Temperature: [null, '34'],
      Carrier: [null, 'Coast Trucking'],
    },
    choices: { ...chicago, defaults: { dataProviderVendorId: 'V-1001' } },
  },
  {
    name: 'receiving of a processor, with citations in its headings',
    kind: 'receivingEvent',
    headings: {
      'Traceability Lot Code (TLC)': ['caseLotNumber', 'HG-1'],
      'Commodity Description': ['vendorItemDescription', 'Romaine, whole head'],
      'Quantity Received': ['shipQuantity', '40', '44'],
      'Unit of Measure': ['shipQuantityUom', 'cartons'],
      'Date/Time Received (UTC)': ['eventDateTime', '2026-03-04T15:30:00Z', '2026-03-05T15:30:00Z'],
      'Receiving Facility GLN': ['shipTo.gln', river],
      'Receiving Facility Name': ['shipTo.locationName', 'River Warehouse'],
      'Shipping Facility GLN': ['shipFrom.gln', harbor],
      'Shipping Facility Name': ['shipFrom.locationName', 'Harbor Greenhouse'],
      'TLC Source GLN (§ 1.1315)': ['tlcSourceReferenceGln', harbor],
      'TLC Source Facility Name': ['tlcSourceName', 'Harbor Greenhouse'],
      'TLC Source Ref Doc Type': [null, 'BOL'],
      'TLC Source Ref Doc Number': [null, '55310'],
      'Physical Storage Bay Location': [null, 'Bay 4'],
      'Bill of Lading (BOL) #': ['billOfLadingNumber', '55310', '55311'],
    },
    choices: { defaults: { dataProviderVendorId: 'V-1001', purchaseOrderNumber: 'PO-1' } },
  },
  {
    name: 'a ship notice sheet of a retailer, by the fields of its 856 guide',
    kind: 'shippingEvent',
    headings: {
      'Purchase Order Number': ['purchaseOrderNumber', '7700123'],
      'Shipment Date': ['eventDateTime', '03/04/2026'],
      'Ship-From GLN': ['shipFrom.gln', harbor],
      'Ship-From Name': ['shipFrom.locationName', 'Harbor Greenhouse'],
      'Ship-From Address': ['shipFrom.address.streetAddress1', '5 Quay Street'],
      'Ship-From City': ['shipFrom.address.city', 'Watsonville'],
      'Ship-From State': ['shipFrom.address.state', 'CA'],
      'Ship-From Zip Code': ['shipFrom.address.postalCode', '95076'],
      'Ship-From Phone Number': ['shipFrom.phoneNumber', '(831) 555-0142'],
      'Ship-To GLN': ['shipTo.gln', river],
      'Ship-To Name': ['shipTo.locationName', 'River Warehouse'],
      'Pallet ID (SSCC)': ['palletId', sscc],
      'Product Description': ['vendorItemDescription', 'Romaine hearts 24 ct', 'Iceberg 24 ct'],
      'Case GTIN': ['caseGtin', gtins[0] ?? '', gtins[1] ?? ''],
      'Case Lot': ['caseLotNumber', 'HG-1', 'HG-2'],
      'Expiration Date': ['expirationDate', '03/20/2026'],
      'Pack Date': ['packagingDate', '03/03/2026'],
      'Ship Quantity': ['shipQuantity', '40'],
      'Ship UOM': ['shipQuantityUom', 'CA'],
      'Traceability Lot Code Source GLN': ['tlcSourceReferenceGln', harbor],
      SCAC: ['standardCarrierAlphaCode', 'CSTT'],
      'Carrier Name': [null, 'Coast Trucking'],
    },
    choices: { ...chicago, defaults: { dataProviderVendorId: 'OWN' } },
  },
  {
    name: 'shipments of a grower and packer, in short forms',
    kind: 'shippingEvent',
    headings: {
      'Ship Dt': ['eventDateTime', '3/4/26'],
      'BOL #': ['billOfLadingNumber', '55310'],
      'Cust PO #': ['purchaseOrderNumber', 'PO-88120'],
      Grower: [null, 'Lopez'],
      'Ranch/Block': [null, 'North 4'],
      Commodity: ['product.productCommodity', 'Romaine'],
      Variety: ['product.productVariety', 'Parris Island'],
      Pack: ['product.packSize', '24 ct'],
      'Pkg Style': ['product.packStyle', 'carton'],
      Desc: ['vendorItemDescription', 'Romaine hearts'],
      'Item #': ['vendorItemCode', 'ROM-24'],
      'GTIN-14': ['caseGtin', gtins[0] ?? ''],
      'Lot #': ['caseLotNumber', 'L-1', 'L-2'],
      'Harv. Date': ['harvestDate', '3/1/26'],
      'Qty Shpd': ['shipQuantity', '40', '41'],
      'U/M': ['shipQuantityUom', 'CTN'],
      'Ship-From': ['shipFrom.locationName', 'Salinas Cooler'],
      'Ship-From GLN': ['shipFrom.gln', harbor],
      'Ship-To': ['shipTo.locationName', 'River Warehouse'],
      'Ship-To GLN': ['shipTo.gln', river],
      'Carrier Temp': [null, '34'],
      'TLC Source': ['tlcSourceReferenceGln', harbor],
    },
    choices: { ...chicago, defaults: { dataProviderVendorId: 'OWN' } },
  },
  {
    name: 'receipts of a distributor, with signs and short forms',
    kind: 'receivingEvent',
    headings: {
      'Vendor #': ['dataProviderVendorId', 'V-1001'],
      Vendor: ['dataProviderVendorName', 'Harbor Farms'],
      'PO #': ['purchaseOrderNumber', '400656'],
      'PO Line': ['poLineNumber', '1', '2'],
      "Rec'd Date": ['eventDateTime', '3/4/2026 9:30 AM'],
      'Receiver #': [null, '88017'],
      DC: ['shipToLocationCode', 'DC-07'],
      'DC Name': ['shipTo.locationName', 'River Warehouse'],
      'DC GLN': ['shipTo.gln', river],
      'Ship From Name': ['shipFrom.locationName', 'Harbor Greenhouse'],
      'Ship From Street': ['shipFrom.address.streetAddress1', '5 Quay Street'],
      'Ship From City': ['shipFrom.address.city', 'Watsonville'],
      'Ship From State': ['shipFrom.address.state', 'CA'],
      'Ship From ZIP': ['shipFrom.address.postalCode', '95076'],
      'Ship From Phone': ['shipFrom.phoneNumber', '831-555-0142'],
      'Item #': ['vendorItemCode', '5500123', '5500124'],
      Item: ['vendorItemDescription', 'Romaine hearts 24 ct', 'Iceberg 24 ct'],
      Brand: ['product.brandName', 'Harbor'],
      'Pack Size': ['product.packSize', '24 ct'],
      'Qty Ordered': [null, '50'],
      "Qty Rec'd": ['shipQuantity', '40', '12'],
      UOM: ['shipQuantityUom', 'CS'],
      'Lot #': ['caseLotNumber', 'HG-1', 'HG-2'],
      'TLC Source GLN': ['tlcSourceReferenceGln', harbor],
      'TLC Source Phone': ['tlcSourcePhoneNumber', '831-555-0142'],
      'Unit Cost': [null, '21.50'],
    },
    choices: chicago,
  },
  {
    name: 'seafood landed and received, by the names of GDST',
    kind: 'receivingEvent',
    headings: {
      'Event Date': ['eventDateTime', '2026-03-04T09:30:00-05:00'],
      'Event ID': ['eventId', 'EV-1', 'EV-1'],
      'Batch/Lot Number': ['caseLotNumber', 'YFT-1', 'YFT-2'],
      GTIN: ['caseGtin', gtins[0] ?? ''],
      'Product Name': ['vendorItemDescription', 'Yellowfin tuna loins'],
      'Scientific Name': ['product.scientificName', 'Thunnus albacares'],
      'Species Common Name': ['product.acceptableSpeciesName', 'Yellowfin tuna'],
      'Country of Origin': ['countryOfOrigin', 'ECU'],
      Quantity: ['shipQuantity', '400.5'],
      'Unit of Measure': ['shipQuantityUom', 'KGM'],
      'Vessel Name': [null, 'Estrella'],
      'Ship From GLN': ['shipFrom.gln', harbor],
      'Ship From Location Name': ['shipFrom.locationName', 'Puerto Cold Store'],
      'Ship To GLN': ['shipTo.gln', river],
      'Ship To Location Name': ['shipTo.locationName', 'River Warehouse'],
      'Supplier ID': ['dataProviderVendorId', 'V-77'],
      'Purchase Order ID': ['purchaseOrderNumber', 'PO-9'],
    },
    choices: { defaults: { tlcSourceReferenceGln: harbor } },
  },
  {
    name: 'a database export in capitals, without separators',
    kind: 'shippingEvent',
    headings: {
      SHIPDATE: ['eventDateTime', '2026-03-04 16:10'],
      PONUMBER: ['purchaseOrderNumber', '88120'],
      ASNNUMBER: ['asnNumber', '771203'],
      SHIPFROMNAME: ['shipFrom.locationName', 'Harbor Greenhouse'],
      SHIPFROMGLN: ['shipFrom.gln', harbor],
      SHIPTONAME: ['shipTo.locationName', 'River Warehouse'],
      SHIPTOGLN: ['shipTo.gln', river],
      VENDORITEM: ['vendorItemCode', 'ROM-24'],
      ITEMDESC: ['vendorItemDescription', 'Romaine hearts'],
      LOTCODE: ['caseLotNumber', 'L-1', 'L-2'],
      QTYSHIPPED: ['shipQuantity', '40'],
      QTYORDERED: [null, '44'],
      UOM: ['shipQuantityUom', 'CASE'],
      VENDORID: ['dataProviderVendorId', 'V-1'],
    },
    choices: { ...chicago, defaults: { tlcSourceReferenceGln: harbor } },
  },
]

const contentOf = ({ headings, above = [] }: TradeSheet) => {
  const columns = Object.values(headings).map(([, ...values]) => values)
  const rows = Array.from({ length: 2 }, (_, at) => columns.map((values) => values[at] ?? values[0] ?? ''))
  return csvOf([...above, Object.keys(headings), ...rows])
}

describe.each(sheets.map((sheet) => [sheet.name, sheet] as const))('%s', (_, sheet) => {
  test('gets the right column for each heading, and no wrong one', async () => {
    const { kind } = sheet.choices
    const proposed = proposedIn(await intakeOf(contentOf(sheet), 'e.csv', { kind }))
    const expected = Object.fromEntries(Object.entries(sheet.headings).map(([heading, [column]]) => [heading, column]))
    expect(proposed).toEqual(expected)
  })

  test('is read whole as it is proposed, after at most two choices', async () => {
    const { defaults = {}, ...choices } = sheet.choices
    expect(Object.keys(defaults).length + Object.keys(choices).length).toBeLessThanOrEqual(2)
    const content = contentOf(sheet)
    const first = await intakeOf(content, 'e.csv', { ...choices, defaults })
    const fault = first.find((one) => one.is === 'fault')
    expect(fault?.columns?.kind).toBe(sheet.kind)
    const mapping = { kind: fault?.columns?.kind, columns: proposedIn(first) }
    const all = await intakeOf(content, 'e.csv', { ...choices, defaults, mapping })
    const records = recordsIn(all)
    expect(new Set(records.map((record) => record.kind.name)), toldIn(all)).toEqual(new Set([sheet.kind]))
    const errors = records
      .flatMap((record) => judgeRecord(record, { lotNumberRequiredFrom: '2026-01-01' }).findings)
      .filter(({ severity }) => severity === 'error')
    expect(errors).toEqual([])
    expect(records.reduce((sum, { lines }) => sum + lines, 0)).toBe(2)
  })
})
