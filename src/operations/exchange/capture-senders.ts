// Settings for the senders of EPCIS documents. Not shown in the contract; decided in 0083.
import { NewCaptureSender } from '../../contract/capture-sender.ts'
import { list, object } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { setOutcome } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

/** Senders that one call sets. */
const sendersPerCallMax = 200

const NewCaptureSenders = object('NewCaptureSenders', {
  senders: list(
    NewCaptureSender,
    {
      meaning: 'Senders and their defaults, each sender once. An entry without defaults removes those of the sender.',
      example: [{ sender: 'urn:epc:id:pgln:0614141.00001', dataProviderVendorId: 'V-1001', tlcSourceIsShipFrom: true }],
      section: '8',
    },
    { minItems: 1, maxItems: sendersPerCallMax },
  ),
})

const CaptureSender = Type.Object(
  {
    sender: NewCaptureSender,
    setDateTime: Type.String({ description: 'When the defaults were set, in UTC.' }),
    setBy: Type.String({ description: 'Id of the key that set them.' }),
  },
  { title: 'CaptureSender', additionalProperties: false },
)

const shared = {
  path: '/capture/senders',
  cites: 'decision 0083',
  topic: 'EPCIS capture',
  headers: [],
  query: {},
} as const

const listCaptureSenders = {
  ...shared,
  ...taggedRead,
  name: 'listCaptureSenders',
  method: 'GET',
  summary: 'Lists the defaults of senders of EPCIS documents.',
  description: 'Those of all senders come first. They fill in what the records need and the events lack.',
  role: 'reader',
  outcomes: {
    unmodified,
    listed: {
      status: 200,
      when: 'Always.',
      body: Type.Object(
        { content: Type.Array(CaptureSender) },
        { title: 'CaptureSenderList', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation

const setCaptureSenders = {
  ...shared,
  headers: conditionHeaders,
  name: 'setCaptureSenders',
  method: 'PUT',
  summary: 'Sets the defaults of senders of EPCIS documents.',
  description: 'Each entry replaces all defaults of its sender, and other senders keep theirs.',
  role: 'administrator',
  body: NewCaptureSenders,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, or a sender is listed twice. Nothing is set.',
      retry: 'changed',
    },
    stale: staleEdit,
    set: setOutcome('All defaults are set.', 'CaptureSendersSet'),
  },
} as const satisfies Operation

export const captureSenderOperations = { listCaptureSenders, setCaptureSenders }
