// Asks the service for the result of a record, without storing it. Records that the file itself
// stores before count as stored.

import { isEventKind, location } from '../contract/record-kinds.ts'
import type { Finding } from '../contract/shape/finding.ts'
import { identified, phoneWithAddress } from '../rules/location.ts'
import type { IntakeRecord } from './intake-record.ts'
import { type RecordCalls, type SendOptions, type Sent, sendRecord } from './send-record.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields that an event may omit of a location in master data. */
const settledBySetUp: readonly string[] = [identified.id, phoneWithAddress.id]

const listOf = (value: unknown): readonly Fields[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'object' && one !== null)

const keyOf = (vendor: unknown, code: unknown): string => JSON.stringify([vendor, code])

/** One check of a file, record by record in its order. `setUp` are the locations that it set up. */
export function recordCheck(
  calls: RecordCalls,
  options: Omit<SendOptions, 'dryRun' | 'isSettled'>,
  setUp = new Set<string>(),
): (record: IntakeRecord) => Promise<Sent> {
  const isSettled = ({ payload, kind }: IntakeRecord, { rule, pointer }: Finding) => {
    if (!settledBySetUp.includes(rule) || !isEventKind(kind.name)) return false
    const [, , at] = pointer.split('/')
    const code = listOf(payload.locationMasterList)[Number(at)]?.locationCode
    return listOf(payload[kind.subject]).every(({ dataProviderVendorId }) =>
      setUp.has(keyOf(dataProviderVendorId, code)),
    )
  }
  return async (record) => {
    const sent = await sendRecord(calls, record, { ...options, dryRun: true, isSettled })
    if (record.kind.name === location.name && sent.is !== 'rejected')
      for (const one of listOf(record.payload[record.kind.subject]))
        setUp.add(keyOf(one.dataProviderVendorId, one.locationCode))
    return sent
  }
}
