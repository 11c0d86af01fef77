// The corrections of a file in the page, and the device that keeps them.
import '../../support/pages/console-page.ts'

import { beforeEach, expect, test } from 'vitest'
import type { ImportReport } from '../../../src/console/files/file-import.ts'
import { type ImportAction, importStart, nextImportState } from '../../../src/console/state/exchange/import-steps.ts'
import {
  keepMendedFile,
  keptMendedFiles,
  recallMendedFile,
  unmended,
} from '../../../src/console/state/exchange/mended-file.ts'
import { noCounts } from '../../../src/intake/import-run.ts'
import { type Mend, mendKey } from '../../../src/intake/mending/mends.ts'

const file = new File(['a'], 'a.csv', { lastModified: 1 })
const mend: Mend = { sheet: '', row: 3, column: 'Qty', was: 'x', to: '4' }
const other: Mend = { ...mend, row: 4 }
const reportOf = (created: number, rejected: number) =>
  ({ is: 'done', rows: 5, counts: { ...noCounts, created, rejected } }) as unknown as ImportReport

const after = (...actions: readonly ImportAction[]) => actions.reduce(nextImportState, importStart)
const sent = (created: number, rejected: number): readonly ImportAction[] => [
  { is: 'start', as: 'sending', file },
  { is: 'end', report: reportOf(created, rejected), at: created },
]
const begin: ImportAction = { is: 'recall', mended: unmended(file) }

beforeEach(() => localStorage.clear())

test('a change of corrections can be undone, and all of them can be discarded', () => {
  const { mended } = after(begin, { is: 'mend', mends: [mend] }, { is: 'mend', mends: [other] }, { is: 'undo' })
  expect(mended).toMatchObject({ mends: { [mendKey(mend)]: mend }, before: undefined })
  expect(after(begin, { is: 'mend', mends: [mend] }, { is: 'discard' }).mended.mends).toEqual({})
})

test('corrections that were sent are neither undone nor discarded, and each round says how many it had', () => {
  const { mended } = after(
    begin,
    ...sent(1, 2),
    { is: 'mend', mends: [mend] },
    ...sent(2, 1),
    { is: 'mend', mends: [other] },
    { is: 'discard' },
  )
  expect(Object.values(mended.mends)).toEqual([mend])
  expect(mended.rounds.map(({ mended: cells, counts }) => [cells, counts.created, counts.rejected])).toEqual([
    [0, 1, 2],
    [1, 2, 1],
  ])
  const undone = after(begin, { is: 'mend', mends: [mend] }, ...sent(2, 1), { is: 'undo' })
  expect(Object.values(undone.mended.mends)).toEqual([mend])
})

test('corrections are kept for the person and the file, until every record is stored', () => {
  const state = after(begin, { is: 'mend', mends: [mend] }, ...sent(2, 1))
  keepMendedFile('key-1', state.mended)
  // A page that is left writes its drafts.
  dispatchEvent(new Event('pagehide'))
  expect(keptMendedFiles('key-1')).toEqual([{ name: 'a.csv', cells: 1 }])
  expect(keptMendedFiles('key-2')).toEqual([])
  expect(recallMendedFile('key-1', file)).toMatchObject({
    file,
    mends: { [mendKey(mend)]: mend },
    rounds: [{ mended: 1 }],
  })
  expect(recallMendedFile('key-1', new File(['b'], 'a.csv', { lastModified: 2 })).mends).toEqual({})
  keepMendedFile('key-1', [...sent(3, 0)].reduce(nextImportState, state).mended)
  expect(keptMendedFiles('key-1')).toEqual([])
})
