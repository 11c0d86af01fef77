// The kind of record that an event of EPCIS becomes, and its lists of goods. Source: decision 0083.
import { type EventKindName, eventKinds, type LineList, recordKindOf } from '../contract/record-kinds.ts'
import type { EpcisEvent } from './document.ts'
import { type GoodsLists, stepsOfRecords } from './goods.ts'
import { readGoods } from './identifiers.ts'
import { isOwnEvent } from './own-event.ts'
import { entriesOf, lastPartOf, memberOf, textOf } from './words.ts'

/** Steps of the Core Business Vocabulary and of GDST, by the last part of their names. */
const packingSteps = new Set(['packing', 'packaging', 'repackaging'])
const landingSteps = new Set(['landing'])
const coolingSteps = new Set(['cooling'])
/** Goods get their identifiers. Serial numbers alone are labels, and make no lot. */
const beginningSteps = new Set(['commissioning', 'creating_class_instance', 'farmharvest', 'harvesting'])

/** The kind of record; undefined of an event that becomes none. */
export function kindOf(event: EpcisEvent): EventKindName | undefined {
  const { type, action, bizStep = '' } = event
  if (isOwnEvent(event)) return ownKindOf(event) ?? stepsOfRecords[bizStep]
  const step = lastPartOf(bizStep, ':/#').toLowerCase()
  if (type === 'TransformationEvent')
    return packingSteps.has(step) && !hasLots(event, ['inputQuantityList', 'inputEPCList'])
      ? 'initialPackingEvent'
      : 'transformationEvent'
  if (type !== 'ObjectEvent') return undefined
  if (stepsOfRecords[bizStep] !== undefined) return stepsOfRecords[bizStep]
  if (landingSteps.has(step)) return 'firstLandBasedReceivingEvent'
  if (coolingSteps.has(step)) return 'coolingEvent'
  if (action !== 'ADD' || !beginningSteps.has(step) || memberOf(event, 'quantityList') === undefined) return undefined
  return hasLots(event, ['quantityList']) ? 'initialPackingEvent' : 'harvestingEvent'
}

/** Our exports have the location that only events of one kind have. */
const ownKindOf = ({ value }: EpcisEvent): EventKindName | undefined => {
  const event = Object.fromEntries(Object.keys(value).map((name) => [lastPartOf(name, ':'), true]))
  const kind = recordKindOf({ eventList: event })
  return kind === undefined || kind.name === 'receivingEvent' ? undefined : (kind.name as EventKindName)
}

const hasLots = (event: EpcisEvent, lists: readonly string[]): boolean =>
  lists
    .flatMap((list) => entriesOf(memberOf(event, list)))
    .some((entry) => readGoods(textOf(memberOf(entry, 'epcClass') ?? entry) ?? '').lotCode !== undefined)

const observed: GoodsLists = { epcs: 'epcList', quantities: 'quantityList', hasIlmd: true }
const used: GoodsLists = { epcs: 'inputEPCList', quantities: 'inputQuantityList' }
const made: GoodsLists = { epcs: 'outputEPCList', quantities: 'outputQuantityList', hasIlmd: true }

/** Where an event has the goods of each list of a kind. */
export function listsOfGoods(kind: EventKindName, { type }: EpcisEvent): readonly (readonly [string, GoodsLists])[] {
  const lists = Object.entries(eventKinds[kind].lists).filter(([, { hasItems = true }]) => hasItems)
  const isMade = ([, { lots }]: readonly [string, LineList]) => lots === 'made'
  if (type === 'TransformationEvent') return lists.map((one) => [one[0], isMade(one) ? made : used])
  // An ObjectEvent has one list: what was made, where a kind makes lots.
  const [list] = lists.find(isMade) ?? lists[0] ?? []
  return list === undefined ? [] : [[list, observed]]
}
