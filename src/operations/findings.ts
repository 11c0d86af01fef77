// Findings: the warnings and gaps of a record, or of one version of it. Not shown in the contract;
// decided in 0031.
import { location, masterProduct, type RecordKind, receivingEvent } from '../contract/record-kinds.ts'
import { VersionFindings } from './bodies.ts'
import type { Operation } from './operation.ts'
import type { QueryParameter } from './query.ts'
import { purged } from './read.ts'

const judged = {
  form: 'choice',
  values: ['then', 'now'],
  meaning:
    '`then`: as judged when the version was submitted. `now`: judged again with the current master data, which may have filled a gap since; this answer has no ETag.',
  example: 'now',
} as const satisfies QueryParameter

const outcomesWhen = <O>(unknown: string, found: string, own: O) =>
  ({
    unknownRecord: { status: 404, when: unknown, retry: 'never' },
    ...own,
    unmodified: {
      status: 304,
      when: 'The version is the one If-None-Match names; there is no body.',
      retry: 'never',
    },
    found: { status: 200, when: found, body: VersionFindings, retry: 'never' },
  }) as const

const readFindings = <K extends RecordKind, O>(record: K, name: string, own: O) =>
  ({
    name,
    method: 'GET',
    path: `${record.path}/{id}/findings`,
    cites: 'decision 0031',
    summary: `Reads the findings of a ${record.noun}.`,
    description:
      'Warnings and gaps of the current version, each with its place, its remedy and its source: as found when the version was submitted, or as found today.',
    role: 'reader',
    topic: record.nouns,
    record,
    query: { judged },
    headers: ['If-None-Match'],
    outcomes: outcomesWhen('The provider has no such record with this id.', 'The findings; there may be none.', own),
  }) as const satisfies Operation

export const readReceivingEventFindings = readFindings(receivingEvent, 'readReceivingEventFindings', { purged })
export const readMasterProductFindings = readFindings(masterProduct, 'readMasterProductFindings', {})
export const readLocationFindings = readFindings(location, 'readLocationFindings', {})

const readVersionFindings = <K extends RecordKind>(record: K, name: string) =>
  ({
    name,
    method: 'GET',
    path: `${record.path}/{id}/versions/{version}/findings`,
    cites: 'decision 0031',
    summary: `Reads the findings of one version of a ${record.noun}.`,
    description: 'Warnings and gaps as they were judged when that version was submitted.',
    role: 'reader',
    topic: record.nouns,
    record,
    query: {},
    headers: ['If-None-Match'],
    outcomes: outcomesWhen(
      'The provider has no such record with this id, or the record has no such version.',
      'The findings; there may be none.',
      { purged },
    ),
  }) as const satisfies Operation

export const readReceivingEventVersionFindings = readVersionFindings(
  receivingEvent,
  'readReceivingEventVersionFindings',
)
export const readMasterProductVersionFindings = readVersionFindings(masterProduct, 'readMasterProductVersionFindings')
export const readLocationVersionFindings = readVersionFindings(location, 'readLocationVersionFindings')
