// An initial packing event: a raw agricultural commodity is packed for the first time, and gets its
// traceability lot codes. Source: 21 CFR 1.1330, (b) of sprouts, (c) of food from a person who is
// exempt; decision 0090.
import { eventShapes } from '../payloads.ts'
import { boolean, date, object, optional, text } from '../shape/field.ts'
import { documentPairs, eventFields, lineList, locationCode, madeLines } from './event-fields.ts'
import { exampleOfHarvest, HarvestLine } from './harvest-lines.ts'

const section = '2.5'
const farmExample = 'GV-COOLER-1'
const made = { vendorItemCode: 'ROM-24', shipQuantity: 1_680, shipQuantityUom: 'case', caseLotNumber: 'GV26063-A' }
const received = {
  ...exampleOfHarvest,
  receivedDate: '2026-03-02',
  harvestLocationCode: farmExample,
  growingAreaName: 'Field 7',
  harvesterName: 'Valley Harvest Crew',
  harvesterPhoneNumber: '+1.831.555.0177',
  harvestDate: '2026-03-02',
}

const dated = (meaning: string, example: string, synonyms: readonly string[] = []) =>
  optional(date({ meaning, example, section, synonyms }))
const stated = (meaning: string, example: string, synonyms: readonly string[] = []) =>
  optional(text({ meaning, example, section, synonyms }))
const placed = (meaning: string, synonyms: readonly string[], example = farmExample) =>
  optional(locationCode(meaning, example, synonyms))

const ReceivedLine = object('ReceivedLine', {
  ...HarvestLine.properties,
  receivedDate: dated('Date when the food was received.', '2026-03-02', ['received', 'receiveDate', 'dateReceived']),
  harvestLocationCode: placed('Farm where the food was harvested', ['farm', 'farmCode', 'harvestLocation']),
  harvesterName: stated('Business name of the harvester.', 'Valley Harvest Crew', ['harvester', 'harvestCrew']),
  harvesterPhoneNumber: stated('Phone number of the harvester.', '+1.831.555.0177', ['harvesterPhone']),
  harvestDate: dated('Date of the harvest.', '2026-03-02', ['harvest', 'harvested', 'harvestedDate']),
  coolingLocationCode: placed('Location where the food was cooled, if it was', ['cooler', 'coolingLocation']),
  coolingDate: dated('Date of the cooling, if it was cooled.', '2026-03-02', ['cooled', 'dateCooled']),
  exemptSourceLocationCode: placed(
    'Of food from a person to whom the rule does not apply, such as an exempt farm: location of that person. The fields of the harvest are not needed then',
    ['exemptFarm', 'exemptSource', 'receivedFrom'],
  ),
})

const seed = {
  seedType: 'Mung bean (Vigna radiata)',
  seedGrowingSpecifications: 'GAP, organic',
  seedPackaging: '50 lb poly bag',
  seedConditionerLocationCode: farmExample,
  seedConditionerLotCode: 'SC-118',
  seedConditioningDate: '2025-11-04',
  seedPackerLocationCode: farmExample,
  seedPackingDate: '2025-11-06',
  seedSupplierLocationCode: farmExample,
  seedSupplierLotCode: 'ML-2044',
  seedReceivedDate: '2026-01-12',
}

const SeedLine = object('SeedLine', {
  seedType: stated('Type or taxonomic name of the seeds.', seed.seedType, ['seed', 'taxonomicName']),
  seedSupplierLotCode: stated('Seed lot code assigned by the supplier: the master lot.', seed.seedSupplierLotCode, [
    'masterSeedLot',
    'masterLot',
  ]),
  seedReceivedDate: dated('Date when the sprouter received the seeds.', seed.seedReceivedDate, ['seedsReceived']),
  seedGrowingSpecifications: stated('Growing specifications of the seeds.', seed.seedGrowingSpecifications),
  seedPackaging: stated('Type of packaging of the seeds.', seed.seedPackaging),
  seedTreatment: stated('Antimicrobial treatment of the seeds, if there was one.', '20,000 ppm calcium hypochlorite', [
    'antimicrobialTreatment',
  ]),
  seedGrowerLocationCode: placed('Location of the grower of the seeds, if it is known', ['seedGrower']),
  seedHarvestDate: dated('Date when the seeds were harvested, if it is known.', '2025-09-15', ['seedHarvest']),
  seedConditionerLocationCode: placed('Location of the seed conditioner or processor', ['seedConditioner']),
  seedConditionerLotCode: stated('Seed lot code of the conditioning or processing.', seed.seedConditionerLotCode),
  seedConditioningDate: dated('Date of the conditioning or processing.', seed.seedConditioningDate),
  seedPackerLocationCode: placed('Location of the seed packinghouse', ['seedPackinghouse', 'seedPacker']),
  seedPackerLotCode: stated('Seed lot code assigned by the packinghouse, if there is one.', 'SP-77'),
  seedPackingDate: dated('Date when the seeds were packed.', seed.seedPackingDate),
  seedRepackerLocationCode: placed('Location of the seed repacker, if they were repacked', ['seedRepacker']),
  seedRepackerLotCode: stated('Seed lot code assigned by the repacker, if there is one.', 'SR-12'),
  seedRepackingDate: dated('Date when the seeds were repacked, if they were.', '2025-12-01'),
  seedSupplierLocationCode: placed('Location of the seed supplier', ['seedSupplier']),
  seedSupplierSubLotCode: stated('Sub-lot code assigned by the supplier, if there is one.', 'ML-2044-3', ['subLot']),
  sprouterSeedLotCode: stated('New seed lot code assigned by the sprouter, if there is one.', 'S-0112', ['newSeedLot']),
  ...documentPairs('Receipt of Goods', '26-0112-48'),
})

const says = {
  meaning: 'The initial packing event.',
  example: {
    dataProviderVendorId: 'V-1001',
    eventDateTime: '2026-03-04T10:20:00-08:00',
    packingLocationCode: 'DC-07',
    referenceDocumentType: 'Packing Log',
    referenceDocumentNumber: 'PK-0304',
    receivedList: [received],
    productList: [made],
  },
  section: '2.4',
  synonyms: ['event', 'events', 'packing', 'initialPacking', 'initialPackingEvent', 'initialPackingEvents'],
}

const fields = {
  ...eventFields({
    meaning: 'When the food was packed.',
    example: '2026-03-04T10:20:00-08:00',
    synonyms: ['packedAt', 'packingDate', 'packDate', 'datePacked'],
  }),
  packingLocationCode: locationCode(
    'Location where the food was initially packed, which is the source of the lot codes',
    'DC-07',
    ['packingLocation', 'packinghouse', 'packer', 'packingShed', 'location'],
  ),
  isHarvestedWithoutRoots: optional(
    boolean({
      meaning: 'True of sprouts that grew in soil or substrate and were harvested without their roots.',
      example: false,
      section: '2.4',
    }),
  ),
  ...documentPairs('Packing Log', 'PK-0304'),
  receivedList: optional(
    lineList(ReceivedLine, {
      meaning: 'Food that was received and packed; it had no lot code yet.',
      example: [received],
      synonyms: ['received', 'inputs', 'harvests', 'incoming'],
    }),
  ),
  seedList: optional(
    lineList(SeedLine, { meaning: 'Seeds that the sprouts grew from.', example: [seed], synonyms: ['seeds'] }),
  ),
  productList: madeLines('Lots that were packed.', made),
}

const section1330 = '21 CFR 1.1330'
/** A paragraph of (a) and the one of (c) that wants the same. */
const either = (a: number, c: number) => `${section1330}(a)(${a}), 1.1330(c)(${c})`

interface Wanted {
  readonly food?: 'produce' | 'seafood'
  readonly where?: readonly string[]
  readonly unless?: string
}
/** A field of the lines of a list, in words and by its paragraph. */
const valueIn =
  (list: string, of: Wanted = {}) =>
  (field: string, name: string, paragraph: string, more: Wanted = {}) =>
    ({ is: 'value', list, fields: [field], name, cites: paragraph, ...of, ...more }) as const
/** A location that they name. Without words it need not be there. */
const placeIn =
  (list: string, of: Wanted = {}) =>
  (field: string, name: string | undefined, paragraph: string, more: Wanted = {}) =>
    ({ is: 'location', list, field, ...(name !== undefined && { name }), cites: paragraph, ...of, ...more }) as const

const exemptSource = 'exemptSourceLocationCode'
const [valueOfFood, placeOfFood] = [valueIn('receivedList'), placeIn('receivedList')]
/** Of food that comes from no exempt person. */
const [valueOfHarvest, placeOfHarvest] = [
  valueIn('receivedList', { unless: exemptSource }),
  placeIn('receivedList', { unless: exemptSource }),
]
const [valueOfSeeds, placeOfSeeds] = [valueIn('seedList'), placeIn('seedList')]
const para = (paragraph: string) => `${section1330}${paragraph}`

export const initialPackingEvent = {
  name: 'initialPackingEvent',
  noun: 'initial packing event',
  nouns: 'initial packing events',
  path: '/data-provider/events/initial-packing',
  subject: 'eventList',
  ...eventShapes('InitialPackingEvent', fields, says),
  section: '2.4',
  cites: { create: '21 CFR 1.1330; decision 0090', replace: '21 CFR 1.1330; decision 0090' },
  key: 'the vendor, location, event date time and reference documents of the event',
  sample: 'initial-packing-event.json',
  place: 'packingLocationCode',
  lists: {
    receivedList: {
      lots: 'none',
      dates: [
        ['harvestDate', 'coolingDate'],
        ['harvestDate', 'receivedDate'],
      ],
      references: [
        {
          kind: 'harvestingEvent',
          place: 'harvestLocationCode',
          date: 'harvestDate',
          areas: ['growingAreaName', 'containerName'],
        },
        { kind: 'coolingEvent', place: 'coolingLocationCode', date: 'coolingDate', areas: [] },
      ],
    },
    seedList: {
      lots: 'none',
      hasItems: false,
      dates: [['seedHarvestDate', 'seedConditioningDate', 'seedPackingDate', 'seedRepackingDate', 'seedReceivedDate']],
    },
    productList: { lots: 'made' },
  },
  identity: ['dataProviderVendorId', 'referenceDocumentNumber', 'referenceDocumentNumber2'],
  alike: 'vendor, location, event date time and reference documents',
  happened: 'packed',
  sheetNames: ['initial packing', 'packing', 'packed'],
  namedBy: ['referenceDocumentNumber'],
  epcis: { type: 'TransformationEvent', bizStep: 'packing', disposition: 'in_progress' },
  elements: [
    { is: 'value', fields: ['receivedList'], name: 'the food that was received', cites: either(1, 1) },
    { is: 'commodity', list: 'receivedList', cites: either(1, 1) },
    valueOfFood('receivedDate', 'the date received', either(2, 2)),
    { is: 'quantity', list: 'receivedList', cites: either(3, 3) },
    placeOfHarvest('harvestLocationCode', 'the farm where the food was harvested', para('(a)(4)')),
    valueOfHarvest('growingAreaName', 'the name of the field or other growing area', para('(a)(5)'), {
      food: 'produce',
    }),
    valueOfHarvest('containerName', 'the name of the container', para('(a)(6)'), { food: 'seafood' }),
    valueOfHarvest('harvesterName', 'the business name of the harvester', para('(a)(7)')),
    valueOfHarvest('harvesterPhoneNumber', 'the phone number of the harvester', para('(a)(7)')),
    valueOfHarvest('harvestDate', 'the date of the harvest', para('(a)(8)')),
    placeOfFood('coolingLocationCode', 'the location where the food was cooled', para('(a)(9)'), {
      where: ['coolingDate'],
    }),
    valueOfFood('coolingDate', 'the date of the cooling', para('(a)(10)'), { where: ['coolingLocationCode'] }),
    placeOfFood(exemptSource, undefined, para('(c)(4)')),
    { is: 'lotCode', list: 'productList', cites: either(11, 5) },
    { is: 'product', list: 'productList', cites: either(12, 6) },
    { is: 'quantity', list: 'productList', cites: either(13, 7) },
    { is: 'location', field: 'packingLocationCode', cites: either(14, 8) },
    { is: 'date', cites: either(15, 9) },
    { is: 'document', cites: para('(a)(16), 1.1330(b)(7), 1.1330(c)(10)') },
    { is: 'seeds', list: 'seedList', unless: 'isHarvestedWithoutRoots', cites: para('(b)') },
    placeOfSeeds('seedGrowerLocationCode', undefined, para('(b)(1)')),
    placeOfSeeds('seedConditionerLocationCode', 'the location of the seed conditioner or processor', para('(b)(2)')),
    valueOfSeeds('seedConditionerLotCode', 'the seed lot code of the conditioning or processing', para('(b)(2)')),
    valueOfSeeds('seedConditioningDate', 'the date of the conditioning or processing', para('(b)(2)')),
    placeOfSeeds('seedPackerLocationCode', 'the location of the seed packinghouse', para('(b)(3)')),
    valueOfSeeds('seedPackingDate', 'the date when the seeds were packed', para('(b)(3)')),
    placeOfSeeds('seedRepackerLocationCode', 'the location of the seed repacker', para('(b)(3)'), {
      where: ['seedRepackingDate', 'seedRepackerLotCode'],
    }),
    valueOfSeeds('seedRepackingDate', 'the date when the seeds were repacked', para('(b)(3)'), {
      where: ['seedRepackerLocationCode', 'seedRepackerLotCode'],
    }),
    placeOfSeeds('seedSupplierLocationCode', 'the location of the seed supplier', para('(b)(4)')),
    valueOfSeeds('seedType', 'the type or taxonomic name of the seeds', para('(b)(5)')),
    valueOfSeeds('seedGrowingSpecifications', 'the growing specifications of the seeds', para('(b)(5)')),
    valueOfSeeds('seedPackaging', 'the type of packaging of the seeds', para('(b)(5)')),
    valueOfSeeds('seedReceivedDate', 'the date when the sprouter received the seeds', para('(b)(6)')),
  ],
} as const
