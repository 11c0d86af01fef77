// What a partner read, as a person would say it.
import { expect, test } from 'vitest'
import { readsByDay } from '../../../src/console/records/partner-reads.ts'
import { labelOf } from '../../../src/console/words/labels.ts'
import { catalogue } from '../../../src/operations/catalogue.ts'

const access = (operation: string, more: object = {}) => ({
  id: operation,
  beganDateTime: '2026-11-28T16:27:51.000Z',
  who: '1f0c6c2b9a7d4e11',
  keyName: 'Sam Reed',
  operation,
  asked: {},
  ending: 'done' as const,
  records: null,
  bytes: 10,
  ...more,
})

test('each day of a key is one row, with alike requests together, lots and searches named, and files with their size', () => {
  const yesterday = { beganDateTime: '2026-11-27T23:59:59.000Z' }
  expect(
    readsByDay([
      access('exportFdaPackage', { records: 34 }),
      access('exportFdaPackage', { records: 1, ending: 'cutOff' }),
      access('listReceivingEvents', { records: 50 }),
      access('listReceivingEvents', { records: 12 }),
      access('listReceivingEvents', { who: 'other', keyName: null }),
      access('traceLot', { asked: { lotCode: 'GV26062-A' } }),
      access('search', { asked: { text: 'romaine' }, ...yesterday }),
    ]),
  ).toEqual([
    {
      day: '2026-11-28',
      who: '1f0c6c2b9a7d4e11',
      keyName: 'Sam Reed',
      reads: [
        'Downloaded an FDA package with 34 records',
        'Downloaded an FDA package with 1 record, not complete',
        'Looked through receiving events (2 times)',
        'Traced lot GV26062-A',
      ],
    },
    { day: '2026-11-28', who: 'other', keyName: null, reads: ['Looked through receiving events'] },
    { day: '2026-11-27', who: '1f0c6c2b9a7d4e11', keyName: 'Sam Reed', reads: ['Searched for “romaine”'] },
  ])
})

test('every operation of a partner has words of its own', () => {
  const operations = catalogue.filter(({ role }) => ['partner', 'invited'].includes(role)).map(({ name }) => name)
  expect(operations.length).toBeGreaterThan(40)
  const unworded = operations.filter((name) => readsByDay([access(name)])[0]?.reads[0] === labelOf(name))
  expect(unworded).toEqual([])
})
