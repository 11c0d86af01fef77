// Findings: the warnings and gaps of a record, or of one version of it. Not shown in the contract;
// decided in 0031 and 0065.

import { type RecordKind, recordKinds } from '../../contract/record-kinds.ts'
import { findingsMax, severities } from '../../contract/shape/finding.ts'
import { VersionFindings } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging, type QueryParameter } from '../base/query.ts'
import { ofKinds } from './of-kinds.ts'
import { purged, unmodified } from './read.ts'

const judged = {
  form: 'choice',
  values: ['then', 'now'],
  meaning:
    '`then`: as judged when the version was submitted. `now`: judged again with the current master data, which may have filled a gap since; this answer has no ETag.',
  example: 'now',
} as const satisfies QueryParameter

/** Which of the findings, and how many at once. */
const chosen = {
  rule: { form: 'text', meaning: 'Only findings of this rule.', example: 'product-line/tlc-source' },
  severity: {
    form: 'choice',
    values: ['any', ...severities],
    meaning: 'Only findings of this severity.',
    example: 'gap',
  },
  at: {
    form: 'text',
    meaning: 'Only findings at this place of the record, or inside it, as a JSON Pointer.',
    example: '/eventList/productList/0',
  },
  counts: {
    form: 'boolean',
    meaning: 'When `true`, the answer also counts the findings by rule and by entry of the lists.',
    example: 'true',
  },
  limit: {
    form: 'limit',
    limits: { default: findingsMax, max: findingsMax },
    meaning: `Findings per page, 1 to ${findingsMax}.`,
    example: '100',
  },
  cursor: paging.cursor,
} as const satisfies Readonly<Record<string, QueryParameter>>

const outcomesWhen = (unknown: string, found: string) =>
  ({
    unknownRecord: { status: 404, when: unknown, retry: 'never' },
    purged,
    unmodified,
    found: { status: 200, when: found, body: VersionFindings, retry: 'never' },
  }) as const

const readFindings = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'GET',
    path: `${record.path}/{id}/findings`,
    cites: 'decision 0031',
    summary: `Reads the findings of a ${record.noun}.`,
    description:
      'Warnings and gaps of the current version, each with its place, its remedy and its source: as found when the version was submitted, or as found today. All are counted, and read page by page.',
    role: 'partner',
    topic: record.nouns,
    record,
    query: { judged, ...chosen },
    headers: ['If-None-Match'],
    outcomes: outcomesWhen('The provider has no such record with this id.', 'The findings; there may be none.'),
  }) as const satisfies Operation

const readVersionFindings = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'GET',
    path: `${record.path}/{id}/versions/{version}/findings`,
    cites: 'decision 0031',
    summary: `Reads the findings of one version of a ${record.noun}.`,
    description: 'Warnings and gaps as they were judged when that version was submitted.',
    role: 'partner',
    topic: record.nouns,
    record,
    query: chosen,
    headers: ['If-None-Match'],
    outcomes: outcomesWhen(
      'The provider has no such record with this id, or the record has no such version.',
      'The findings; there may be none.',
    ),
  }) as const satisfies Operation

export const findingsOperations = ofKinds(recordKinds, ['read', 'Findings'], readFindings)
export const versionFindingsOperations = ofKinds(recordKinds, ['read', 'VersionFindings'], readVersionFindings)
