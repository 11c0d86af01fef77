// A call should show what each argument means. So four parameters by place at most, and no flag as
// the last of several: `f(x, true)` says nothing, `f(x, { isStrict: true })` does.
import { expect, test } from 'vitest'
import { lineOf, type Node, nodesIn } from './source-nodes.ts'
import { filesUnder, textOf } from './tree.ts'

const positionalMax = 4

/** The values of a stored finding come one by one (decision 0057), and this sentence names five. */
const open: readonly string[] = ['src/rules/hidden-characters.ts']

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
function faultsIn(text: string, lang?: 'tsx'): string[] {
  return [...nodesIn(text, lang)].flatMap(({ params, start }) => {
    const last = params?.at(-1)
    if (params === undefined || last === undefined) return []
    const fault =
      params.length > positionalMax ? `${params.length} parameters` : params.length > 1 && isFlag(last) ? 'a flag' : ''
    return fault === '' ? [] : [`line ${lineOf(text, start)}: ${fault}`]
  })
}

test('no function has more than four parameters by place, or a flag after others', () => {
  const files = ['src', 'packages']
    .flatMap((folder) => filesUnder(folder, /\.tsx?$/))
    .filter((file) => !/\/(?:test|generated)\//.test(file))
  expect(files.length).toBeGreaterThan(0)
  const faults = files.flatMap((file) =>
    faultsIn(textOf(file), file.endsWith('x') ? 'tsx' : undefined).map((fault) => `${file}, ${fault}`),
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
