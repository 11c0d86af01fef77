// Keys of a provider: reading one's own key, and for administrators listing, creating, changing and
// revoking. Not shown in the contract; decided in 0018.

import { ownRoles, roles } from '../../contract/role.ts'
import { choice, date, number, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

const instant = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const summaryFields = {
  keyId: Type.String({ description: 'The public part of the key.' }),
  role: Type.Enum([...ownRoles], { description: 'Each role includes the roles before it.' }),
  label: Type.String({ description: 'What the key is for.' }),
  personName: Type.Union([Type.String(), Type.Null()], {
    description: 'The person who has the key; null for a program.',
  }),
  email: Type.Union([Type.String(), Type.Null()], {
    description: 'Address of a person who signs in with the identity provider; else null.',
  }),
  isPerson: Type.Boolean({ description: 'Whether it is a person who signs in with the identity provider.' }),
  createdDateTime: Type.String(),
  expiresDateTime: instant('When it expires; null when it does not expire.'),
}

const KeySummary = Type.Object(
  {
    ...summaryFields,
    revokedDateTime: instant('When it was revoked; null when it is not revoked.'),
    lastUsedDateTime: instant('When it was last used, to the minute; null when it was never used.'),
  },
  { title: 'KeySummary', additionalProperties: false },
)

const KeyList = Type.Object({ content: Type.Array(KeySummary) }, { title: 'KeyList', additionalProperties: false })

export const OwnKey = Type.Object(
  {
    provider: Type.String({ description: 'Name of the data provider, or of the partner, that the key belongs to.' }),
    sharedBy: Type.Union([Type.String(), Type.Null()], {
      description: 'Of a key of a partner: the name under which the data provider that shares is seen; else null.',
    }),
    ...summaryFields,
    role: Type.Enum([...roles], {
      description: 'Each role includes the roles before it; `invited` and `partner` are of keys of partners.',
    }),
  },
  { title: 'OwnKey', additionalProperties: false },
)

const section = '5'

const settable = {
  role: choice(ownRoles, { meaning: 'What the key is allowed to do.', example: 'reader', section }),
  label: text({
    meaning: 'What the key is for, e.g. where it is used.',
    example: 'quality office',
    section,
  }),
  personName: optional(
    text({
      meaning: 'The person who has the key, as histories show it. Leave it out for a program.',
      example: 'Ana Lopez',
      section,
    }),
  ),
}

export const KeySettings = object('KeySettings', settable)

export const NewKey = object('NewKey', {
  ...settable,
  expiresDate: optional(
    date({
      meaning: 'Last day it is valid, to 23:59:59 UTC. Without it the key is valid until it is revoked.',
      example: '2030-12-31',
      section,
    }),
  ),
})

export const NewPerson = object('NewPerson', {
  email: text({
    meaning: 'The address with which the identity provider knows the person.',
    example: 'ana.lopez@example.com',
    section,
  }),
  role: choice(ownRoles, { meaning: 'What the person is allowed to do.', example: 'reader', section }),
  personName: optional(
    text({
      meaning: 'The name, until the identity provider says it.',
      example: 'Ana Lopez',
      section,
    }),
  ),
})

const CreatedKey = Type.Object(
  { ...summaryFields, key: Type.String({ description: 'The whole key. It is shown only once and is not stored.' }) },
  { title: 'CreatedKey', additionalProperties: false },
)

/** Longest time for which a replaced key stays valid, in hours: 30 days for a roll-out. */
export const overlapHoursMax = 720

export const KeyRotation = object('KeyRotation', {
  overlapHours: optional(
    number({
      meaning: `Whole hours for which the old key stays valid beside the new one, 0 to ${overlapHoursMax}; 24 without it.`,
      example: 24,
      section,
    }),
  ),
})

const RotatedKey = Type.Object(
  {
    ...CreatedKey.properties,
    replaced: Type.Object(
      { keyId: summaryFields.keyId, expiresDateTime: Type.String({ description: 'When the old key ends.' }) },
      { additionalProperties: false },
    ),
  },
  { title: 'RotatedKey', additionalProperties: false },
)

const RevokedKey = Type.Object(
  { keyId: summaryFields.keyId, revokedDateTime: Type.String() },
  { title: 'RevokedKey', additionalProperties: false },
)

/** Most keys of a list; nobody can look after more. */
export const keysMax = 1_000

const shared = { cites: '§5; decision 0018', topic: 'keys', query: {}, headers: [] } as const

const readOwnKey = {
  ...shared,
  name: 'readOwnKey',
  method: 'GET',
  path: '/keys/own',
  summary: 'Reads the key of the request: its owner and its role.',
  description: 'The cheapest call. Use it to check whether a key is valid.',
  role: 'partner',
  outcomes: { found: { status: 200, when: 'The key is valid.', body: OwnKey, retry: 'never' } },
} as const satisfies Operation

const listKeys = {
  ...shared,
  name: 'listKeys',
  method: 'GET',
  path: '/keys',
  summary: 'Lists the keys of the provider: those that can be used, then revoked and expired ones, each newest first.',
  description: `At most ${keysMax.toLocaleString('en')} keys: of more, the oldest that ended are left out. The secret of a key is not stored and never shown again.`,
  role: 'administrator',
  outcomes: { listed: { status: 200, when: 'Always.', body: KeyList, retry: 'never' } },
} as const satisfies Operation

const createKey = {
  ...shared,
  name: 'createKey',
  method: 'POST',
  path: '/keys',
  summary: 'Creates a key of the provider.',
  description: 'The answer contains the whole key. It is shown only once.',
  role: 'administrator',
  body: NewKey,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong. Every finding is listed, and no key is created.',
      retry: 'changed',
    },
    created: { status: 201, when: 'The key is created and valid from now on.', body: CreatedKey, retry: 'never' },
  },
} as const satisfies Operation

const invitePerson = {
  ...shared,
  cites: 'decision 0062',
  name: 'invitePerson',
  method: 'POST',
  path: '/people',
  summary: 'Invites a person to sign in with the identity provider.',
  description:
    'The person is in the list of keys, without a key: `PUT /keys/{id}` changes the role, `DELETE /keys/{id}` ends the access. The service sends no mail.',
  role: 'administrator',
  body: NewPerson,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong. Every finding is listed, and nobody is invited.',
      retry: 'changed',
    },
    noIdentityProvider: {
      status: 409,
      when: 'Nobody signs in to this provider with an identity provider.',
      retry: 'never',
    },
    invited: { status: 409, when: 'The address is invited already.', retry: 'never' },
    created: { status: 201, when: 'The person may sign in.', body: OwnKey, retry: 'never' },
  },
} as const satisfies Operation

const readKey = {
  ...shared,
  ...taggedRead,
  name: 'readKey',
  method: 'GET',
  path: '/keys/{id}',
  summary: 'Reads a key of the provider.',
  description: 'Without its secret, which is not stored.',
  role: 'administrator',
  outcomes: {
    unknownKey: { status: 404, when: 'The provider has no key with this id.', retry: 'never' },
    unmodified,
    found: { status: 200, when: 'There is a key with this id.', body: KeySummary, retry: 'never' },
  },
} as const satisfies Operation

const changeKey = {
  ...shared,
  headers: conditionHeaders,
  name: 'changeKey',
  method: 'PUT',
  path: '/keys/{id}',
  summary: 'Changes the role, label and person of a key.',
  description:
    'What is left out is removed, as with every PUT. The role takes effect within two seconds. Histories show the new name for what was done before, too.',
  role: 'administrator',
  body: KeySettings,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong. Every finding is listed, and nothing is changed.',
      retry: 'changed',
    },
    unknownKey: { status: 404, when: 'The provider has no key with this id.', retry: 'never' },
    ownKey: {
      status: 409,
      when: 'The request was made with this key, and would change its role. Use another key, so that you do not lock yourself out.',
      retry: 'changed',
    },
    stale: staleEdit,
    changed: { status: 200, when: 'The key is changed.', body: OwnKey, retry: 'never' },
  },
} as const satisfies Operation

const revokeKey = {
  ...shared,
  name: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{id}',
  summary: 'Revokes a key of the provider permanently.',
  description:
    'It takes effect within two seconds. The key stays in the list, marked as revoked. Revoking a revoked key changes nothing.',
  role: 'administrator',
  outcomes: {
    unknownKey: { status: 404, when: 'The provider has no key with this id.', retry: 'never' },
    ownKey: {
      status: 409,
      when: 'The request was made with this key. Use another key, so that you do not lock yourself out.',
      retry: 'changed',
    },
    revoked: { status: 200, when: 'The key is revoked.', body: RevokedKey, retry: 'never' },
  },
} as const satisfies Operation

const rotateKey = {
  ...shared,
  cites: '§5; decision 0074',
  name: 'rotateKey',
  method: 'POST',
  path: '/keys/{id}/rotate',
  summary: 'Replaces a key: a new one with the same role, label, person and end.',
  description:
    'The answer contains the whole new key. It is shown only once. The old key stays valid for the time asked for, so that its programs can change over. Saved views go to the new key.',
  role: 'administrator',
  body: KeyRotation,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is wrong. Every finding is listed, and no key is created.',
      retry: 'changed',
    },
    unknownKey: { status: 404, when: 'The provider has no key with this id.', retry: 'never' },
    noValidKey: {
      status: 409,
      when: 'The key is revoked or expired, or it is a person who signs in with the identity provider and has none.',
      retry: 'never',
    },
    created: { status: 201, when: 'The new key is valid from now on.', body: RotatedKey, retry: 'never' },
  },
} as const satisfies Operation

export const keyOperations = { readOwnKey, listKeys, createKey, invitePerson, readKey, changeKey, revokeKey, rotateKey }
