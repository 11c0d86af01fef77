// Makes imported records visible to lists and traces: the current version, and its search values.

import type { Queryable } from '../database/statement.ts'
import type { WrittenKind } from '../records/record-writer.ts'
import type { ImportedRecord } from '../records/records.ts'

/**
 * Makes records visible that are not; others stay as they are. Throws an error that `keyIsHeld`
 * recognises when a stored record has the key of one.
 */
export async function importRecords<Search>(
  db: Queryable,
  provider: string,
  { rows, statements }: WrittenKind<Search>,
  records: readonly ImportedRecord<Search>[],
): Promise<void> {
  await statements.importing(db, { ...rows.rowsOf(records), provider, submitted: records })
}
