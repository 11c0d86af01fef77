// Records brought in from an archive, as lists and traces find them: the current version, and what
// it is searched by.

import type { WrittenKind } from './record-writer.ts'
import type { ImportedRecord } from './records.ts'
import type { Queryable } from './statement.ts'

/**
 * Makes records ready that are not; what is there stays. Throws what `keyIsHeld` tells when a
 * record that is there holds the key of one.
 */
export async function importRecords<Search>(
  db: Queryable,
  provider: string,
  { rows, statements }: WrittenKind<Search>,
  records: readonly ImportedRecord<Search>[],
): Promise<void> {
  await statements.importing(db, provider, { submitted: records, ...rows.rowsOf(records) })
}
