// The operations of records.
import { countEventsByDay } from './count-events.ts'
import { createOperations } from './create.ts'
import { findingsOperations, versionFindingsOperations } from './findings.ts'
import { listOperations, listVersionsOperations } from './list.ts'
import { listFileOperations } from './list-file.ts'
import { listValuesOperations } from './list-values.ts'
import { listViewOperations } from './list-views.ts'
import { timeZoneOperations } from './location-time-zones.ts'
import { readOperations, readVersionOperations } from './read.ts'
import { listRefusals } from './refusals.ts'
import { replaceOperations } from './replace.ts'
import { search } from './search.ts'
import { voidOperations } from './void.ts'

export const recordOperations = {
  ...createOperations,
  ...replaceOperations,
  ...voidOperations,
  ...readOperations,
  ...findingsOperations,
  ...listOperations,
  ...listValuesOperations,
  ...listFileOperations,
  ...listVersionsOperations,
  ...readVersionOperations,
  ...versionFindingsOperations,
  search,
  ...listViewOperations,
  ...timeZoneOperations,
  listRefusals,
  countEventsByDay,
} as const
