// The draft of a receiving event, made from a shipping event. Not shown in the contract; decided in
// 0082.
import { RecordId } from '../../contract/payloads.ts'
import { shippingEvent } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import type { Operation } from '../base/operation.ts'
import { purged } from '../records/read.ts'

/** Most receiving events that a draft names. */
export const namedReceiptsMax = 20

const ReceivingDraft = Type.Object(
  {
    draft: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description:
        'A receiving event payload without its event date time. Complete it, and send it with POST /data-provider/events/receiving.',
    }),
    toConfirm: Type.Array(Type.String(), {
      description:
        'JSON Pointers into the draft: what only the receiver knows. The event date time, and each quantity.',
    }),
    receivingEvents: Type.Array(RecordId, {
      description: `Receiving events with the same vendor, ship-to location and reference documents, newest first, at most ${namedReceiptsMax}: perhaps the goods are received already.`,
    }),
  },
  { title: 'ReceivingDraft', additionalProperties: false },
)

export const draftReceivingEvent = {
  name: 'draftReceivingEvent',
  method: 'GET',
  path: `${shippingEvent.path}/{id}/receiving-draft`,
  cites: '21 CFR 1.1345(a); decision 0082',
  summary: 'Drafts the receiving event of a shipping event.',
  description:
    'Order, ship notice, pallets, items, lots and places as they were shipped. The receiver adds when the goods arrived, and confirms or corrects the quantities. A draft is no record until it is sent, and nothing is stored here.',
  role: 'reader',
  topic: shippingEvent.nouns,
  query: {},
  headers: [],
  outcomes: {
    unknownRecord: { status: 404, when: 'The provider has no such record with this id.', retry: 'never' },
    purged,
    eventVoided: { status: 409, when: 'The shipping event was voided.', retry: 'never' },
    drafted: { status: 200, when: 'The draft follows.', body: ReceivingDraft, retry: 'never' },
  },
} as const satisfies Operation
