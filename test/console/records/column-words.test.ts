// Columns of a sheet in the words of the screen.
import { expect, test } from 'vitest'
import { columnLabel, eventGroups } from '../../../src/console/records/column-words.ts'
import { eventKindNames } from '../../../src/contract/record-kinds.ts'
import { eventTables } from '../../../src/intake/template.ts'

test.each(eventKindNames)('each column of a sheet of %s is in one group to choose from, and has a label', (kind) => {
  const { columns } = eventTables[kind]
  const offered = eventGroups(kind).flatMap((group) => group.columns)
  expect(new Set(offered)).toEqual(new Set(columns))
  expect(offered).toHaveLength(columns.length)
  for (const { name } of columns) expect(columnLabel(name, kind)).not.toContain('undefined')
})
