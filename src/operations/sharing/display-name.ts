// The name under which customers and partners see a provider. Not shown in the contract; decided
// in 0101.
import { object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

export const NewDisplayName = object('NewDisplayName', {
  name: optional(
    text({
      meaning: 'The name that others see. Without it: the name of the account.',
      example: 'Green Valley Foods',
      section: '5',
    }),
  ),
})

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const DisplayName = Type.Object(
  {
    name: textOrNull('The name that is set; null while none is.'),
    accountName: Type.String({ description: 'Name of the account. Others see it while no name is set.' }),
    setDateTime: textOrNull('When it was set; null while none is.'),
    setBy: textOrNull('Id of the key that set it.'),
  },
  { title: 'DisplayName', additionalProperties: false },
)

const shared = {
  path: '/display-name',
  cites: 'decision 0101',
  topic: 'partners',
  headers: [],
  query: {},
} as const

const readDisplayName = {
  ...shared,
  ...taggedRead,
  name: 'readDisplayName',
  method: 'GET',
  summary: 'Reads the name under which others see the provider.',
  description: 'Partners, people who are invited, and recipients of FDA packages and scorecards.',
  role: 'reader',
  outcomes: {
    unmodified,
    found: { status: 200, when: 'Always.', body: DisplayName, retry: 'never' },
  },
} as const satisfies Operation

const setDisplayName = {
  ...shared,
  headers: conditionHeaders,
  name: 'setDisplayName',
  method: 'PUT',
  summary: 'Sets the name under which others see the provider.',
  description: 'Without a name in the body, others see the name of the account again.',
  role: 'administrator',
  body: NewDisplayName,
  outcomes: {
    refused: { status: 422, when: 'The name is blank or too long. Nothing is set.', retry: 'changed' },
    stale: staleEdit,
    set: { status: 200, when: 'The name is set.', body: DisplayName, retry: 'never' },
  },
} as const satisfies Operation

export const displayNameOperations = { readDisplayName, setDisplayName }
