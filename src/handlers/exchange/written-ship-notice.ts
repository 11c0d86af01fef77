// Writes the ship notice of a shipping event. Source: decision 0082.

import { isGiven } from '../../contract/shape/field.ts'
import { exchangeOperations } from '../../operations/exchange/operations.ts'
import { writeShipNotices } from '../../ship-notices/write-ship-notice.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shippedRecord } from './shipped-record.ts'

type WriteOutcome = 'badQuery' | 'unknownRecord' | 'purged' | 'eventVoided' | 'unnumbered' | 'written'

export const writeShipNotice =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<WriteOutcome>> => {
    const { senderId, receiverId, senderQualifier = 'ZZ', receiverQualifier = 'ZZ', usage = 'production' } = call.query
    if (!isPartyId(senderId) || !isPartyId(receiverId))
      return {
        outcome: 'badQuery',
        detail: 'Send senderId and receiverId: at most 15 letters, digits and signs other than * > ^ and ~.',
      }
    if (![senderQualifier, receiverQualifier].every((text) => /^[A-Z0-9]{2}$/.test(text)))
      return { outcome: 'badQuery', detail: 'A qualifier has two capital letters or digits, e.g. ZZ.' }
    const shipped = await shippedRecord(context, call, exchangeOperations.writeShipNotice)
    if ('outcome' in shipped) return shipped
    const { payload } = shipped
    if (!isGiven(payload.eventList.asnNumber))
      return {
        outcome: 'unnumbered',
        detail: 'The shipping event has no asnNumber, which is the number of its notice. Replace the event with one.',
      }
    const { text, left } = writeShipNotices(
      {
        senderQualifier,
        senderId,
        receiverQualifier,
        receiverId,
        usage: usage === 'test' ? 'T' : 'P',
        controlNumber: controlNumberOf(call.id),
        writtenAt: new Date().toISOString(),
      },
      [payload],
    )
    return { outcome: 'written', body: { interchange: text, left: left.flat() } }
  }

const isPartyId = (text: string | undefined): text is string =>
  text !== undefined && /^[!-)+-=?-\]_-}]{1,15}$/.test(text)

/** Nine digits of the random end of the id, so that a notice has its number each time. */
const controlNumberOf = (id: string): number => (Number.parseInt(id.slice(-8), 16) % 999_999_999) + 1
