// What was rejected is written so that it can be read again: the same rows, the reason beside each,
// and no second reason.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rejectedEntry, rejectedFile } from '../../src/intake/rejected-rows.ts'
import { reasonHeading } from '../../src/intake/template.ts'
import { csvOf, eventHeadings, goodRow, intakeOf, recordsIn } from '../support/files/import-files.ts'
import { eventPayload } from '../support/records/payloads.ts'
import { runs } from '../support/runs.ts'

/** The file of everything that was read, as if all of it were rejected for this reason. */
async function rejectedOf(content: string, name: string, message = 'why'): Promise<{ form: string; text: string }> {
  const all = (await intakeOf(content, name)).flatMap((one) =>
    (one.is === 'record' || one.is === 'fault') && one.from !== undefined
      ? [rejectedEntry({ from: one.from, findings: [{ severity: 'error', row: 1, message }] })]
      : [],
  )
  const file = await rejectedFile(async function* () {
    yield* all
  })
  let text = ''
  for await (const part of file?.parts ?? []) text += typeof part === 'string' ? part : ''
  return { form: file?.form ?? 'none', text }
}

test.each([
  '{}',
  '[1]',
  '{broken',
  '{broken}',
  '"text"',
  '17',
  'null',
  '{"a":1,"a":2}',
  '{ "eventList": {} }',
  '{"x":"}"}',
])('a line %s comes back as it was, with the reason', async (line) => {
  const good = JSON.stringify(eventPayload())
  const { form, text } = await rejectedOf(`${good}\n${line}\n`, 'in.ndjson')
  expect(form).toBe('ndjson')
  const again = await intakeOf(text, 'in.rejected.ndjson')
  const back = again.flatMap((one) => (one.is === 'record' || one.is === 'fault' ? [one] : []))
  const before = (await intakeOf(`${good}\n${line}\n`, 'in.ndjson')).flatMap((one) =>
    one.is === 'record' || one.is === 'fault' ? [one] : [],
  )
  expect(back.map((one) => (one.is === 'record' ? one.payload : one.text))).toEqual(
    before.map((one) => (one.is === 'record' ? one.payload : one.text)),
  )
  // Rejected a second time, it has the second reason and not both.
  const second = await rejectedOf(text, 'in.rejected.ndjson', 'why again')
  expect(second.text.split(reasonHeading).length - 1).toBe(2)
  expect(second.text).not.toContain('"line 1: why"')
})

test('a table gets one column of reasons, however often it is rejected', async () => {
  const first = await rejectedOf(csvOf([eventHeadings, goodRow()]), 'in.csv')
  expect(first.form).toBe('csv')
  const second = await rejectedOf(first.text, 'in.rejected.csv')
  expect(second.text).toBe(first.text)
  const old = csvOf([
    [...eventHeadings, reasonHeading, reasonHeading.toUpperCase()],
    [...goodRow(), 'one', 'two'],
  ])
  const third = await rejectedOf(old, 'old.csv')
  expect(third.text.toLowerCase().split(reasonHeading.toLowerCase()).length - 1).toBe(1)
})

test('a value in a column without a heading is not lost', async () => {
  const { text } = await rejectedOf(csvOf([eventHeadings, [...goodRow(), 'beyond']]), 'in.csv')
  expect(text).toContain('beyond')
  const [record] = recordsIn(await intakeOf(text, 'in.rejected.csv'))
  expect(record?.findings).toMatchObject([{ severity: 'error', message: expect.stringContaining('beyond') }])
})

test('whatever the cells hold, they are read back equal', async () => {
  const cell = fc
    .string({ unit: 'binary', maxLength: 12 })
    .filter((text) => !text.includes('\u0000') && !text.includes('\uFEFF') && text.isWellFormed())
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 3, maxLength: 3 }), async ([lot = '', name = '', order = '']) => {
      const row = goodRow({ caseLotNumber: lot, 'shipFrom.locationName': name, purchaseOrderNumber: order })
      const file = csvOf([eventHeadings, row])
      const [before] = recordsIn(await intakeOf(file, 'in.csv'))
      const [after] = recordsIn(await intakeOf((await rejectedOf(file, 'in.csv')).text, 'in.rejected.csv'))
      expect(after?.payload).toEqual(before?.payload)
    }),
    { numRuns: runs(200) },
  )
})
