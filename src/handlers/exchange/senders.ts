// Lists and sets the settings of senders: how to read their ship notices, and defaults for their
// EPCIS documents.
import type { Static } from 'typebox'
import type { NewCaptureSender } from '../../contract/capture-sender.ts'
import { isTimeZone } from '../../contract/shape/date-and-time.ts'
import { isGiven } from '../../contract/shape/field.ts'
import {
  type NewShipNoticeSender,
  type NoticeSender,
  senderKeyOf,
  senderOfKey,
} from '../../contract/ship-notice-sender.ts'
import { captureSenderOperations } from '../../operations/exchange/capture-senders.ts'
import { shipNoticeSenderOperations, unknownSendersMax } from '../../operations/exchange/ship-notice-senders.ts'
import type { SettingChange } from '../../store/base/declared-settings.ts'
import { unknownSenders } from '../../store/records/refusals.ts'
import { givenValues, listDeclared, nothingSet, setDeclared } from '../base/declared-settings.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

const listCaptureSenders =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const { version, content } = await listDeclared(store, provider, 'captureSender', 'sender')
    return { outcome: 'listed', version, body: { content } }
  }

const listShipNoticeSenders =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const [{ version, content }, unknown] = await Promise.all([
      listDeclared(store, provider, 'shipNoticeSender', 'sender'),
      unknownSenders(store, { provider, limit: unknownSendersMax }),
    ])
    const notSetUp = unknown.map(({ sender, refusals, lastAt }) => ({
      ...senderOfKey(sender),
      refusals,
      lastDateTime: lastAt.toISOString(),
    }))
    return { outcome: 'listed', version, body: { content, notSetUp } }
  }

const setShipNoticeSenders =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(shipNoticeSenderOperations.setShipNoticeSenders.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { senders } = call.body.value as Static<typeof shipNoticeSenderOperations.setShipNoticeSenders.body>
    return setDeclared(context, call, senders, {
      kind: 'shipNoticeSender',
      nouns: 'settings',
      settingOf: (sender) => ({
        key: senderKeyOf(sender),
        value: sender.dataProviderVendorId === undefined ? undefined : sender,
      }),
      wordsOf: (key) => senderWords(senderOfKey(key)),
      faultOf: faultOfShipNoticeSender,
    })
  }

/** The sender as it stands in a sentence. */
export const senderWords = ({ senderId, senderQualifier }: NoticeSender): string =>
  `sender ${JSON.stringify(senderId)}${senderQualifier === undefined ? '' : ` with the qualifier ${JSON.stringify(senderQualifier)}`}`

/** Why the settings of a sender of ship notices cannot be used. */
export function faultOfShipNoticeSender(
  { senderId, senderQualifier, dataProviderVendorId, timeZone, releaseCharacter }: NewShipNoticeSender,
  whose: string,
): string | undefined {
  if (/\p{Cc}/u.test(senderId.trim()))
    return `senderId ${JSON.stringify(senderId)} has a control character. It must be the text of ISA06.`
  if (senderQualifier !== undefined && !/^[A-Z0-9]{2}$/.test(senderQualifier))
    return `senderQualifier of sender ${JSON.stringify(senderId)} is ${JSON.stringify(senderQualifier)}. It must be two capital letters or digits as in ISA05, e.g. ZZ or 01. Omit it to read the id under any qualifier.`
  if (dataProviderVendorId !== undefined && !isGiven(dataProviderVendorId))
    return `dataProviderVendorId of ${whose} is blank. Name the vendor, or omit the field to remove the sender.`
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return `timeZone of ${whose} is ${JSON.stringify(timeZone)}. It must be a name of the IANA database, e.g. America/Los_Angeles.`
  if (releaseCharacter !== undefined && !/^[^A-Za-z0-9\s]$/.test(releaseCharacter))
    return `releaseCharacter of ${whose} is ${JSON.stringify(releaseCharacter)}. It must be one character that is no letter, digit or blank, e.g. ?.`
  return undefined
}

const setCaptureSenders =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(captureSenderOperations.setCaptureSenders.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { senders } = call.body.value as Static<typeof captureSenderOperations.setCaptureSenders.body>
    return setDeclared(context, call, senders, {
      kind: 'captureSender',
      nouns: 'defaults',
      settingOf: captureSettingOf,
      wordsOf: (key) => (key === '' ? 'all senders' : `sender ${JSON.stringify(key)}`),
      faultOf: ({ sender }) =>
        sender !== undefined && !isGiven(sender)
          ? 'A sender is blank. Name it, or omit the field for all senders.'
          : undefined,
    })
  }

/** A sender without defaults is removed. */
function captureSettingOf({ sender = '', ...defaults }: NewCaptureSender): SettingChange {
  const given = givenValues(defaults)
  return { key: sender, value: given && { ...(sender !== '' && { sender }), ...given } }
}

export const senderHandlers = { listCaptureSenders, setCaptureSenders, listShipNoticeSenders, setShipNoticeSenders }
