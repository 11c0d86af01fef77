// Legal holds: what is not purged while they stand. Not shown in the contract; decided in 0041.
import { Type } from 'typebox'
import { boolean, date, object, optional, text } from '../contract/field.ts'
import { nextCursor } from './bodies.ts'
import type { Operation } from './operation.ts'
import { paging } from './query.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const LegalHold = Type.Object(
  {
    id: Type.String({ description: 'Id of the hold.' }),
    reason: Type.String(),
    recordId: orNull('The record that is held.'),
    lotCode: orNull('Lot code of the events that are held, in whichever form they have it.'),
    dataProviderVendorId: orNull('Vendor of the records that are held.'),
    eventStartDate: orNull('First event date that is held.'),
    eventEndDate: orNull('Last event date that is held.'),
    everything: Type.Boolean({ description: 'True when all records of the provider are held.' }),
    setDateTime: Type.String({ description: 'Since when it stands, in UTC.' }),
    setBy: Type.String({ description: 'Id of the key that set it.' }),
    liftedDateTime: orNull('Since when it does not stand any more; null while it does.'),
    liftedBy: orNull('Id of the key that lifted it.'),
  },
  { title: 'LegalHold', additionalProperties: false },
)
const section = '8'

export const NewLegalHold = object('NewLegalHold', {
  reason: text({ meaning: 'Why, so that whoever lifts it knows.', example: 'Recall 2026-014', section }),
  recordId: optional(text({ meaning: 'Id of one record.', example: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f', section })),
  lotCode: optional(
    text({
      meaning: 'Receiving events that have a line of this lot code, in the version that is current or in one before.',
      example: 'GV26063-A',
      section,
    }),
  ),
  dataProviderVendorId: optional(text({ meaning: 'Records of this vendor.', example: 'V-1001', section })),
  eventStartDate: optional(
    date({
      meaning: 'Receiving events of this date or later, and master data that was in force then.',
      example: '2026-03-01',
      section,
    }),
  ),
  eventEndDate: optional(
    date({
      meaning: 'Receiving events of this date or earlier, and master data that was in force then.',
      example: '2026-03-31',
      section,
    }),
  ),
  everything: optional(
    boolean({ meaning: 'True, and nothing else, to hold all records of the provider.', example: true, section }),
  ),
})

const shared = { cites: 'decision 0041', topic: 'legal holds', headers: [] } as const

export const listLegalHolds = {
  ...shared,
  name: 'listLegalHolds',
  method: 'GET',
  path: '/legal-holds',
  summary: 'Lists legal holds, newest first.',
  description: 'With those that were lifted, unless only standing ones are asked for.',
  role: 'reader',
  query: {
    recordId: {
      form: 'text',
      meaning: 'Only standing holds that keep this record from being purged.',
      example: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f',
    },
    standing: { form: 'boolean', meaning: 'When `true`, only holds that stand.', example: 'true' },
    ...paging,
  },
  outcomes: {
    listed: {
      status: 200,
      when: 'The page is found, be it empty.',
      body: Type.Object(
        { content: Type.Array(LegalHold), nextCursor },
        { title: 'LegalHoldPage', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation

export const setLegalHold = {
  ...shared,
  name: 'setLegalHold',
  method: 'POST',
  path: '/legal-holds',
  summary: 'Sets a legal hold: what it covers is not purged until it is lifted.',
  description:
    'Conditions hold together: a record is held when one of its versions fits them all, and then all of its versions are. In effect when it is answered, for purges under way too.',
  role: 'administrator',
  query: {},
  body: NewLegalHold,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, or the hold would hold nothing; every finding is listed, and no hold is set.',
      retry: 'changed',
    },
    created: { status: 201, when: 'The hold stands.', body: LegalHold, retry: 'never' },
  },
} as const satisfies Operation

export const liftLegalHold = {
  ...shared,
  name: 'liftLegalHold',
  method: 'DELETE',
  path: '/legal-holds/{id}',
  summary: 'Lifts a legal hold.',
  description:
    'It stays in the list, as lifted. Lifting a lifted hold changes nothing. Nothing is purged by it: that takes the command `lotkeeper retention --purge`.',
  role: 'administrator',
  query: {},
  outcomes: {
    unknownHold: { status: 404, when: 'The provider has no legal hold with this id.', retry: 'never' },
    lifted: { status: 200, when: 'The hold does not stand any more.', body: LegalHold, retry: 'never' },
  },
} as const satisfies Operation
