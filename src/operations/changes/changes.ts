// The feed of changes. Not shown in the contract; decided in 0071.
import { changeTypes } from '../../contract/changes.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import { declareLimit } from '../../limits.ts'
import { damaged } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { limitMax } from '../base/query.ts'

export const eventStream = 'text/event-stream'

/** How many changes the newest position can be asked to go back. */
const changesBackMax = 200

const changeWaitSecondsMax = declareLimit('changeWait', 30, 'seconds', 'Time for which a call waits for changes.')

const position = (description: string) => Type.String({ description, examples: ['128-3-9f86d081'] })

const Change = Type.Object(
  {
    position: position('Send it as `after` to read on behind this change.'),
    type: Type.Enum([...changeTypes], {
      description:
        'What happened. `purged`: the retention time of this version is over, and its content was removed. The record itself may still be there in a later version.',
    }),
    id: Type.String({ description: 'Id of the record.' }),
    version: Type.Integer({ description: 'The version that was stored or purged.' }),
    submittedDateTime: Type.String({ description: 'When the version was stored, in UTC, to the microsecond.' }),
    requestId: Type.String({
      description: 'The request that stored the version: `Request-Id` of its answer, which tells your own changes.',
    }),
    reason: Type.Optional(
      Type.String({
        description:
          'Why the version was stored, where its sender said so; of a void always. Gone once the version is purged.',
      }),
    ),
    purgedDateTime: Type.Optional(
      Type.String({ description: 'When the version was purged, in UTC; only of a purge.' }),
    ),
  },
  { title: 'Change', additionalProperties: false },
)

const ChangeList = Type.Object(
  {
    content: Type.Array(Change, { description: 'Changes in their order.' }),
    nextPosition: position(
      'Send it as `after` to read on. It is there also when `content` is empty, and is then further on when changes were left out by a filter.',
    ),
    damaged,
  },
  { title: 'ChangeList', additionalProperties: false },
)

const NewestPosition = Type.Object(
  { position: position('Behind every change that was committed before the request.') },
  { title: 'NewestPosition', additionalProperties: false },
)

const shared = { method: 'GET', cites: 'decision 0071', role: 'partner', topic: 'changes' } as const

export const listChanges = {
  ...shared,
  name: 'listChanges',
  path: '/changes',
  summary: 'Lists what happened to which record, in one order that never changes and has no holes.',
  description:
    'A change has ids and no content: read the record or the version for that. Start without `after`, or at the position of `GET /changes/now`; send `nextPosition` as `after` each time. A page with fewer changes than `limit` has everything that was committed before the request, and with `wait` the call waits for the next change. With `Accept: text/event-stream` the same changes come as server-sent events, whose `id` is the position. A reader who sends the last position he processed misses nothing and gets nothing twice, also after a restart.',
  query: {
    after: {
      form: 'cursor',
      meaning: 'Only changes behind this position. Without it: from the first change on.',
      example: '128-3-9f86d081',
    },
    limit: {
      form: 'limit',
      meaning: `Changes per page, 1 to ${limitMax}.`,
      example: String(limitMax),
      limits: { default: limitMax, max: limitMax },
    },
    wait: {
      form: 'limit',
      meaning: `Seconds to wait for a change when there is none, 0 to ${changeWaitSecondsMax}.`,
      example: String(changeWaitSecondsMax),
      limits: { default: 0, max: changeWaitSecondsMax, min: 0 },
    },
    kind: {
      form: 'choice',
      meaning: 'Only changes of records of this kind.',
      example: 'receivingEvent',
      values: recordKinds.map(({ name }) => name),
      many: true,
    },
    dataProviderVendorId: {
      form: 'text',
      meaning:
        'Only changes of records of this vendor: of this version or of the one before it, so that a record that leaves is reported too. The same holds for the filters below. A purge passes them all, because nobody knows any more what was purged.',
      example: 'V-1001',
    },
    shipToLocationCode: {
      form: 'text',
      meaning: 'Only changes of events with this ship-to location.',
      example: 'DC-07',
    },
    lotCode: {
      form: 'text',
      meaning: 'Only changes of events with a line of this lot: its lot code, or any GS1 text that contains it.',
      example: 'GV26063-A',
    },
  },
  headers: ['Last-Event-ID'],
  waits: true,
  outcomes: {
    otherHistory: {
      status: 410,
      when: 'The position is not one of this account as it is now: it comes from another account, or a backup was restored since.',
      retry: 'changed',
    },
    tooManyListeners: {
      status: 503,
      when: 'As many callers wait for changes as the process lets wait.',
      retry: 'later',
    },
    listed: {
      status: 200,
      when: 'The changes are found, be there none.',
      body: ChangeList,
      media: {
        [eventStream]:
          'Server-sent events: `event` is the type, `id` the position, `data` the change as JSON. A change whose version is missing in the database is the event `damaged`, with position, id and version.',
      },
      retry: 'never',
    },
  },
} as const satisfies Operation

const readNewestPosition = {
  ...shared,
  name: 'readNewestPosition',
  path: '/changes/now',
  summary: 'Returns the position behind all changes so far, or an earlier one.',
  description:
    'To follow from now on without reading the past: ask for it first, then read the lists you need, then follow from the position. `back` and `dateTime` return an earlier position.',
  query: {
    back: {
      form: 'limit',
      meaning: `The position that has so many changes behind it, 0 to ${changesBackMax}; fewer where there are no more.`,
      example: '10',
      limits: { default: 0, max: changesBackMax, min: 0 },
    },
    dateTime: {
      form: 'dateTime',
      meaning:
        'The position that was the newest at this time: everything that was committed since is behind it. Not together with `back`.',
      example: '2026-03-04T00:00:00Z',
    },
  },
  headers: [],
  outcomes: {
    found: { status: 200, when: 'Always.', body: NewestPosition, retry: 'never' },
  },
} as const satisfies Operation

export const feedOperations = { listChanges, readNewestPosition }
