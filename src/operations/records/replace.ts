// Replace: PUT on a record, as the contract describes it. Source: §1 replacement rules, §4.1, §4.2.
import type { TSchema } from 'typebox'
import { location, masterProduct, type RecordKind, receivingEvent, shippingEvent } from '../../contract/record-kinds.ts'
import { Ingested, Judged, takenOutcome } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { dryRun } from '../base/query.ts'
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

const replace = <K extends RecordKind, O>(record: K, name: string, cites: string, own: O) =>
  ({
    name,
    method: 'PUT',
    path: `${record.path}/{id}`,
    cites,
    summary: `Replaces a ${record.noun} as a whole.`,
    description:
      'The body is the complete record: the service removes every field that the body lacks. The previous version is kept in the history.',
    role: 'writer',
    topic: record.nouns,
    record: record as RecordKind,
    query: { dryRun },
    headers: ['If-Match', 'If-None-Match', 'Prefer'],
    body: record.replacement as TSchema,
    outcomes: { ...refusals, ...own, ...successes },
  }) as const satisfies Operation

const replaceReceivingEvent = replace(receivingEvent, 'replaceReceivingEvent', '§1, §4.1', {
  purged,
  taken: takenOutcome('the event date time, for the same vendor and ship-to location'),
})
const replaceShippingEvent = replace(shippingEvent, 'replaceShippingEvent', '21 CFR 1.1340(a); decision 0080', {
  purged,
  taken: takenOutcome('the vendor, places, event date time and reference documents of the event'),
})
const replaceMasterProduct = replace(masterProduct, 'replaceMasterProduct', '§1, §4.2', {})
const replaceLocation = replace(location, 'replaceLocation', '§2.3 identification rule; decision 0010', {
  taken: takenOutcome('the location code of the vendor'),
})

export const replaceOperations = { replaceReceivingEvent, replaceShippingEvent, replaceMasterProduct, replaceLocation }
