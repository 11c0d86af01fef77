// Keys of a provider: who asks, and for administrators list, create, revoke. Not shown in the contract; decided in 0018.
import { Type } from 'typebox'
import { choice, date, object, optional, text } from '../contract/field.ts'
import { roles } from '../contract/role.ts'
import type { Operation } from './operation.ts'

const instant = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const summaryFields = {
  keyId: Type.String({ description: 'The part of the key that may be shown.' }),
  role: Type.Enum([...roles], { description: 'Each may do what those before it may.' }),
  label: Type.String({ description: 'What the key is for.' }),
  createdDateTime: Type.String(),
  expiresDateTime: instant('From when on it is no longer valid; null when never.'),
}

const KeySummary = Type.Object(
  {
    ...summaryFields,
    revokedDateTime: instant('Since when it is revoked; null when it is not.'),
    lastUsedDateTime: instant('To the minute; null when it never was.'),
  },
  { title: 'KeySummary', additionalProperties: false },
)

const KeyList = Type.Object({ content: Type.Array(KeySummary) }, { title: 'KeyList', additionalProperties: false })

const OwnKey = Type.Object(
  { provider: Type.String({ description: 'Name of the data provider the key belongs to.' }), ...summaryFields },
  { title: 'OwnKey', additionalProperties: false },
)

const section = '5'

export const NewKey = object('NewKey', {
  role: choice(roles, { meaning: 'What the key may do.', example: 'reader', section }),
  label: text({ meaning: 'What the key is for: who has it, where it is used.', example: 'quality office', section }),
  expiresDate: optional(
    date({
      meaning: 'Last day it is valid, to 23:59:59 UTC. Without it the key is valid until it is revoked.',
      example: '2030-12-31',
      section,
    }),
  ),
})

const CreatedKey = Type.Object(
  { ...summaryFields, key: Type.String({ description: 'The whole key. It is shown this once and kept nowhere.' }) },
  { title: 'CreatedKey', additionalProperties: false },
)

const RevokedKey = Type.Object(
  { keyId: summaryFields.keyId, revokedDateTime: Type.String() },
  { title: 'RevokedKey', additionalProperties: false },
)

const shared = { cites: '§5; decision 0018', topic: 'keys', query: {}, headers: [] } as const

export const readOwnKey = {
  ...shared,
  name: 'readOwnKey',
  method: 'GET',
  path: '/keys/own',
  summary: 'Says whom the key that asks belongs to, and what it may do.',
  description: 'The cheapest call there is: use it to see whether a key is valid.',
  role: 'reader',
  outcomes: { found: { status: 200, when: 'The key is valid.', body: OwnKey, retry: 'never' } },
} as const satisfies Operation

export const listKeys = {
  ...shared,
  name: 'listKeys',
  method: 'GET',
  path: '/keys',
  summary: 'Lists the keys of the provider, newest first.',
  description: 'With those that are revoked or expired. The secret of a key is kept nowhere and never shown again.',
  role: 'administrator',
  outcomes: { listed: { status: 200, when: 'Always.', body: KeyList, retry: 'never' } },
} as const satisfies Operation

export const createKey = {
  ...shared,
  name: 'createKey',
  method: 'POST',
  path: '/keys',
  summary: 'Creates a key of the provider.',
  description: 'The answer holds the whole key, this once.',
  role: 'administrator',
  body: NewKey,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong; every finding is listed, and no key is made.',
      retry: 'changed',
    },
    created: { status: 201, when: 'The key is made, and valid from now on.', body: CreatedKey, retry: 'never' },
  },
} as const satisfies Operation

export const revokeKey = {
  ...shared,
  name: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{id}',
  summary: 'Revokes a key of the provider, for good.',
  description:
    'In effect within two seconds. The key stays in the list, as revoked. Revoking a revoked key changes nothing.',
  role: 'administrator',
  outcomes: {
    unknownKey: { status: 404, when: 'The provider has no key with this id.', retry: 'never' },
    ownKey: {
      status: 409,
      when: 'It is the key that asks: use another one, so that nobody locks himself out.',
      retry: 'changed',
    },
    revoked: { status: 200, when: 'The key is revoked.', body: RevokedKey, retry: 'never' },
  },
} as const satisfies Operation
