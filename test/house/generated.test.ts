// The reference says what the sources say.
import { expect, test } from 'vitest'
import { clientFiles } from '../../scripts/client-types.ts'
import { generateCommand, referencePages } from '../../scripts/generate.ts'
import { catalogue as operations } from '../../src/operations/catalogue.ts'
import { catalogue as rules } from '../../src/rules/catalogue.ts'
import { filesUnder, textIfThere } from './tree.ts'

const pages = referencePages()
const remedy = `Run \`${generateCommand}\` and commit what it wrote.`

test.each([...pages])('docs/reference/%s is current', (name, text) => {
  expect(textIfThere(`docs/reference/${name}`) === text, `docs/reference/${name} is out of date. ${remedy}`).toBe(true)
})

test.each([...clientFiles(generateCommand)])('src/client/generated/%s is current', (name, text) => {
  expect(textIfThere(`src/client/generated/${name}`) === text, `${name} is out of date. ${remedy}`).toBe(true)
})

test('docs/reference holds the generated pages and nothing else', () => {
  expect(pages.size).toBeGreaterThan(0)
  expect(filesUnder('docs/reference', /./), remedy).toEqual([...pages.keys()].map((name) => `docs/reference/${name}`))
})

test('the reference names every operation and every rule', () => {
  for (const { name } of operations) expect(pages.get('operations.md')).toContain(`\n### ${name}\n`)
  for (const { id, remedy } of rules) {
    expect(pages.get('rules.md')).toContain(`\n### ${id}\n`)
    expect(pages.get('rules.md')).toContain(remedy)
  }
})

test('every field of a payload says what it means, a value, and where the contract defines it', () => {
  const rows = (pages.get('fields.md') ?? '').split('\n').filter((line) => /^\| `/.test(line))
  const ofPayloads = rows.map((row) => row.split(' | ')).filter((cells) => cells.length === 6)
  expect(ofPayloads.length).toBeGreaterThan(0)
  expect(ofPayloads.filter((cells) => cells.some((cell) => /^(–|)( \|)?$/.test(cell)))).toEqual([])
})

test('the pages come out the same each time', () => {
  expect(referencePages()).toEqual(pages)
})
