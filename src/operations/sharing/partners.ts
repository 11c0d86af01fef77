// Partners: customers and vendors who see the events shared with them, and nothing else. Not shown
// in the contract; decided in 0077.

import { receivingEvent } from '../../contract/record-kinds.ts'
import { list, number, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { Grant, grantsMax, Place, placesMax } from '../../contract/sharing.ts'
import { ending, keyName, listedPage } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'
import { dryRun, paging } from '../base/query.ts'

const section = '5'

/** Characters that places and grants of a partner have together, as JSON. */
export const sharingLengthMax = 64 * 1024
/** Events that a dry run reads, and how many of them it shows. */
export const previewEventsMax = 10_000
export const previewExamplesMax = 10

export const PartnerSettings = object('PartnerSettings', {
  name: text({ meaning: 'Name of the partner.', example: 'Fresh Foods Market', section }),
  places: list(
    Place,
    {
      meaning: 'Its places, as ship-to or ship-from locations of events name them.',
      example: [{ gln: '0614141000029' }, { locationCode: 'DC-07', dataProviderVendorId: 'V-1001' }],
      section,
    },
    { maxItems: placesMax },
  ),
  grants: list(
    Grant,
    {
      meaning: 'What it may see. Without any, nothing.',
      example: [{ direction: 'shipTo', firstEventDate: '2026-03-04' }],
      section,
    },
    { maxItems: grantsMax },
  ),
})

/** Longest time for which an invitation is valid, and how long it is unless asked otherwise. */
export const invitationHoursMax = 720
export const invitationHoursUsual = 168

export const NewInvitation = object('NewInvitation', {
  personName: optional(text({ meaning: 'The person who is invited.', example: 'Sam Reed', section })),
  label: optional(text({ meaning: 'What the key is for.', example: 'quality office', section })),
  expiresInHours: optional(
    number({
      meaning: `Whole hours for which the invitation is valid, 1 to ${invitationHoursMax}; ${invitationHoursUsual} without it.`,
      example: invitationHoursUsual,
      section,
    }),
  ),
})

export const AcceptedInvitation = object('AcceptedInvitation', {
  personName: optional(text({ meaning: 'The person who has the key.', example: 'Sam Reed', section })),
  label: optional(text({ meaning: 'What the key is for.', example: 'nightly pull', section })),
})

export const RevokedPartnerKey = object('RevokedPartnerKey', {
  keyId: text({ meaning: 'Id of the key or invitation.', example: '1f0c6c2b9a7d4e11', section }),
})

const instant = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const PartnerKey = Type.Object(
  {
    keyId: Type.String({ description: 'The public part of the key.' }),
    role: Type.Enum(['invited', 'partner'], {
      description: '`invited` is an invitation, which can only be exchanged for a key.',
    }),
    label: Type.String({ description: 'What the key is for.' }),
    personName: textOrNull('The person who has it; null for a program.'),
    createdDateTime: Type.String(),
    expiresDateTime: instant('When it expires; null when it does not expire.'),
    revokedDateTime: instant('When it was revoked, or the invitation accepted; else null.'),
    lastUsedDateTime: instant('When it was last used, to the minute; null when it was never used.'),
  },
  { title: 'PartnerKey', additionalProperties: false },
)

const SharedRecords = Type.Object(
  { receivingEvents: Type.Integer(), masterProducts: Type.Integer(), locations: Type.Integer() },
  { title: 'SharedRecords', description: 'Records that the partner sees now.', additionalProperties: false },
)

const Partner = Type.Object(
  {
    id: Type.String({ description: 'Id of the partner.' }),
    name: Type.String(),
    places: Type.Array(Place),
    grants: Type.Array(Grant, { description: 'As they are set; they always have `withHistory` and `withheld`.' }),
    state: Type.Enum(['open', 'updating', 'closed'], {
      description:
        '`open`: it sees what the grants say. `updating`: something was added, and not all of it is there yet. `closed`: something was taken away, and nothing is handed out until it is gone.',
    }),
    completeDateTime: instant('From when it saw everything that the grants said first; null until then.'),
    records: SharedRecords,
    keys: Type.Array(PartnerKey, {
      description: 'All its valid keys and invitations, then others that ended; each newest first.',
    }),
    createdDateTime: Type.String({ description: 'When it was created, in UTC.' }),
    changedDateTime: Type.String({ description: 'When it was last changed, in UTC.' }),
  },
  { title: 'Partner', additionalProperties: false },
)

const DeletedPartner = Type.Object(
  {
    id: Type.String({ description: 'The id that the partner had.' }),
    name: Type.String({ description: 'Its last name.' }),
    deletedDateTime: Type.String({ description: 'When it was deleted, in UTC.' }),
  },
  { title: 'DeletedPartner', additionalProperties: false },
)

const eventCount = {
  events: Type.Integer({ description: 'Receiving events, as far as they were counted.' }),
  orMore: Type.Boolean({ description: 'True if there are more, or may be: counting ends after some 10,000.' }),
}

const placeFields = {
  locationCode: Type.String({ description: 'The ship-to location code.' }),
  gln: textOrNull('Its GLN in location master data; null when it has none.'),
  locationName: textOrNull('Its name in location master data.'),
  dataProviderVendorIds: Type.Array(Type.String(), {
    description:
      'Vendors whose location this is. A code may be another place for another vendor: each GLN of a code is an entry of its own.',
  }),
  ...eventCount,
  firstEventDate: Type.String({ description: 'Date of the first of these events.' }),
  lastEventDate: Type.String({ description: 'Date of the last one.' }),
}

const SuggestedPlace = Type.Object(
  {
    ...placeFields,
    partner: Type.Union(
      [
        Type.Object({ id: Type.String(), name: Type.String() }, { title: 'PartnerName', additionalProperties: false }),
        Type.Null(),
      ],
      { description: 'The partner that has this place, the first of several; null when none has it.' },
    ),
  },
  { title: 'SuggestedPlace', additionalProperties: false },
)

const UncoveredPlace = Type.Object(placeFields, { title: 'UncoveredPlace', additionalProperties: false })

const SharingPreview = Type.Object(
  {
    opened: Type.Object(eventCount, {
      title: 'OpenedEvents',
      description: 'Events that the partner would see.',
      additionalProperties: false,
    }),
    withdrawn: Type.Object(eventCount, {
      title: 'WithdrawnEvents',
      description: 'Events that it sees now, and would not see any more.',
      additionalProperties: false,
    }),
    examples: Type.Array(receivingEvent.payload, {
      maxItems: previewExamplesMax,
      description: 'Some of the events, the newest first, exactly as the partner would see them.',
    }),
    notCovered: Type.Array(UncoveredPlace, {
      description: 'Ship-to places that are not among its places, and have its name or one of its GLNs.',
    }),
  },
  { title: 'SharingPreview', additionalProperties: false },
)

const Invitation = Type.Object(
  {
    token: Type.String({ description: 'The invitation. It is shown only once and is not stored.' }),
    path: Type.String({ description: 'Path of the page of the console that accepts it.' }),
    expiresDateTime: Type.String({ description: 'Until when it can be accepted, in UTC.' }),
  },
  { title: 'Invitation', additionalProperties: false },
)

const PartnerAccess = Type.Object(
  {
    id: Type.String({ description: 'Id of the entry.' }),
    beganDateTime: Type.String({ description: 'When, in UTC.' }),
    who: Type.String({ description: 'Id of the key.' }),
    keyName,
    operation: Type.String({ description: 'Name of the operation.' }),
    asked: Type.Object({}, { description: 'The parameters of the request, by name.', additionalProperties: true }),
    ending,
    records: Type.Union([Type.Integer(), Type.Null()], { description: 'Records in the answer, where they are known.' }),
    bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Bytes of the answer.' }),
  },
  { title: 'PartnerAccess', additionalProperties: false },
)

const shared = {
  cites: 'decision 0077',
  topic: 'partners',
  role: 'administrator',
  headers: [],
  query: {},
} as const

const unknownPartner = { status: 404, when: 'The provider has no partner with this id.', retry: 'never' } as const

const nameTaken = {
  status: 409,
  when: 'The provider has a partner of this name, or as many partners as it may have.',
  retry: 'changed',
} as const

const refused = {
  status: 422,
  when: 'A field is missing or wrong. Every finding is listed, and nothing is changed.',
  retry: 'changed',
} as const

const noInvitation = {
  status: 409,
  when: 'The key of the request is no invitation, or the invitation was accepted a moment ago.',
  retry: 'never',
} as const

const invitedBy = {
  partner: Type.String({ description: 'Name of the partner.' }),
  sharedBy: textOrNull('The name under which the provider that shares is seen.'),
}

const previewed = {
  status: 200,
  when: 'A dry run: nothing was changed.',
  body: SharingPreview,
  retry: 'never',
} as const

const listPartners = {
  ...shared,
  name: 'listPartners',
  method: 'GET',
  path: '/partners',
  summary: 'Lists the partners of the provider, oldest first.',
  description: 'Each with what it may see, its keys, and how many records it sees.',
  query: paging,
  outcomes: {
    listed: listedPage(Partner, 'PartnerPage'),
  },
} as const satisfies Operation

const listDeletedPartners = {
  ...shared,
  name: 'listDeletedPartners',
  method: 'GET',
  path: '/partners/deleted',
  summary: 'Lists the partners that were deleted, oldest first.',
  description:
    'Nothing is shared with them any more. What each of them read stays readable: `GET /partners/{id}/accesses`.',
  query: paging,
  outcomes: {
    listed: listedPage(DeletedPartner, 'DeletedPartnerPage'),
  },
} as const satisfies Operation

const suggestPlaces = {
  ...shared,
  name: 'suggestPlaces',
  method: 'GET',
  path: '/partners/suggestions',
  summary: 'Lists the places that stored events were shipped to, by location code.',
  description: 'Places for a partner: each with its name, GLN and events, and with the partner that has it.',
  query: paging,
  outcomes: {
    listed: listedPage(SuggestedPlace, 'SuggestedPlacePage'),
  },
} as const satisfies Operation

const previewQuery = {
  dryRun: {
    ...dryRun,
    meaning:
      'When `true`, nothing is changed. The answer shows what the partner would see, and which places may be missing (dry run).',
  },
} as const

const createPartner = {
  ...shared,
  name: 'createPartner',
  method: 'POST',
  path: '/partners',
  summary: 'Creates a partner: a customer or vendor who sees what is shared with it.',
  description:
    'Without grants it sees nothing. Nobody has a key of it until an invitation is accepted. What the grants open is copied in the background, without the fields that are withheld.',
  query: previewQuery,
  body: PartnerSettings,
  outcomes: {
    refused,
    nameTaken,
    previewed,
    created: { status: 201, when: 'The partner is created.', body: Partner, retry: 'never' },
  },
} as const satisfies Operation

const readPartner = {
  ...shared,
  ...taggedRead,
  name: 'readPartner',
  method: 'GET',
  path: '/partners/{id}',
  summary: 'Reads a partner.',
  description: 'What it may see, its keys, and how many records it sees.',
  outcomes: {
    unknownPartner,
    unmodified,
    found: { status: 200, when: 'There is a partner with this id.', body: Partner, retry: 'never' },
  },
} as const satisfies Operation

const replacePartner = {
  ...shared,
  headers: conditionHeaders,
  name: 'replacePartner',
  method: 'PUT',
  path: '/partners/{id}',
  summary: 'Changes name, places and grants of a partner.',
  description:
    'What is left out is taken back, as with every PUT. Where anything is taken back, the keys of the partner are answered with 503 within two seconds, until what is no longer shared is withdrawn. Where something is only added, the partner goes on reading.',
  query: previewQuery,
  body: PartnerSettings,
  outcomes: {
    refused,
    unknownPartner,
    stale: staleEdit,
    nameTaken,
    previewed,
    changed: { status: 200, when: 'The partner is changed.', body: Partner, retry: 'never' },
  },
} as const satisfies Operation

const deletePartner = {
  ...shared,
  headers: conditionHeaders,
  name: 'deletePartner',
  method: 'DELETE',
  path: '/partners/{id}',
  summary: 'Deletes a partner: its keys are revoked, and its copies withdrawn.',
  description:
    'The keys end within two seconds. The access log keeps who deleted it, with its id and name, and `GET /partners/{id}/accesses` still lists what it read.',
  outcomes: {
    unknownPartner,
    stale: staleEdit,
    deleted: { status: 200, when: 'The partner is deleted.', body: Partner, retry: 'never' },
  },
} as const satisfies Operation

const invitePartner = {
  ...shared,
  name: 'invitePartner',
  method: 'POST',
  path: '/partners/{id}/invitations',
  summary: 'Makes an invitation, which somebody at the partner exchanges for a key.',
  description:
    'The answer contains the invitation. It is shown only once, is valid once, and can do nothing but be accepted. The service sends no mail.',
  body: NewInvitation,
  outcomes: {
    refused,
    unknownPartner,
    tooManyKeys: {
      status: 409,
      when: 'The partner has as many valid keys and invitations as it may have.',
      retry: 'changed',
    },
    created: { status: 201, when: 'The invitation can be accepted.', body: Invitation, retry: 'never' },
  },
} as const satisfies Operation

const readInvitation = {
  ...shared,
  name: 'readInvitation',
  method: 'GET',
  path: '/invitations/own',
  summary: 'Reads the invitation that is sent as the key of the request.',
  description:
    'Who invites whom, before it is accepted. An invitation that was used, revoked or has expired is no key.',
  role: 'invited',
  outcomes: {
    noInvitation,
    found: {
      status: 200,
      when: 'The invitation can be accepted.',
      body: Type.Object(
        {
          ...invitedBy,
          personName: textOrNull('The person who is invited; null where nobody is named.'),
          expiresDateTime: Type.String({ description: 'Until when it can be accepted, in UTC.' }),
        },
        { title: 'OwnInvitation', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation

const acceptInvitation = {
  ...shared,
  name: 'acceptInvitation',
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Exchanges an invitation, sent as the key of the request, for a key.',
  description: 'The answer contains the whole key. It is shown only once. The invitation ends.',
  role: 'invited',
  body: AcceptedInvitation,
  outcomes: {
    refused: { ...refused, when: 'A field is wrong. Every finding is listed, and the invitation stays valid.' },
    noInvitation,
    accepted: {
      status: 201,
      when: 'The key is valid from now on.',
      body: Type.Object(
        {
          keyId: Type.String({ description: 'The public part of the key.' }),
          key: Type.String({ description: 'The whole key. It is shown only once and is not stored.' }),
          ...invitedBy,
        },
        { title: 'NewPartnerKey', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation

const revokePartnerKey = {
  ...shared,
  name: 'revokePartnerKey',
  method: 'POST',
  path: '/partners/{id}/keys/revoke',
  summary: 'Revokes a key or an invitation of a partner permanently.',
  description: 'It takes effect within two seconds. Revoking a revoked key changes nothing.',
  body: RevokedPartnerKey,
  outcomes: {
    refused,
    unknownPartner,
    unknownKey: { status: 404, when: 'The partner has no key with this id.', retry: 'never' },
    revoked: { status: 200, when: 'The key is revoked.', body: Partner, retry: 'never' },
  },
} as const satisfies Operation

const listPartnerAccesses = {
  ...shared,
  name: 'listPartnerAccesses',
  method: 'GET',
  path: '/partners/{id}/accesses',
  summary: 'Lists what the keys of a partner asked for, newest first.',
  description:
    'Also of a partner that was deleted. Every call that was answered with data: which key, when, the operation and its parameters, and how much was sent. It is recorded before it is sent; an answer that a key gets again within an hour is recorded once.',
  query: paging,
  outcomes: {
    unknownPartner,
    listed: listedPage(PartnerAccess, 'PartnerAccessPage'),
  },
} as const satisfies Operation

export const partnerOperations = {
  listPartners,
  listDeletedPartners,
  suggestPlaces,
  createPartner,
  readPartner,
  replacePartner,
  deletePartner,
  invitePartner,
  readInvitation,
  acceptInvitation,
  revokePartnerKey,
  listPartnerAccesses,
}
