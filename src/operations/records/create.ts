// Create: POST on the collection path. Not shown in the contract; decided in 0001, 0015.
import type { TSchema } from 'typebox'
import { type RecordKind, recordKinds } from '../../contract/record-kinds.ts'
import { Ingested, Judged, takenOutcome } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { dryRun } from '../base/query.ts'
import { ofKinds } from './of-kinds.ts'

const refusals = {
  refused: {
    status: 422,
    when: 'The payload breaks the contract. Every finding is listed, and nothing is stored.',
    retry: 'changed',
  },
  keyReused: {
    status: 422,
    when: 'The Idempotency-Key was used for another request.',
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
  created: {
    status: 201,
    when: 'All records of the payload are stored, by this request or by an earlier one with the same Idempotency-Key.',
    body: Ingested,
    retry: 'never',
  },
} as const

/** Of a kind with a key that one record can hold. */
export const takenOf = ({ key }: RecordKind) =>
  (key === undefined ? {} : { taken: takenOutcome(key) }) as { readonly taken: ReturnType<typeof takenOutcome> }

const create = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'POST',
    path: record.path,
    cites: record.cites.create,
    summary: `Creates ${record.nouns}.`,
    description: `\`${record.subject}\` is one object or a list. The service stores all of them or none. The records of a list share the rest of the payload, which is stored with each of them.`,
    role: 'writer',
    topic: record.nouns,
    record,
    query: { dryRun },
    headers: ['Prefer', 'Idempotency-Key'],
    body: record.createPayload as TSchema,
    outcomes: { ...refusals, ...takenOf(record), ...successes },
  }) as const satisfies Operation

export const createOperations = ofKinds(recordKinds, ['create', 's'], create)
