// Replace: PUT on a record. The operations the contract describes. Source: §1 replacement rules, §4.1, §4.2.
import { location, masterProduct, type RecordKind, receivingEvent } from '../contract/record-kinds.ts'
import { Ingested, Judged } from './bodies.ts'
import type { Operation } from './operation.ts'
import { dryRun } from './query.ts'
import { purged } from './read.ts'

const refusals = {
  refused: {
    status: 422,
    when: 'The payload breaks the contract; every finding is listed, and the stored record is as before.',
    retry: 'changed',
  },
  // A replacement never creates (decision 0003).
  unknownRecord: { status: 404, when: 'The provider has no such record with this id.', retry: 'never' },
  stale: {
    status: 412,
    when: 'If-Match does not name the version the record is at, or If-None-Match does.',
    retry: 'changed',
  },
} as const

const successes = {
  judged: { status: 200, when: 'It was a dry run; nothing is stored.', body: Judged, retry: 'never' },
  // The same content, whatever the order of its keys (decision 0011).
  unchanged: {
    status: 200,
    when: 'The record has this content already; no version is made.',
    body: Ingested,
    retry: 'never',
  },
  replaced: {
    status: 200,
    when: 'The payload is now the record, whole; the version before is kept.',
    body: Ingested,
    retry: 'never',
  },
} as const

const taken = (what: string) =>
  ({ status: 409, when: `Another record holds ${what}; the answer names it.`, retry: 'changed' }) as const

const replace = <K extends RecordKind, O>(record: K, name: string, cites: string, own: O) =>
  ({
    name,
    method: 'PUT',
    path: `${record.path}/{id}`,
    cites,
    summary: `Replaces a ${record.noun} as a whole.`,
    description:
      'The body is the complete record: a field missing from it is removed from the stored record. The version before is kept in the history.',
    role: 'writer',
    topic: record.nouns,
    record,
    query: { dryRun },
    headers: ['If-Match', 'If-None-Match', 'Prefer'],
    body: record.replacement as K['replacement'],
    outcomes: { ...refusals, ...own, ...successes },
  }) as const satisfies Operation

export const replaceReceivingEvent = replace(receivingEvent, 'replaceReceivingEvent', '§1, §4.1', {
  purged,
  taken: taken('the event date time, for the same vendor and ship-to location'),
})
export const replaceMasterProduct = replace(masterProduct, 'replaceMasterProduct', '§1, §4.2', {})
export const replaceLocation = replace(location, 'replaceLocation', '§2.3 identification rule; decision 0010', {
  taken: taken('the location code of the vendor'),
})
