// Lists and sets how the ship notices of senders are read.
import type { Static } from 'typebox'
import { isTimeZone } from '../contract/date-and-time.ts'
import { isGiven } from '../contract/field.ts'
import type { NewShipNoticeSender } from '../contract/ship-notice-sender.ts'
import { operations } from '../operations/catalogue.ts'
import {
  sendersLengthMax,
  sendersMax,
  shipNoticeSenders,
  writeShipNoticeSenders,
} from '../store/ship-notice-senders.ts'
import { shapeRefusal } from './failure-answers.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'

export const listShipNoticeSenders =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const senders = await shipNoticeSenders(store, provider)
    const content = senders.map(({ settings, setAt, setBy }) => ({
      sender: JSON.parse(settings) as NewShipNoticeSender,
      setDateTime: setAt.toISOString(),
      setBy,
    }))
    return { outcome: 'listed', body: { content } }
  }

export const setShipNoticeSenders =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'set'>> => {
    const refusal = shapeRefusal(operations.setShipNoticeSenders.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { senders } = call.body.value as Static<typeof operations.setShipNoticeSenders.body>
    const fault = faultOf(senders)
    if (fault !== undefined) return { outcome: 'refused', detail: `${fault} ${nothingSet}` }
    const changes = senders.map((sender) => ({
      senderId: sender.senderId.trim(),
      settings: sender.dataProviderVendorId === undefined ? undefined : JSON.stringify(sender),
    }))
    const end = await writeShipNoticeSenders(store, call.provider, changes, {
      who: call.keyId,
      requestId: call.requestId,
    })
    if (end === 'tooMany')
      return {
        outcome: 'refused',
        detail: `There can be ${sendersMax.toLocaleString('en-US')} senders, and their settings can have ${sendersLengthMax.toLocaleString('en-US')} characters together. Remove some. ${nothingSet}`,
      }
    return { outcome: 'set', body: { set: changes.length } }
  }

const nothingSet = 'Nothing was set.'

/** Why one of the senders cannot be set. */
function faultOf(senders: readonly NewShipNoticeSender[]): string | undefined {
  const seen = new Set<string>()
  for (const { senderId, dataProviderVendorId, timeZone, releaseCharacter } of senders) {
    const whose = `sender ${JSON.stringify(senderId)}`
    if (seen.has(senderId.trim())) return `The settings of ${whose} are listed twice. List them once.`
    seen.add(senderId.trim())
    if (dataProviderVendorId !== undefined && !isGiven(dataProviderVendorId))
      return `dataProviderVendorId of ${whose} is blank. Name the vendor, or omit the field to remove the sender.`
    if (timeZone !== undefined && !isTimeZone(timeZone))
      return `timeZone of ${whose} is ${JSON.stringify(timeZone)}. It must be a name of the IANA database, e.g. America/Los_Angeles.`
    if (releaseCharacter !== undefined && !/^[^A-Za-z0-9\s]$/.test(releaseCharacter))
      return `releaseCharacter of ${whose} is ${JSON.stringify(releaseCharacter)}. It must be one character that is no letter, digit or blank, e.g. ?.`
  }
  return undefined
}
