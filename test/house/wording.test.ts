// Plain wording: short comment lines, and no phrases that need a second reading.
import { expect, test } from 'vitest'
import { filesUnder, textOf } from './tree.ts'

const commentColumnsMax = 100

const isComment = (line: string): boolean => /^\s*(\/\/|\/\*\*|\*)( |$)/.test(line)
/** A line of one long word, such as an address, cannot be wrapped. */
const canBeWrapped = (line: string): boolean => /\S \S.* \S/.test(line.replace(/^\s*(\/\/|\/\*\*|\*)/, ''))

const sources = ['src', 'packages', 'scripts'].flatMap((folder) =>
  filesUnder(folder, /\.(tsx?|mjs)$/).filter((file) => !/generated|node_modules|\/dist\//.test(file)),
)

test(`comments are wrapped at ${commentColumnsMax} columns`, () => {
  const wide = sources.flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line, i) => ({ line, at: `${file}:${i + 1}` }))
      .filter(({ line }) => isComment(line) && [...line].length > commentColumnsMax && canBeWrapped(line))
      .filter(({ line }) => !line.includes('biome-ignore'))
      .map(({ at }) => at),
  )
  expect(wide).toEqual([])
})

/** Better: is reported, nothing, again, is, also, the caller, delete, dismiss, its own. */
const banned = [
  /\b(is|are) told\b/,
  /\band no more\b(?! than)/,
  /\banew\b/,
  /\bstands\b/,
  /\bbesides\b/,
  /\bwho asks\b/,
  /\blets? go of\b/,
  /\bput away\b/,
  /\bof its\b(?! \w)/,
]
const ofUsers = [
  ...filesUnder('src', /\.tsx?$/),
  ...filesUnder('docs', /\.md$/).filter((file) => !file.startsWith('docs/reference/')),
  'README.md',
]

test('texts of users have none of the phrases that need a second reading', () => {
  const found = ofUsers.flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line, i) => ({ line, at: `${file}:${i + 1}` }))
      .filter(({ line, at }) => (at.startsWith('src') ? /['`>]/.test(line) && !isComment(line) : true))
      .flatMap(({ line, at }) =>
        banned.filter((phrase) => phrase.test(line)).map((phrase) => `${at}: ${phrase.source}`),
      ),
  )
  expect(found).toEqual([])
})
