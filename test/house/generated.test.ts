// What git keeps of the generated files says what the sources say, and the rest is made of them.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clientFiles } from '../../scripts/client-types.ts'
import { generateCommand, keptPages } from '../../scripts/generated-files.ts'
import { referencePages } from '../../scripts/reference.ts'
import { catalogue as operations } from '../../src/operations/catalogue.ts'
import { catalogue as rules } from '../../src/rules/catalogue.ts'
import { placeOf, textIfThere } from './tree.ts'

const pages = referencePages()
const files = [
  ...[...pages].map(([name, text]) => [`docs/reference/${name}`, text] as const),
  ...[...clientFiles()].map(([name, text]) => [`src/client/generated/${name}`, text] as const),
]

test.each(keptPages)('docs/reference/%s changes only where somebody asked for it', (name) => {
  const remedy = `What docs/reference/${name} lists has changed. If that is wanted, run ${generateCommand} and commit the page; the difference is part of the review.`
  expect(textIfThere(`docs/reference/${name}`) === pages.get(name), remedy).toBe(true)
})

test.each(files)('%s is there for this run, made of the sources', (file, text) => {
  expect(textIfThere(file) === text).toBe(true)
})

test.skipIf(!existsSync(placeOf('.git')))(
  'git keeps the pages that are listed, and ignores all other generated files',
  () => {
    const inGit = (...args: string[]) =>
      execFileSync('git', args, { cwd: placeOf(''), encoding: 'utf8' })
        .split('\n')
        .filter(Boolean)
    expect(inGit('ls-files', 'docs/reference', 'src/client/generated')).toEqual(
      keptPages.map((name) => `docs/reference/${name}`),
    )
    expect(inGit('ls-files', '--others', '--exclude-standard', 'docs/reference', 'src/client/generated')).toEqual([])
  },
)

test('the reference names every operation and every rule', () => {
  for (const { name } of operations) expect(pages.get('operations.md')).toContain(`\n### ${name}\n`)
  for (const { id, remedy } of rules) {
    expect(pages.get('rules.md')).toContain(`\n### ${id}\n`)
    expect(pages.get('rules.md')).toContain(remedy)
  }
})

test('the report has a line for each operation, parameter, outcome, rule and field', () => {
  const lines = new Set((pages.get('surface.md') ?? '').split('\n').map((line) => line.trim().replace(/[:,].*/, '')))
  const named = [
    ...operations.flatMap(({ name, query, outcomes }) => [
      name,
      ...Object.keys(query).map((parameter) => `?${parameter}`),
      ...Object.entries(outcomes).map(([outcome, { status }]) => `${status} ${outcome}`),
    ]),
    ...[...(pages.get('fields.md') ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, field = '']) => field),
  ]
  expect(named.length).toBeGreaterThan(1_000)
  expect(named.filter((name) => !lines.has(name))).toEqual([])
  for (const { id, severity } of rules) expect([...lines]).toContain(`${id} (${severity})`)
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
