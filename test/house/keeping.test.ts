// Nothing forgets but the purge, and nothing is changed that the access log does not tell. Sources:
// decisions 0039, 0040.
import { describe, expect, test } from 'vitest'
import { eventKindNames } from '../../src/contract/record-kinds.ts'
import { capitalize } from '../../src/contract/text/capitalize.ts'
import type { Operation } from '../../src/operations/base/operation.ts'
import { catalogue } from '../../src/operations/catalogue.ts'
import { partitionsOf } from '../../src/store/database/partitions.ts'
import { statements } from '../../src/store/database/statement.ts'
import { pluralOf } from '../../src/store/records/event-kinds.ts'
import { filesUnder, placeOf } from './tree.ts'

for (const file of filesUnder('src/store', /\.ts$/)) await import(placeOf(file))

const recordTables = [
  'record',
  'record_version',
  'event',
  'event_code',
  'earlier_lot_code',
  'voided_event',
  ...eventKindNames.flatMap((kind) => Object.values(partitionsOf(kind))),
  'master_product',
  'location',
]

/** `statement table` for each table that a statement does this to. */
const those = (form: RegExp): string[] =>
  [...statements].flatMap(([name, sql]) => [...sql.matchAll(form)].map(([, table = '']) => `${name} ${table}`)).sort()

const deletes = those(/\bDELETE\s+FROM\s+(\w+)/gi)
const updates = those(/(?<!DO |NO KEY |FOR )\bUPDATE\s+(?!OF\b|SET\b)(\w+)/gi)
const inserts = those(/\bINSERT\s+INTO\s+(\w+)/gi)

describe('keeping', () => {
  test('the test sees the statements', () => {
    expect(statements.size).toBeGreaterThan(0)
    expect(deletes.length).toBeGreaterThan(0)
    expect(updates).toContain('replaceReceivingEvents receiving_event')
    expect(updates).toContain('replaceReceivingEventsInPlace record')
    expect(inserts).toContain('createReceivingEvents record_version')
  })

  test('only the purge and the withdrawal of copies delete records; replacements and voids delete what no longer finds the event', () => {
    expect(deletes.filter((one) => recordTables.includes(one.split(' ')[1] ?? ''))).toEqual(
      [
        'purgeVersions earlier_lot_code',
        'purgeVersions event',
        'purgeVersions event_code',
        'purgeVersions record',
        'purgeVersions voided_event',
        'replaceCopiedEvents receiving_event_code',
        'replaceCopiedEvents voided_receiving_event',
        ...eventKindNames.flatMap((kind) => {
          const { codes, voided } = partitionsOf(kind)
          return [`replace${pluralOf(kind)} ${codes}`, `replace${pluralOf(kind)} ${voided}`]
        }),
        ...eventKindNames.flatMap((kind) => {
          const { rows, codes } = partitionsOf(kind)
          return [`void${pluralOf(kind)} ${rows}`, `void${pluralOf(kind)} ${codes}`]
        }),
        'withdrawCopies earlier_lot_code',
        'withdrawCopies event',
        'withdrawCopies event_code',
        'withdrawCopies location',
        'withdrawCopies master_product',
        'withdrawCopies record',
        'withdrawCopies voided_event',
      ].sort(),
    )
  })

  test('nothing changes a version but the purge, which does nothing without an entry in the access log, and the withdrawal of copies, which does nothing outside of the account of a partner', () => {
    expect(updates.filter((one) => one.endsWith(' record_version'))).toEqual([
      'purgeVersions record_version',
      'withdrawCopies record_version',
    ])
    expect(statements.get('purgeVersions')).toMatch(/guard AS MATERIALIZED \([^;]*FROM access_log a WHERE/)
    expect(statements.get('withdrawCopies')).toMatch(
      /chosen AS \([^;]* CROSS JOIN partner_account a\s+WHERE a\.provider_id = \$1/,
    )
  })

  test('nothing changes or deletes a version of a traceability plan', () => {
    expect(inserts).toContain('replaceTraceabilityPlan traceability_plan')
    expect([...updates, ...deletes].filter((one) => one.endsWith(' traceability_plan'))).toEqual([])
  })

  test('what else is deleted is no record: refusals and idempotency keys, each within its bound, what waited for a checkpoint, a recount or its index, what the index has of records that changed, settings, sessions, invitations that were taken, webhooks, and what old corrections and attempts did; alerts that ended long ago; and partners', () => {
    expect(deletes.filter((one) => !recordTables.includes(one.split(' ')[1] ?? ''))).toEqual([
      'copyTimeZones location_time_zone',
      'deleteExpiredIdempotencyKeys idempotency_key',
      'deleteListView list_view',
      'deleteOldCorrectionEvents correction_event',
      'deleteOldWebhookAttempts webhook_attempt',
      'deleteSession session',
      'deleteWebhook webhook',
      'deleteWebhook webhook_attempt',
      'endRecount awaiting_recount',
      'endSessionsOfKey session',
      'endSessionsOfRefused session',
      'insertCheckpoint awaiting_checkpoint',
      'insertSession session',
      'noteRefusals refusal',
      'removeDeletedPartner partner',
      'removeDeletedPartner shared_copy',
      'setCaptureSenders declared_setting',
      'setDisplayName declared_setting',
      'setExemptPlaces declared_setting',
      'setShipNoticeSenders declared_setting',
      'setSourceAddresses declared_setting',
      'setTimeZones location_time_zone',
      'setUnitConversions declared_setting',
      'setVendorTargets declared_setting',
      'storeSearchBlocks awaiting_search',
      'storeSearchBlocks search_block',
      'takeInvitation api_key',
      'updatePerson session',
      'writeAlerts alert',
    ])
  })
})

describe('the access log', () => {
  test('is only ever added to', () => {
    expect([...deletes, ...updates].filter((one) => / access_log/.test(one))).toEqual([])
    expect(inserts.filter((one) => / access_log/.test(one)).length).toBeGreaterThan(0)
  })

  test('has an entry in each statement that changes keys, legal holds or settings, but for the note that a key was used, and time zones in the account of a partner', () => {
    const changing = [...inserts, ...updates]
      .filter((one) =>
        / (api_key|legal_hold|location_time_zone|declared_setting|alert_setting|traceability_plan)$/.test(one),
      )
      .map((one) => one.split(' ')[0] ?? '')
      .filter((name) => !['touchKeys', 'copyTimeZones'].includes(name))
    expect(changing.length).toBeGreaterThan(0)
    expect(changing.filter((name) => !inserts.includes(`${name} access_log`))).toEqual([])
  })

  test('has an entry in each statement by which an administrator changes a webhook', () => {
    const changing = catalogue.filter(
      ({ topic, method, name }) => topic === 'webhooks' && method !== 'GET' && name !== 'testWebhook',
    )
    expect(changing.length).toBeGreaterThan(0)
    expect(changing.filter(({ name }) => !inserts.includes(`${name} access_log`)).map(({ name }) => name)).toEqual([])
  })

  test('has an entry of every file that an operation answers with, but for a drawing to look at, and not of the ids of changes', () => {
    const withFiles = catalogue.filter((operation: Operation) =>
      Object.values(operation.outcomes).some(({ media, bodyType }) => media !== undefined || bodyType !== undefined),
    )
    expect(withFiles.map(({ name, recorded }: Operation) => `${name} ${recorded}`).sort()).toEqual(
      [
        'exportArchive everyFile',
        'exportCorrectionReport everyFile',
        'exportEpcis everyFile',
        'exportFdaPackage everyFile',
        'exportFdaSpreadsheet everyFile',
        'exportScorecardLines everyFile',
        'listChanges undefined',
        'listDifferences savedFiles',
        'saveLocationList everyFile',
        'saveMasterProductList everyFile',
        ...eventKindNames.map((kind) => `save${capitalize(kind)}List everyFile`).sort(),
        'traceChain savedFiles',
        'traceFood savedFiles',
        'traceLot savedFiles',
      ].sort(),
    )
  })
})
