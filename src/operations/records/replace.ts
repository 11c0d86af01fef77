// Replace: PUT on a record, as the contract describes it. Source: §1 replacement rules, §4.1, §4.2.
import type { TSchema } from 'typebox'
import { isEventKind, type RecordKind, recordKinds } from '../../contract/record-kinds.ts'
import { Ingested, Judged } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { dryRun } from '../base/query.ts'
import { takenOf } from './create.ts'
import { ofKinds } from './of-kinds.ts'
import { purged } from './read.ts'

const refusals = {
  refused: {
    status: 422,
    when: 'The payload breaks the contract. Every finding is listed, and the stored record is unchanged.',
    retry: 'changed',
  },
  // A replacement never creates (decision 0003).
  unknownRecord: { status: 404, when: 'The provider has no such record with this id.', retry: 'never' },
  stale: {
    status: 412,
    when: 'If-Match does not name the current version of the record, or If-None-Match names it.',
    retry: 'changed',
  },
} as const

const successes = {
  judged: {
    status: 200,
    when: 'The request was a dry run. Nothing is stored.',
    body: Judged as TSchema,
    retry: 'never',
  },
  // The same content, whatever the order of its keys (decision 0011).
  unchanged: {
    status: 200,
    when: 'The record already has this content. No version is created.',
    body: Ingested,
    retry: 'never',
  },
  replaced: {
    status: 200,
    when: 'The payload is now the whole record. The previous version is kept.',
    body: Ingested,
    retry: 'never',
  },
} as const

const replace = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'PUT',
    path: `${record.path}/{id}`,
    cites: record.cites.replace,
    summary: `Replaces a ${record.noun} as a whole.`,
    description:
      'The body is the complete record: the service removes every field that the body lacks. The previous version is kept in the history.',
    role: 'writer',
    topic: record.nouns,
    record,
    query: { dryRun },
    headers: ['If-Match', 'If-None-Match', 'Prefer', 'Change-Reason'],
    body: record.replacement as TSchema,
    outcomes: {
      ...refusals,
      ...((isEventKind(record.name) ? { purged } : {}) as { readonly purged: typeof purged }),
      ...takenOf(record),
      ...successes,
    },
  }) as const satisfies Operation

export const replaceOperations = ofKinds(recordKinds, ['replace', ''], replace)
