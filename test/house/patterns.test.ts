// Every regular expression of src takes linear time: read off the syntax trees of the sources, and proved one by one.
// A proof is of the text of a pattern: those that take long, and all of lot codes, are kept in a record. Before
// `npm test -- test/house/patterns`, `PATTERNS=new` adds those that are new, and `PATTERNS=all` makes all of them anew.
import { writeFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import { type ESTree, parseSync, Visitor } from 'vite'
import { describe, expect, test, vi } from 'vitest'
import { openapi } from '../../src/http/openapi.ts'
import { allowMs, processorMs } from '../support/patience.ts'
import { filesUnder, placeOf, textOf } from './tree.ts'

vi.setConfig({ testTimeout: allowMs(600_000) })

// Of its forms this one is JavaScript alone; the others are programs for one kind of machine each, which are not installed.
process.env.RECHECK_BACKEND = 'pure'
// A proof over automata is the same each time. It knows nothing that looks around: such an expression is to be written as two.
const proof = { timeout: allowMs(120_000), checker: 'automaton' } as const
// A fuzzer's is the same too if characters bound its tries, and no clock does.
const shortTextProof = { ...proof, checker: 'fuzz', attackTimeout: null, incubationTimeout: null } as const

const recordPath = 'test/house/proved-patterns.txt'
/** What proved the patterns of the record. */
const prover = `recheck ${JSON.parse(textOf('node_modules/recheck/package.json')).version}`
const [recordedProver, ...recorded] = textOf(recordPath).trimEnd().split('\n')
/** `all`: makes every proof anew. With it or `new` the record is written. */
const recording = process.env.PATTERNS
/** What is proved in less processor time is proved in each run. */
const quickMs = 100
/** What the record says of the patterns of now, and what took longer in this run. */
const lasting = new Set<string>()

/** What is wrong with the pattern, or nothing. What the record claims was found out before. */
function faultIn(claim: string, look: () => string | undefined): string | undefined {
  if (recording !== 'all' && recorded.includes(claim)) {
    lasting.add(claim)
    return undefined
  }
  const began = processorMs()
  const fault = look()
  if (fault === undefined && processorMs() - began > quickMs) lasting.add(claim)
  return fault
}

interface Pattern {
  readonly source: string
  readonly flags: string
}

interface Found {
  readonly literals: readonly Pattern[]
  /** Source text of each expression made from text at run time. */
  readonly computed: readonly string[]
}

function patternsIn(file: string, text: string): Found {
  const { program, errors } = parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  expect(errors, file).toEqual([])
  const literals: Pattern[] = []
  const computed: string[] = []
  const note = ({ callee, start, end }: ESTree.NewExpression | ESTree.CallExpression) => {
    if ('name' in callee && callee.name === 'RegExp') computed.push(text.slice(start, end))
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push({ source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: note,
    CallExpression: note,
  }).visit(program)
  return { literals, computed }
}

/** Patterns in the declared shapes, which are compiled by whoever reads them. */
function declaredPatterns(part: unknown): readonly Pattern[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [{ source: value, flags: 'u' }] : declaredPatterns(value),
  )
}

const files = [...filesUnder('src', /\.tsx?$/), ...filesUnder('packages', /\/src\/.*\.ts$/)]
const found = files.map((file) => ({ file, ...patternsIn(file, textOf(file)) }))
const literals = found.flatMap(({ file, literals }) => literals.map((pattern) => ({ file, ...pattern })))
const declared = declaredPatterns(openapi).map((pattern) => ({ file: 'a declared shape', ...pattern }))

/**
 * Their patterns read lot codes as people write them, and look around in them. They read 200
 * characters at most, so that they may take a power of the length of a text.
 */
const ofShortTexts = ['alike-lots', 'lot-placeholder', 'lot-words', 'several-lots'].map(
  (name) => `src/contract/lots/${name}.ts`,
)
const isOfShortTexts = ({ file }: { readonly file: string }): boolean => ofShortTexts.includes(file)

/** What modules make of text while they are loaded. */
async function madeOnLoading(load: () => Promise<unknown>): Promise<readonly Pattern[]> {
  const made: Pattern[] = []
  const Plain = RegExp
  vi.resetModules()
  vi.stubGlobal(
    'RegExp',
    new Proxy(Plain, {
      construct(of, [source, flags]: [string, string?]) {
        made.push({ source, flags: flags ?? '' })
        return new of(source, flags)
      },
    }),
  )
  await load()
  vi.unstubAllGlobals()
  return made
}

/** One of each, with the first file that has it. */
const patterns = [
  ...new Map(
    [...literals.filter((one) => !isOfShortTexts(one)), ...declared]
      .reverse()
      .map((one) => [`/${one.source}/${one.flags}`, one]),
  ).entries(),
].reverse()

describe('regular expressions', () => {
  test('the test sees them all: in code, in types of files, in declared shapes; and none in text or comments', () => {
    const { literals, computed } = patternsIn(
      'sample.tsx',
      '// /a/\nconst a = "/b/"; const c = /c/gi; const d = 4 / 2 / 1; f(`$' +
        '{/e/}`); new RegExp(g); RegExp("h"); <p title="/i/">{/j/}</p>',
    )
    expect(literals.map(({ source, flags }) => source + flags)).toEqual(['cgi', 'e', 'j'])
    expect(computed).toEqual(['new RegExp(g)', 'RegExp("h")'])
    expect(files.length).toBeGreaterThan(0)
    expect(literals.length + found.flatMap((one) => one.literals).length).toBeGreaterThan(0)
    expect(declared.length).toBeGreaterThan(0)
  })

  test('none is made at run time, but for those of dates, which are declared, and of lot codes, which are proved', () => {
    const others = found.filter((one) => !isOfShortTexts(one))
    const computed = others.flatMap(({ file, computed }) => computed.map((text) => `${file}: ${text}`))
    expect(computed).toEqual([
      'src/contract/shape/date-and-time.ts: new RegExp(datePattern)',
      'src/contract/shape/date-and-time.ts: new RegExp(dateTimePattern)',
    ])
  })

  test('the proof can fail', () => {
    expect(checkSync('^(a|a)*$', '', proof).status).toBe('vulnerable')
    expect(checkSync(' +$', '', proof).status).toBe('vulnerable')
  })

  test(`each of the ${patterns.length} takes linear time`, () => {
    const faults = patterns.flatMap(([pattern, { file, source, flags }]) => {
      const fault = faultIn(`linear: ${JSON.stringify(pattern)}`, () => {
        const { status, ...why } = checkSync(source, flags, proof)
        return status === 'safe' ? undefined : `${pattern} is ${status}, ${JSON.stringify(why).slice(0, 200)}`
      })
      return fault === undefined ? [] : [`${file}: ${fault}`]
    })
    expect(faults).toEqual([])
  })

  test('each of lot codes takes at most the third power of the length of a text', async () => {
    const made = await madeOnLoading(() =>
      import('../../src/contract/lots/alike-lots.ts').then(() => import('../../src/contract/lots/lot-placeholder.ts')),
    )
    const computed = found.filter(isOfShortTexts).flatMap((one) => one.computed)
    expect(made.length).toBeGreaterThanOrEqual(computed.length)
    expect(computed.length).toBeGreaterThan(0)
    const looked = [...literals.filter(isOfShortTexts), ...made].map(
      (one) => [`/${one.source}/${one.flags}`, one] as const,
    )
    const faults = [...new Map(looked)].flatMap(([pattern, { source, flags }]) => {
      const claim = `third power: ${JSON.stringify(pattern)}`
      lasting.add(claim)
      // Their proofs take minutes on a busy machine: no run of the tests makes one by the way.
      if (recording === undefined && !recorded.includes(claim)) return `${pattern} is new: run with PATTERNS=new`
      const fault = faultIn(claim, () => {
        const proved = checkSync(source, flags, shortTextProof)
        const isPower = proved.status === 'vulnerable' && proved.complexity.type === 'polynomial'
        const degree = isPower && 'degree' in proved.complexity ? proved.complexity.degree : 0
        const isBounded = proved.status === 'safe' || (isPower && degree <= 3)
        return isBounded ? undefined : `${pattern} is ${JSON.stringify(proved).slice(0, 200)}`
      })
      return fault ?? []
    })
    expect(faults).toEqual([])
    expect(checkSync('^(?=(a|a)*$)', '', shortTextProof).status).toBe('vulnerable')
  })

  test('the record is of the prover that is installed', () => {
    if (recording !== undefined) writeFileSync(placeOf(recordPath), `${[prover, ...[...lasting].sort()].join('\n')}\n`)
    else expect(recordedProver, 'run PATTERNS=all npm test -- test/house/patterns').toBe(prover)
  })

  test.each(['1,', '0a ', 'lot 1 ', '1 -', '(1,', 'best by 3/4 ', '0', '  ', 'see label ', 'L1&'])(
    'a text that is too long for a lot code is looked at in no time: %j over and over',
    async (part) => {
      const [{ furtherLotsIn }, { isPlaceholderLot }, { severalLots }, { withoutWords }] = await Promise.all([
        import('../../src/contract/lots/alike-lots.ts'),
        import('../../src/contract/lots/lot-placeholder.ts'),
        import('../../src/contract/lots/several-lots.ts'),
        import('../../src/contract/lots/lot-words.ts'),
      ])
      const text = part.repeat(1_000_000)
      expect([furtherLotsIn(text), severalLots(text)]).toEqual([[], []])
      isPlaceholderLot(text)
      expect(withoutWords(text)).toBe(text)
    },
  )
})
