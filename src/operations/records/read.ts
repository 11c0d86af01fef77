// Read: one record, or one version of it. Not shown in the contract; decided in 0012, 0013, 0016.
import type { TSchema } from 'typebox'
import { type RecordKind, recordKinds } from '../../contract/record-kinds.ts'
import type { Operation } from '../base/operation.ts'
import { ofKinds } from './of-kinds.ts'

/** Of every operation that reads something with an ETag. */
export const unmodified = {
  status: 304,
  when: 'The version is the one If-None-Match names; there is no body.',
  retry: 'never',
} as const

/**
 * Of versions, of events (decision 0040), and of all that a partner no longer sees
 * (decision 0077).
 */
export const purged = {
  status: 410,
  when: 'The record or version was purged after the retention time, or is no longer shared with the partner. The list of versions says when.',
  retry: 'never',
} as const

const read = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'GET',
    path: `${record.path}/{id}`,
    cites: '§1 {id}; decision 0016',
    summary: `Reads a ${record.noun}.`,
    description:
      'The record as it was last submitted, field for field, with its `id`. It can be edited and sent back with PUT as it is.',
    role: 'partner',
    topic: record.nouns,
    record,
    query: {},
    headers: ['If-None-Match'],
    outcomes: {
      unknownRecord: { status: 404, when: 'The provider has no such record with this id.', retry: 'never' },
      purged,
      unmodified,
      found: { status: 200, when: 'The record is found.', body: record.record as TSchema, retry: 'never' },
    },
  }) as const satisfies Operation

const readVersion = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'GET',
    path: `${record.path}/{id}/versions/{version}`,
    cites: 'decision 0012',
    summary: `Reads one version of a ${record.noun}.`,
    description: 'The record as it was at that version. Sent back with PUT it becomes the record again.',
    role: 'partner',
    topic: record.nouns,
    record,
    query: {},
    headers: ['If-None-Match'],
    outcomes: {
      unknownRecord: {
        status: 404,
        when: 'The provider has no such record with this id, or the record has no such version.',
        retry: 'never',
      },
      purged,
      unmodified,
      found: { status: 200, when: 'The version is found.', body: record.record as TSchema, retry: 'never' },
    },
  }) as const satisfies Operation

export const readOperations = ofKinds(recordKinds, ['read', ''], read)
export const readVersionOperations = ofKinds(recordKinds, ['read', 'Version'], readVersion)
