// One word for one thing, and a name that says which.
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesUnder, textOf } from './tree.ts'

/** Words that name nothing: what is in there could be anything. */
const emptyWords = ['util', 'utils', 'helper', 'helpers', 'manager', 'service', 'dto', 'misc']

/** As the whole name of a file or of an export; beside a noun it says something. */
const emptyAlone = [...emptyWords, 'common', 'shared', 'types', 'constants', 'index']

/**
 * Words for which the project has another: its vocabulary is docs/glossary.md. Values on the wire
 * are text, not names.
 */
const otherWords: Readonly<Record<string, string>> = {
  supplier: 'vendor',
  seller: 'vendor',
  merchant: 'vendor',
  tenant: 'provider',
  revision: 'version',
  snapshot: 'version',
  violation: 'finding',
  validator: 'rule',
  validation: 'rule',
  endpoint: 'operation',
  shipment: 'receiving event',
  sku: 'item code',
}

const sources = filesUnder('src', /\.(tsx?|sql)$/)
const exportForm =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
const exported = sources.flatMap((file) =>
  [...textOf(file).matchAll(exportForm)].map(([, name = '']) => ({ file, name, words: wordsOf(name) })),
)

function wordsOf(name: string): readonly string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[-_.]/).map((word) => word.toLowerCase())
}

const singular = (word: string): string => word.replace(/s$/, '')

describe('names in src', () => {
  test('the test sees them: many files and many exports, in words', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(exported.length).toBeGreaterThan(0)
    expect(wordsOf('readJSONText')).toEqual(['read', 'json', 'text'])
    expect(wordsOf('record-kinds.test')).toEqual(['record', 'kinds', 'test'])
  })

  test('files and folders are in kebab-case', () => {
    const parts = new Set(sources.flatMap((file) => file.split('/')))
    expect([...parts].filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.tsx?|\.sql)?$/.test(part))).toEqual([])
  })

  test('no file or folder is named by a word that says nothing', () => {
    const parts = sources.flatMap((file) => file.split('/').slice(1))
    const offenders = parts.filter((part) => {
      const name = basename(part).replace(/\.\w+$/, '')
      return emptyAlone.includes(name) || wordsOf(name).some((word) => emptyWords.includes(word))
    })
    expect(offenders).toEqual([])
  })

  test('no export is named by a word that says nothing', () => {
    const offenders = exported.filter(
      ({ name, words }) => emptyAlone.includes(name.toLowerCase()) || words.some((word) => emptyWords.includes(word)),
    )
    expect(offenders).toEqual([])
  })

  test('exports use the words of the project and not their synonyms', () => {
    const offenders = exported.flatMap(({ file, name, words }) =>
      words
        .map((word) => otherWords[word] ?? otherWords[singular(word)])
        .filter((better) => better !== undefined)
        .map((better) => `${file}: ${name} speaks of what is called ${better} here`),
    )
    expect(offenders).toEqual([])
  })

  test('everything exported is declared where it is exported, so that this test sees its name', () => {
    const listed = sources.filter((file) => /^export (?:type )?[{*]/m.test(textOf(file)))
    expect(listed).toEqual([])
  })
})

describe('texts', () => {
  const texts = filesUnder('', /(\.([cm]?[jt]sx?|json|md|sql|ya?ml|sh|css|html)|^\.ci\/\w+|Dockerfile)$/).filter(
    (file) => file !== 'package-lock.json',
  )

  test('the test sees them', () => {
    expect(texts.length).toBeGreaterThan(0)
    expect(texts).toEqual(expect.arrayContaining(['.ci/run', 'package.json', 'test/house/names.test.ts']))
  })

  test.each([
    ['a promise to do something later', /\bTO[D]O\b|\bFIX[M]E\b|\bXX[X]\b/],
    ['a place on the machine it was written on', /(?<![\w.])\/wor[k]\/|(?<![\w.])\/sha[r]ed\b/],
    [
      'the tools it was written with',
      /\bcla[u]de\b|\banth[r]opic\b|\bcop[i]lot\b|\bchat[g]pt\b|\b(?:ai|coding|llm)[- ][a]gents?\b/i,
    ],
  ])('no file holds %s', (_what, form) => {
    expect(texts.filter((file) => form.test(textOf(file)))).toEqual([])
  })
})
