// Create: POST on the collection path. Not shown in the contract; decided in 0001, 0015.
import type { TSchema } from 'typebox'
import { location, masterProduct, type RecordKind, receivingEvent, shippingEvent } from '../../contract/record-kinds.ts'
import { Ingested, Judged, takenOutcome } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { dryRun } from '../base/query.ts'

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

const create = <K extends RecordKind, O>(record: K, name: string, cites: string, own: O) =>
  ({
    name,
    method: 'POST',
    path: record.path,
    cites,
    summary: `Creates ${record.nouns}.`,
    description: `\`${record.subject}\` is one object or a list. The service stores all of them or none. The records of a list share the rest of the payload, which is stored with each of them.`,
    role: 'writer',
    topic: record.nouns,
    record: record as RecordKind,
    query: { dryRun },
    headers: ['Prefer', 'Idempotency-Key'],
    body: record.createPayload as TSchema,
    outcomes: { ...refusals, ...own, ...successes },
  }) as const satisfies Operation

const createReceivingEvents = create(receivingEvent, 'createReceivingEvents', '§1 {id}, §4.1; decision 0015', {
  taken: takenOutcome('the event date time, for the same vendor and ship-to location'),
})
const createShippingEvents = create(shippingEvent, 'createShippingEvents', '21 CFR 1.1340(a); decision 0080', {
  taken: takenOutcome('the vendor, places, event date time and reference documents of the event'),
})
const createMasterProducts = create(masterProduct, 'createMasterProducts', '§1 {id}, §4.2; decision 0015', {})
const createLocations = create(location, 'createLocations', '§2.3 identification rule; decision 0010', {
  taken: takenOutcome('the location code of the vendor'),
})

export const createOperations = { createReceivingEvents, createShippingEvents, createMasterProducts, createLocations }
