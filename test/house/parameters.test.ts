// A call should show what each argument means. So four parameters by place at most, and no flag as
// the last of several: `f(x, true)` says nothing, `f(x, { isStrict: true })` does.
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { filesUnder, textOf } from './tree.ts'

const positionalMax = 4

/** The values of a stored finding come one by one (decision 0057), and this sentence names five. */
const open: readonly string[] = ['src/rules/hidden-characters.ts']

interface Node {
  readonly type: string
  readonly start: number
  readonly params?: readonly Node[]
  readonly [property: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one)
  else if (isNode(value)) {
    yield value
    for (const property of Object.values(value)) if (typeof property === 'object') yield* nodesIn(property)
  }
}

/** Whether a parameter is a flag, by its type or its default. */
function isFlag(param: Node): boolean {
  if (param.type === 'AssignmentPattern') {
    const { left, right } = param as unknown as { readonly left: Node; readonly right: { readonly value?: unknown } }
    return typeof right.value === 'boolean' || isFlag(left)
  }
  const { typeAnnotation: declared } = param as { readonly typeAnnotation?: { readonly typeAnnotation: Node } }
  const type = declared?.typeAnnotation
  const types = type?.type === 'TSUnionType' ? (type.types as readonly Node[]) : type === undefined ? [] : [type]
  return types.some((one) => one.type === 'TSBooleanKeyword')
}

/** Where functions of a source text have too many parameters by place, or a flag at the end. */
function faultsIn(text: string, lang: 'ts' | 'tsx' = 'ts'): string[] {
  return [...nodesIn(parseAst(text, { lang }))].flatMap(({ params, start }) => {
    const last = params?.at(-1)
    if (params === undefined || last === undefined) return []
    const fault =
      params.length > positionalMax ? `${params.length} parameters` : params.length > 1 && isFlag(last) ? 'a flag' : ''
    return fault === '' ? [] : [`line ${text.slice(0, start).split('\n').length}: ${fault}`]
  })
}

/**
 * Where an argument names the provider and then spreads something else over it: what is spread may
 * have a provider of its own, as a filter or a position that a caller sent.
 */
const providersSpreadOver = (text: string): string[] =>
  [...nodesIn(parseAst(text, { lang: 'ts' }))]
    .flatMap(({ type, arguments: given }) => (type === 'CallExpression' ? (given as readonly Node[]) : []))
    .flatMap(({ type, start, properties = [] }) => {
      if (type !== 'ObjectExpression') return []
      const parts = (properties as readonly Node[]).map((part) => text.slice(part.start, part.end as number))
      const named = parts.findIndex((part) => /^provider(?:$|: (?!\{))|^\.\.\..*guard/.test(part))
      const isSpreadOver =
        named >= 0 && parts.slice(named).some((part) => part.startsWith('...') && !/guard/.test(part))
      return isSpreadOver ? [`line ${text.slice(0, start).split('\n').length}: provider`] : []
    })

test('nothing is spread over the provider of a statement', () => {
  const faults = ['src/store', 'src/handlers']
    .flatMap((folder) => filesUnder(folder, /\.ts$/))
    .flatMap((path) => providersSpreadOver(textOf(path)).map((fault) => `${path} ${fault}`))
  expect(faults).toEqual([])
  expect(providersSpreadOver('find(db, { provider, ...wanted })')).toHaveLength(1)
  expect(providersSpreadOver('find(db, { ...wanted, provider })')).toEqual([])
})

test('no function has more than four parameters by place, or a flag after others', () => {
  const files = ['src', 'packages']
    .flatMap((folder) => filesUnder(folder, /\.tsx?$/))
    .filter((file) => !/\/(?:test|generated)\//.test(file))
  expect(files.length).toBeGreaterThan(0)
  const faults = files.flatMap((file) =>
    faultsIn(textOf(file), file.endsWith('x') ? 'tsx' : 'ts').map((fault) => `${file}, ${fault}`),
  )
  expect(faults.filter((fault) => !open.some((place) => fault.startsWith(place)))).toEqual([])
  expect(open.filter((place) => !faults.some((fault) => fault.startsWith(place)))).toEqual([])
})

test.each([
  'function f(a: A, b: B, c: C, d: D, e: E) {}',
  'const f = (a: A, isB: boolean) => a',
  'const f = (a: A, isB = false) => a',
  'class A { #f(a: A, isB?: boolean | undefined) {} }',
  'interface A { readonly f: (a: A, isB: boolean) => void }',
])('the test refuses %s', (text) => {
  expect(faultsIn(text)).not.toEqual([])
})

test.each([
  'const f = (isB: boolean) => isB',
  'function f(a: A, b: B, c: C, { d, isE }: { readonly d: D; readonly isE: boolean }) {}',
  'const f = (isB: boolean, a: A) => a',
])('the test lets pass %s', (text) => {
  expect(faultsIn(text)).toEqual([])
})
