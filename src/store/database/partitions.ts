// Names of the partitions of the tables of events: each kind has one of each (decision 0080).
import type { EventKindName } from '../../contract/record-kinds.ts'

/** The partition of a table of events that has those of a kind. */
export const partitionOf = (table: string, kind: EventKindName): string =>
  table.replace(
    'event',
    kind.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
  )

/** The partitions of a kind, which its statements write. */
export const partitionsOf = (kind: EventKindName) => ({
  rows: partitionOf('event', kind),
  codes: partitionOf('event_code', kind),
  voided: partitionOf('voided_event', kind),
})
