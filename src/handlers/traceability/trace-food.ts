// Follows food from its harvest or cooling to the lots that were packed of it, and on.
import { type Ground, leastDefault } from '../../contract/lots/grounds.ts'
import type { EventKindName } from '../../contract/record-kinds.ts'
import { eventKinds } from '../../contract/record-kinds.ts'
import { dateAt } from '../../contract/shape/date-and-time.ts'
import { isFieldText } from '../../contract/shape/field.ts'
import type { Query } from '../../operations/base/query.ts'
import { timeZoneOf } from '../../rules/rule.ts'
import { readRecord } from '../../store/store.ts'
import type { ChainQuery } from '../../tracing/chain-walk.ts'
import { codeOfReference, type FieldReference, referenceOfCode } from '../../tracing/field-reference.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'
import { MasterDataCache } from '../records/exported-events.ts'
import { referredKinds } from './chain-reader.ts'
import { balanceQueryOf, followChain, formatChain } from './trace-chain.ts'

type FoodAnswer = Answer<'badQuery' | 'unknownFood' | 'chained'>

export const traceFood =
  (context: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<FoodAnswer> => {
    const asked = await readFoodQuery(context, provider, query)
    if ('outcome' in asked) return asked
    const found = await followChain(context, provider, asked, balanceQueryOf(query))
    return found === undefined
      ? unknownFood(asked)
      : { outcome: 'chained', ...(await formatChain(found, query.format)) }
  }

/** What a request asks to follow from a harvest or a cooling. */
export async function readFoodQuery(
  context: HandlerContext,
  provider: string,
  query: Query,
): Promise<ChainQuery | Answer<'badQuery' | 'unknownFood'>> {
  const { recordId, itemCode, growingArea, least = leastDefault } = query
  const food = recordId === undefined ? namedFood(query) : await recordedFood(context, provider, query)
  if ('outcome' in food) return food
  const asked = {
    lotCode: codeOfReference(food),
    eventId: recordId,
    gtin: itemCode === undefined ? undefined : `item ${itemCode}`,
    tlcSource: growingArea,
    direction: 'forward' as const,
    least: least as Ground,
  }
  return [food.vendor, food.locationCode].every(isFieldText) ? asked : unknownFood(asked)
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 100))
const unknown = (detail: string): Answer<'unknownFood'> => ({ outcome: 'unknownFood', detail })

function unknownFood({ lotCode, gtin, tlcSource }: ChainQuery): Answer<'unknownFood'> {
  const { vendor, kind, date, locationCode } = referenceOfCode(lotCode) as FieldReference
  return unknown(
    `No event names food that vendor ${quote(vendor)} ${eventKinds[kind].happened} on ${date} at ${quote(locationCode)}${gtin === undefined && tlcSource === undefined ? '' : ' of this item and growing area'}. The date is that at the location. Location codes are those of the vendor.`,
  )
}

const named = ['record', 'dataProviderVendorId', 'locationCode', 'date']

/** The food of a vendor, place and date. */
function namedFood({ record = 'harvestingEvent', ...query }: Query): FieldReference | Answer<'badQuery'> {
  const { dataProviderVendorId: vendor, locationCode, date } = query
  if (vendor === undefined || locationCode === undefined || date === undefined)
    return {
      outcome: 'badQuery',
      detail:
        'Name the food: recordId, the id of a harvesting or cooling event, or dataProviderVendorId, locationCode and date together.',
    }
  return { kind: record as EventKindName, vendor, locationCode, date }
}

/** The food of a stored event. */
async function recordedFood(
  context: HandlerContext,
  provider: string,
  { recordId = '', ...query }: Query,
): Promise<FieldReference | Answer<'badQuery' | 'unknownFood'>> {
  const other = named.find((name) => query[name] !== undefined)
  if (other !== undefined)
    return { outcome: 'badQuery', detail: `recordId names the food, so omit ${other}. Or omit recordId.` }
  for (const { name: kind, place } of isRecordId(recordId) ? referredKinds : []) {
    const stored = await readRecord(context.store, provider, { kind, id: recordId })
    if (stored === undefined || !('body' in stored)) continue
    if (stored.voidReason !== undefined)
      return unknown(`The ${eventKinds[kind].noun} ${recordId} was voided. Name vendor, location and date instead.`)
    const { eventList: event } = JSON.parse(stored.body)
    const vendor = String(event.dataProviderVendorId)
    const locationCode = String(event[place])
    const timeZones = await new MasterDataCache(context, provider).timeZones()
    const date = dateAt(event.eventDateTime, timeZoneOf(timeZones, vendor, locationCode))
    return { kind, vendor, locationCode, date }
  }
  return unknown(`There is no harvesting or cooling event with id ${recordId.slice(0, 60)}.`)
}
