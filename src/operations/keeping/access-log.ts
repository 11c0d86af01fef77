// The access log: who received which data, and who changed keys, holds or settings or purged. Not
// shown in the contract; decided in 0039.
import { Type } from '../../contract/shape/type.ts'
import { ending, keyName, nextCursor } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging } from '../base/query.ts'

const AccessEntry = Type.Object(
  {
    id: Type.String({ description: 'Id of the entry.' }),
    beganDateTime: Type.String({ description: 'When, in UTC.' }),
    endedDateTime: Type.Union([Type.String(), Type.Null()], {
      description: 'When it ended; null for an instant action, and while it is `open`.',
    }),
    who: Type.String({
      description: 'Id of the key; without one `command line`, `first start`, or `package link` and its id.',
    }),
    keyName,
    requestId: Type.Union([Type.String(), Type.Null()], { description: 'Id of the request; also in the log.' }),
    operation: Type.String({ description: 'Name of the operation; `purge` for a purge, which is a command.' }),
    asked: Type.Object({}, { description: 'The parameters of the request, by name.', additionalProperties: true }),
    ending,
    records: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Records or versions in an export; versions that were purged.',
    }),
    bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Bytes of the file that were sent.' }),
  },
  { title: 'AccessEntry', additionalProperties: false },
)

const AccessPage = Type.Object(
  { content: Type.Array(AccessEntry), nextCursor },
  { title: 'AccessPage', additionalProperties: false },
)

export const listAccessLog = {
  name: 'listAccessLog',
  method: 'GET',
  path: '/access-log',
  cites: 'decision 0039',
  summary: 'Lists exports, purges, and changes of keys and legal holds, newest first.',
  description:
    'Each entry says who, when, what was asked, how it ended, and how much was sent. An export is recorded before it is sent. Entries are never changed or deleted.',
  role: 'administrator',
  topic: 'access log',
  query: {
    who: {
      form: 'text',
      meaning: 'Only entries of this key id, of `command line`, or of `package link` and its id.',
      example: '1f0c6c2b9a7d4e11',
    },
    operation: { form: 'text', meaning: 'Only entries of this operation.', example: 'exportFdaPackage' },
    startDateTime: {
      form: 'dateTime',
      meaning: 'Only entries that began at this instant or later.',
      example: '2026-03-04T00:00:00Z',
    },
    endDateTime: {
      form: 'dateTime',
      meaning: 'Only entries that began at this instant or earlier.',
      example: '2026-03-05T00:00:00Z',
    },
    ...paging,
  },
  headers: [],
  outcomes: { listed: { status: 200, when: 'The page; it may be empty.', body: AccessPage, retry: 'never' } },
} as const satisfies Operation
