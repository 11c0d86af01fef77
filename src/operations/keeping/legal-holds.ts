// Legal holds: records that are not purged until the hold is lifted. Not shown in the contract;
// decided in 0041.
import { boolean, date, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { keyName, listedPage, setStamp } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging } from '../base/query.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const LegalHold = Type.Object(
  {
    id: Type.String({ description: 'Id of the hold.' }),
    reason: Type.String(),
    recordId: orNull('The record that is held.'),
    lotCode: orNull('Lot code of the events that are held, in any form.'),
    dataProviderVendorId: orNull('Vendor of the records that are held.'),
    eventStartDate: orNull('First event date that is held.'),
    eventEndDate: orNull('Last event date that is held.'),
    everything: Type.Boolean({ description: 'True when all records of the provider are held.' }),
    ...setStamp,
    setByName: keyName,
    liftedDateTime: orNull('When it was lifted; null while it is active.'),
    liftedBy: orNull('Id of the key that lifted it.'),
    liftedByName: keyName,
  },
  { title: 'LegalHold', additionalProperties: false },
)
const section = '8'

export const NewLegalHold = object('NewLegalHold', {
  reason: text({ meaning: 'Why it is set, for the person who will lift it.', example: 'Recall 2026-014', section }),
  recordId: optional(text({ meaning: 'Id of one record.', example: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f', section })),
  lotCode: optional(
    text({
      meaning: 'Events with a line of this lot code, in the current or in an earlier version.',
      example: 'GV26063-A',
      section,
    }),
  ),
  dataProviderVendorId: optional(text({ meaning: 'Records of this vendor.', example: 'V-1001', section })),
  eventStartDate: optional(
    date({
      meaning: 'Events received or shipped on this date or later, and master data that was current then.',
      example: '2026-03-01',
      section,
    }),
  ),
  eventEndDate: optional(
    date({
      meaning: 'Events received or shipped on this date or earlier, and master data that was current then.',
      example: '2026-03-31',
      section,
    }),
  ),
  everything: optional(
    boolean({
      meaning: '`true`, without other conditions, holds all records of the provider.',
      example: true,
      section,
    }),
  ),
})

const shared = { cites: 'decision 0041', topic: 'legal holds', headers: [] } as const

const listLegalHolds = {
  ...shared,
  name: 'listLegalHolds',
  method: 'GET',
  path: '/legal-holds',
  summary: 'Lists legal holds, newest first.',
  description: 'The list includes lifted holds, unless `standing` is `true`.',
  role: 'reader',
  query: {
    recordId: {
      form: 'text',
      meaning: 'Only active holds that keep this record from being purged.',
      example: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f',
    },
    standing: { form: 'boolean', meaning: 'When `true`, only active holds.', example: 'true' },
    ...paging,
  },
  outcomes: {
    listed: listedPage(LegalHold, 'LegalHoldPage'),
  },
} as const satisfies Operation

const setLegalHold = {
  ...shared,
  name: 'setLegalHold',
  method: 'POST',
  path: '/legal-holds',
  summary: 'Sets a legal hold: the records it covers are not purged until it is lifted.',
  description:
    'Conditions are combined with "and": when one version of a record matches all of them, all versions of the record are held. The hold is in effect when the request is answered, also for a purge in progress.',
  role: 'administrator',
  query: {},
  body: NewLegalHold,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, or the hold would hold nothing. Every finding is listed, and no hold is set.',
      retry: 'changed',
    },
    created: { status: 201, when: 'The hold is active.', body: LegalHold, retry: 'never' },
  },
} as const satisfies Operation

const liftLegalHold = {
  ...shared,
  name: 'liftLegalHold',
  method: 'DELETE',
  path: '/legal-holds/{id}',
  summary: 'Lifts a legal hold.',
  description:
    'It stays in the list, marked as lifted. Lifting a lifted hold changes nothing. Lifting purges nothing: only the command `lotkeeper retention --purge` does.',
  role: 'administrator',
  query: {},
  outcomes: {
    unknownHold: { status: 404, when: 'The provider has no legal hold with this id.', retry: 'never' },
    lifted: { status: 200, when: 'The hold is lifted.', body: LegalHold, retry: 'never' },
  },
} as const satisfies Operation

export const legalHoldOperations = { listLegalHolds, setLegalHold, liftLegalHold }
