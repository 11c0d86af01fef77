// Lists and sets the places to which the rule does not apply.
import type { Static } from 'typebox'
import { type Exemption, exemptPlaceKey, type NewExemptPlace, overlapOf } from '../../contract/exempt-place.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { exemptPlaceOperations } from '../../operations/traceability/exempt-places.ts'
import { listDeclared, nothingSet, setDeclared } from '../base/declared-settings.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

const kind = 'exemptPlace'

const listExemptPlaces =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const { version, content } = await listDeclared(store, provider, kind, 'place')
    return { outcome: 'listed', version, body: { content } }
  }

const setExemptPlaces =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(exemptPlaceOperations.setExemptPlaces.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { places } = call.body.value as Static<typeof exemptPlaceOperations.setExemptPlaces.body>
    const answer = await setDeclared(context, call, places, {
      kind,
      nouns: 'exemptions',
      settingOf: (place) => ({
        key: exemptPlaceKey(place),
        value: (place.exemptions ?? []).length > 0 ? place : undefined,
      }),
      wordsOf: placeWords,
      faultOf,
    })
    if (answer.outcome === 'set') context.due('recounts', call.provider)
    return answer
  }

function placeWords(key: string): string {
  const [vendor, location] = JSON.parse(key) as readonly string[]
  const whole = `vendor ${JSON.stringify(vendor)}`
  return location === undefined ? whole : `location ${JSON.stringify(location)} of ${whole}`
}

/** Why exemptions cannot be set. */
function faultOf(
  { dataProviderVendorId, locationCode, exemptions = [] }: NewExemptPlace,
  whose: string,
): string | undefined {
  if (locationCode !== undefined && !isGiven(locationCode))
    return `A locationCode of vendor ${JSON.stringify(dataProviderVendorId)} is blank. Name the location, or omit the field for all of them.`
  for (const one of exemptions) {
    const fault = exemptionFault(one, whose)
    if (fault !== undefined) return fault
  }
  const overlapping = overlapOf(exemptions)
  return (
    overlapping &&
    `The exemptions ${overlapping.map(({ reason }) => reason).join(' and ')} of ${whose} apply to the same receipts. End one before the other starts, or name other shipToLocationCodes.`
  )
}

function exemptionFault(
  { reason, startDate, endDate, shipToLocationCodes = [], note }: Exemption,
  whose: string,
): string | undefined {
  if (isGiven(startDate) && isGiven(endDate) && endDate < startDate)
    return `endDate of ${whose} is ${endDate}, before startDate, ${startDate}. Exchange them, or omit one.`
  if (!shipToLocationCodes.every(isGiven))
    return `A shipToLocationCode of ${whose} is blank. Name the location, or omit the list for all of them.`
  if (reason === 'other' && !isGiven(note))
    return `The exemption "other" of ${whose} has no note. Name the paragraph of 21 CFR 1.1305 in note.`
  return undefined
}

export const exemptPlaceHandlers = { listExemptPlaces, setExemptPlaces }
