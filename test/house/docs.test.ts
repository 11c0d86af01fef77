// What the documents point at is there.
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keptPages } from '../../scripts/generated-files.ts'
import { slug } from '../../scripts/slug.ts'
import { filesUnder, placeOf, textIfThere, textOf } from './tree.ts'

/** What stands between blanks and has a letter or digit. */
const wordPattern = /\S*[a-z0-9]\S*/gi

describe('decisions', () => {
  const pages = filesUnder('docs/decisions', /\/\d{4}-[a-z0-9-]+\.md$/)
  const numbers = pages.map((page) => posix.basename(page).slice(0, 4))
  const citedIn = (text: string): readonly string[] =>
    [...text.matchAll(/\b(?:decisions?|decided in)[ /](\d{4}(?:(?:, | and )\d{4})*)/g)].flatMap(([, list = '']) =>
      list.split(/, | and /),
    )
  const cited = new Set(filesUnder('src', /\.(tsx?|sql)$/).flatMap((file) => citedIn(textOf(file))))

  test('the test reads citations in every form', () => {
    expect(citedIn('see decision 0004), decided in 0001, 0015. docs/decisions/0019-hostile-input.md')).toEqual([
      '0004',
      '0001',
      '0015',
      '0019',
    ])
    expect(cited.size).toBeGreaterThan(0)
  })

  test.skipIf(filesUnder('docs/decisions', /./).length === 0)(
    'decisions are numbered from 0001 without holes, and every one that src cites has a page',
    () => {
      expect(pages.length).toBeGreaterThan(0)
      expect(filesUnder('docs/decisions', /\/(?!README\.md$)[^/]+$/)).toEqual(pages)
      expect(numbers).toEqual(numbers.map((_, i) => String(i + 1).padStart(4, '0')))
      expect([...cited].filter((number) => !numbers.includes(number)).sort()).toEqual([])
    },
  )

  test.skipIf(pages.length === 0)('the index lists every page in the order of the numbers', () => {
    const listed = [...textOf('docs/decisions/README.md').matchAll(/^\| \[(\d{4})\]\((.*?)\) \|/gm)]
    expect(listed.map(([, , file]) => `docs/decisions/${file}`)).toEqual(pages)
    expect(listed.map(([, number]) => number)).toEqual(numbers)
  })

  test.skipIf(pages.length === 0)('every decision is one screen: at most 60 lines and 500 words', () => {
    const long = pages
      .map((page) => ({ page, text: textOf(page).replaceAll(/\]\([^)]*\)/g, ']') }))
      .map(({ page, text }) => ({
        page,
        lines: text.split('\n').length - 1,
        words: text.match(wordPattern)?.length ?? 0,
      }))
      .filter(({ lines, words }) => lines > 60 || words > 500)
    expect(long).toEqual([])
  })

  test.skipIf(pages.length === 0)('every decision with a page is cited where src follows it', () => {
    expect(numbers.filter((number) => !cited.has(number))).toEqual([])
  })
})

describe('links', () => {
  const documents = filesUnder('', /\.md$/)
  const links = documents.flatMap((file) =>
    [...withoutCode(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => ({ file, target }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  )

  test('every relative link leads to a file, and to a heading of it', () => {
    expect(documents.length).toBeGreaterThan(0)
    expect(links.length).toBeGreaterThan(0)
    const anchors = new Map<string, ReadonlySet<string>>()
    const broken = links.filter(({ file, target }) => {
      const [path = '', fragment] = target.split('#')
      const at = path === '' ? file : posix.join(posix.dirname(file), path)
      if (!existsSync(placeOf(at))) return true
      if (fragment === undefined || !at.endsWith('.md')) return false
      const known = anchors.get(at) ?? anchorsOf(textOf(at))
      anchors.set(at, known)
      return !known.has(fragment)
    })
    expect(broken).toEqual([])
  })

  /** True for a page of the reference that is made on each machine, and is not in git. */
  const isMade = (file: string): boolean =>
    posix.dirname(file) === 'docs/reference' && !keptPages.includes(posix.basename(file))

  test('no page that git keeps leads to one that it does not keep', () => {
    const lost = links.filter(
      ({ file, target }) => !isMade(file) && isMade(posix.join(posix.dirname(file), target.replace(/#.*/, ''))),
    )
    expect(lost).toEqual([])
  })

  test('docs/README.md leads to every page of the documents, and README.md to it', () => {
    const leadsTo = (from: string) =>
      links
        .filter(({ file }) => file === from)
        .map(({ target }) => posix.join(posix.dirname(from), target.replace(/#.*/, '')))
    const pages = filesUnder('docs', /\.md$/).filter(
      (page) => !/^docs\/(README\.md|decisions\/\d)/.test(page) && !isMade(page),
    )
    expect(leadsTo('docs/README.md')).toEqual(expect.arrayContaining(pages))
    expect(leadsTo('README.md')).toContain('docs/README.md')
  })

  test('every picture of the console is shown on a page', () => {
    const shown = links.map(({ file, target }) => posix.join(posix.dirname(file), target))
    expect(shown).toEqual(expect.arrayContaining([...filesUnder('docs/screenshots', /./)]))
  })
})

describe('examples', () => {
  const examples = filesUnder('examples/client', /\.ts$/)

  test.each(examples)('the guide of the integrator shows %s as it is, and links to it', (file) => {
    const guide = textOf('docs/guides/integrator.md')
    const [, body = ''] = /\nconst client = .*\n([\s\S]*)/.exec(textOf(file)) ?? []
    expect(body.trim()).not.toBe('')
    expect(guide).toContain(body.trim())
    expect(guide).toContain(`](../../${file})`)
  })

  test('the guide for receivers shows its program as it is, and links to it', () => {
    const file = 'examples/receiver/receive-webhooks.mjs'
    const guide = textOf('docs/guides/receiver.md')
    expect(guide).toContain(`\`\`\`js\n${textOf(file)}\`\`\``)
    expect(guide).toContain(`](../../${file})`)
  })
})

describe('commands', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> }

  const commandsIn = (text: string): readonly string[] =>
    [...text.matchAll(/\bnpm (?:run (?:-s |--silent )?([\w:-]+)|(start|test)\b)/g)].map(
      ([, script, short]) => script ?? short ?? '',
    )

  test('the test reads commands in every form', () => {
    expect(commandsIn('Run `npm start`, npm test, `npm run verify` or npm run -s build.')).toEqual([
      'start',
      'test',
      'verify',
      'build',
    ])
  })

  test.each(['README.md', 'CONTRIBUTING.md'].filter((file) => textIfThere(file) !== undefined))(
    '%s names only scripts there are',
    (file) => {
      const named = commandsIn(textOf(file))
      expect(named.length).toBeGreaterThan(0)
      expect(named.filter((script) => scripts[script] === undefined)).toEqual([])
    },
  )
})

describe('files', () => {
  const all = filesUnder('', /./)
  /** Of the paths in back ticks those that are the end of no path of the tree. */
  const missingIn = (text: string): readonly string[] =>
    [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|md|sql))`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !/NNNN|^\./.test(path))
      .filter((path) => !all.some((file) => `/${file}`.endsWith(`/${path}`)))

  test('the test finds a file by its path, its room or its name, and misses one that is gone', () => {
    expect(missingIn('`src/rules/judge.ts`, `rules/judge.ts`, `judge.ts`, `src/<room>/a.ts`, `judged.ts`')).toEqual([
      'judged.ts',
    ])
  })

  const guides = all.filter((file) => /^(?:[A-Z]+|docs\/(?!reference\/).+)\.md$/.test(file) && file !== 'CHANGELOG.md')
  test.each(guides)('%s names only files there are', (file) => {
    expect(missingIn(textOf(file))).toEqual([])
  })
})

/** Markdown without fenced and inline code, in which brackets are not links. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

/** Anchors of the headings; the second of the same name gets -1, as on GitHub. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of markdown.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = slug(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    let anchor = plain
    for (let n = 1; anchors.has(anchor); n++) anchor = `${plain}-${n}`
    anchors.add(anchor)
  }
  return anchors
}
