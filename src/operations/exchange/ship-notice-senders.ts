// How the ship notices of senders are read: settings beside the records. Not shown in the contract;
// decided in 0082.
import { list, object } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { NewShipNoticeSender } from '../../contract/ship-notice-sender.ts'
import { setOutcome } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

/** Senders that one call sets. */
const sendersPerCallMax = 100

const NewShipNoticeSenders = object('NewShipNoticeSenders', {
  senders: list(
    NewShipNoticeSender,
    {
      meaning:
        'Senders and their settings, each sender once. An entry without dataProviderVendorId removes its sender.',
      example: [
        {
          senderId: 'GREENVALLEY',
          dataProviderVendorId: 'V-1001',
          timeZone: 'America/Los_Angeles',
          tlcSourceIsShipFrom: true,
          places: [{ code: '0614141000029', locationCode: 'DC-07' }],
        },
      ],
      section: '2.4',
    },
    { minItems: 1, maxItems: sendersPerCallMax },
  ),
})

const ShipNoticeSender = Type.Object(
  {
    sender: NewShipNoticeSender,
    setDateTime: Type.String({ description: 'When the settings were set, in UTC.' }),
    setBy: Type.String({ description: 'Id of the key that set them.' }),
  },
  { title: 'ShipNoticeSender', additionalProperties: false },
)

/** Senders that are not set up, and are listed. */
export const unknownSendersMax = 20

const UnknownSender = Type.Object(
  {
    senderId: Type.String({ description: 'ISA06 of the refused notices.' }),
    senderQualifier: Type.String({ description: 'ISA05 of the refused notices.' }),
    refusals: Type.Integer({ description: 'Calls with its notices, among the refusals that are kept.' }),
    lastDateTime: Type.String({ description: 'When the last one was refused, in UTC.' }),
  },
  { title: 'UnknownSender', additionalProperties: false },
)

const shared = {
  path: '/ship-notice-senders',
  cites: 'decision 0082',
  topic: 'ship notices',
  headers: [],
  query: {},
} as const

const listShipNoticeSenders = {
  ...shared,
  ...taggedRead,
  name: 'listShipNoticeSenders',
  method: 'GET',
  summary: 'Lists the senders whose ship notices are read.',
  description:
    'The settings of each sender as they were set, in the order of the ids; and senders that are not set up, whose notices were refused.',
  role: 'reader',
  outcomes: {
    unmodified,
    listed: {
      status: 200,
      when: 'Always.',
      body: Type.Object(
        {
          content: Type.Array(ShipNoticeSender),
          notSetUp: Type.Array(UnknownSender, {
            maxItems: unknownSendersMax,
            description: `Senders whose notices were refused because they are not set up, the latest first; at most ${unknownSendersMax}.`,
          }),
        },
        { title: 'ShipNoticeSenderList', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation

const setShipNoticeSenders = {
  ...shared,
  headers: conditionHeaders,
  name: 'setShipNoticeSenders',
  method: 'PUT',
  summary: 'Sets how the ship notices of senders are read.',
  description:
    'Each entry replaces the settings of its sender, and other senders keep theirs. Events that were made of earlier notices stay as they are.',
  role: 'administrator',
  body: NewShipNoticeSenders,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, a time zone is unknown, a sender is listed twice, or there are too many. Nothing is set.',
      retry: 'changed',
    },
    stale: staleEdit,
    set: setOutcome('All settings are set.', 'ShipNoticeSendersSet'),
  },
} as const satisfies Operation

export const shipNoticeSenderOperations = { listShipNoticeSenders, setShipNoticeSenders }
