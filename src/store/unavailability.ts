// Why the store could not execute a statement: the meaning of an error for the caller, decided
// once.
import { QueueFull } from './database/batched-statement.ts'
import { addedVersionIn, type DatabaseTrouble, troubleOf } from './database/database-errors.ts'
import { Unsettled } from './database/settle.ts'
import { DamagedRecord } from './evidence/damaged-record.ts'
import { PurgedMeanwhile } from './records/event-selection.ts'

/** A cause that passes; the same request may be sent again. */
type Passing = DatabaseTrouble | 'queueFull' | 'unsettled' | 'purgedMeanwhile'

const remedy =
  'Sending the request again does not help. The operator finds everything that is damaged with `lotkeeper doctor`, and restores it from a backup or an archive.'

/** The meaning of an error; undefined when it is a fault of the program. */
export function unavailabilityOf(
  error: unknown,
): { readonly is: Passing; readonly code?: string | undefined } | { readonly damage: string } | undefined {
  if (error instanceof QueueFull) return { is: 'queueFull' }
  if (error instanceof Unsettled) return { is: 'unsettled' }
  if (error instanceof PurgedMeanwhile) return { is: 'purgedMeanwhile' }
  if (error instanceof DamagedRecord) return { damage: `${error.message} ${remedy}` }
  const added = addedVersionIn(error)
  if (added !== undefined)
    return {
      damage: `Version ${added.version} of record ${added.id} is in the database, but the record does not name it: it was added. ${remedy}`,
    }
  return troubleOf(error)
}
