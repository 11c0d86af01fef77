// Workbooks to fill in or correct: what a person types stays text, and nothing in the bytes depends
// on the day.
import { expect, test } from 'vitest'
import { readWorkbook, textIn, unzipped, whole } from '../../../test/support/files/read-workbook.ts'
import { workbookBytes } from '../src/text-workbook.ts'

const sheet = {
  name: 'Codes',
  widths: [12, 30],
  rows: [
    ['code', 'name'],
    ['007', ''],
    ['=1+1', 'last'],
  ],
}
const bytes = () => whole(workbookBytes({ title: 'Title', creator: 'Creator' }, [sheet]))

test('cells are text, and so is what is typed into an empty one', async () => {
  expect((await readWorkbook(await bytes())).get('Codes')).toEqual([
    ['code', 'name'],
    ['007', ''],
    ['=1+1', 'last'],
  ])
  const parts = unzipped(await bytes())
  const xml = textIn(parts['xl/worksheets/sheet1.xml'])
  const [, style] = /<col min="2" max="2" width="30" style="(\d)"/.exec(xml) ?? []
  const [, formats = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(textIn(parts['xl/styles.xml'])) ?? []
  const numberFormats = [...formats.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, format]) => format)
  // 49 is text, in every program.
  expect(numberFormats[Number(style)]).toBe('49')
  expect(xml).not.toMatch(/<f[ >]/)
})

test('the same rows make the same bytes', async () => {
  expect(await bytes()).toEqual(await bytes())
})
