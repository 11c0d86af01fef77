// The ship notice (X12 856) of a shipping event, for its recipient. Not shown in the contract;
// decided in 0082.
import { shippingEvent } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import type { Operation } from '../base/operation.ts'
import { purged } from '../records/read.ts'

const WrittenShipNotice = Type.Object(
  {
    interchange: Type.String({ description: 'The X12 interchange, from ISA to IEA.' }),
    left: Type.Array(Type.String(), {
      description: 'JSON Pointers of values that an 856 has no place for, so that the recipient does not get them.',
    }),
  },
  { title: 'WrittenShipNotice', additionalProperties: false },
)

const party = (element: string, example: string, who: string) =>
  ({ form: 'text', meaning: `Id of the ${who}, ${element}: at most 15 characters.`, example }) as const
const qualifier = (element: string, who: string) =>
  ({
    form: 'text',
    meaning: `Qualifier of the id of the ${who}, ${element}: two characters, ZZ by default.`,
    example: 'ZZ',
  }) as const

export const writeShipNotice = {
  name: 'writeShipNotice',
  method: 'GET',
  path: `${shippingEvent.path}/{id}/ship-notice`,
  cites: '21 CFR 1.1340(b); decision 0082',
  summary: 'Writes the ship notice (X12 856) of a shipping event.',
  description:
    'In the order shipment, order, pallet, item, with the lot code and GTIN of each line in LIN, as the guides of GS1 US and PTI have it. The notice has the same control number each time.',
  role: 'reader',
  topic: shippingEvent.nouns,
  query: {
    senderId: party('ISA06', 'GREENVALLEY', 'sender'),
    receiverId: party('ISA08', 'BUYER', 'receiver'),
    senderQualifier: qualifier('ISA05', 'sender'),
    receiverQualifier: qualifier('ISA07', 'receiver'),
    usage: { form: 'choice', meaning: 'Production or test, ISA15.', example: 'test', values: ['production', 'test'] },
  },
  headers: [],
  outcomes: {
    unknownRecord: { status: 404, when: 'The provider has no such record with this id.', retry: 'never' },
    purged,
    eventVoided: { status: 409, when: 'The shipping event was voided.', retry: 'never' },
    unnumbered: {
      status: 409,
      when: 'The shipping event has no asnNumber, and a notice needs its number.',
      retry: 'changed',
    },
    written: { status: 200, when: 'The notice follows.', body: WrittenShipNotice, retry: 'never' },
  },
} as const satisfies Operation
