// Columns of the three sheets of initial packing: of food from a farm, of food from an exempt
// person, and of the seeds of sprouts. Source: 21 CFR 1.1330; decisions 0029, 0090.
import { documentPairNames } from '../../contract/events/event-fields.ts'
import { initialPackingEvent } from '../../contract/events/initial-packing-event.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { columnsOfElements, type DeclaredSheet } from './chain-columns.ts'
import type { DeclaredColumn } from './event-columns.ts'
import type { EventLine } from './event-lines.ts'

const kind = initialPackingEvent
const of = columnsOfElements(kind)
const [food, seeds] = ['receivedList', 'seedList'] as const

const received: readonly DeclaredColumn[] = [...of.commodity(food), of.day('receivedDate', food), ...of.quantity(food)]

const packed: readonly DeclaredColumn[] = [
  of.lotCode('productList'),
  ...of.product('productList'),
  ...of.quantity('productList'),
  ...of.location('packingLocationCode', 'packing location'),
  of.reference(),
  of.date(),
  ...of.documents(),
]

const ofHarvest: readonly DeclaredColumn[] = [
  ...of.lineLocation(food, 'harvestLocationCode', 'harvest location of the line'),
  of.value('growingAreaName', food),
  of.value('containerName', food),
  of.value('harvesterName', food),
  of.value('harvesterPhoneNumber', food),
  of.day('harvestDate', food),
  ...of.lineLocation(food, 'coolingLocationCode', 'cooling location of the line'),
  of.day('coolingDate', food),
]

const seedPlace = (who: string) =>
  of.lineLocation(seeds, `seed${who}LocationCode`, `location of the seed ${who.toLowerCase()}`)
const seedValue = (field: string, beside?: string) => of.value(field, seeds, beside === undefined ? {} : { beside })

const ofSeeds: readonly DeclaredColumn[] = [
  ...seedPlace('Grower'),
  of.day('seedHarvestDate', seeds, 'seedGrowerLocationCode'),
  ...seedPlace('Conditioner'),
  seedValue('seedConditionerLotCode'),
  of.day('seedConditioningDate', seeds),
  ...seedPlace('Packer'),
  of.day('seedPackingDate', seeds),
  seedValue('seedPackerLotCode', 'seedPackingDate'),
  ...seedPlace('Repacker'),
  of.day('seedRepackingDate', seeds),
  seedValue('seedRepackerLotCode', 'seedRepackingDate'),
  ...seedPlace('Supplier'),
  seedValue('seedSupplierLotCode', 'seedSupplierLocationCode'),
  seedValue('seedSupplierSubLotCode', 'seedSupplierLocationCode'),
  seedValue('sprouterSeedLotCode', 'seedSupplierLocationCode'),
  seedValue('seedType'),
  seedValue('seedGrowingSpecifications'),
  seedValue('seedPackaging'),
  seedValue('seedTreatment', 'seedType'),
  of.day('seedReceivedDate', seeds),
  ...documentPairNames.flat().map((field) => ({
    ...of.value(field, seeds, { beside: 'seedType', width: 22 }),
    paragraph: of.paragraphOf('document'),
  })),
]

const isExempt = (line: object): boolean =>
  isGiven((line as { exemptSourceLocationCode?: string }).exemptSourceLocationCode)

/** Lots packed of food from an exempt person are in the sheet of that, others in the first one. */
const takesFood =
  (exempt: boolean) =>
  ({ list, line, event }: EventLine): boolean => {
    if (list !== 'productList') return list === food && isExempt(line) === exempt
    const lines = (event.payload.eventList[food] ?? []) as readonly object[]
    return lines.some((one) => isExempt(one) === exempt) || (!exempt && lines.length === 0)
  }

export const packingSheets: readonly DeclaredSheet[] = [
  { name: 'Initial Packing', kind, columns: [...received, ...ofHarvest, ...packed], takes: takesFood(false) },
  { name: 'Initial Packing Sprouts', kind, columns: ofSeeds, takes: ({ list }) => list === seeds, hasNoLots: true },
  {
    name: 'Initial Packing from Exempt',
    kind,
    columns: [
      ...received,
      ...of.lineLocation(food, 'exemptSourceLocationCode', 'exempt source of the line'),
      ...packed,
    ],
    takes: takesFood(true),
  },
]
