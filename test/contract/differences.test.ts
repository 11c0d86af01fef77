import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differencesBetween, valueAt as shownAt } from '../../src/contract/differences.ts'
import { canonicalJson } from '../../src/contract/json/canonical.ts'
import { deepFrozen, type Json } from '../samples/declared-shapes.ts'
import { runs } from '../support/runs.ts'

const none = { added: [], removed: [], replaced: [] }

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

const valueAt = (value: Json, pointer: string): Json => stepsOf(pointer).reduce((part, step) => part[step], value)

/** Does to `before` what the pointers say, with the values of `after`. */
function applied(before: Json, after: Json): Json {
  const { added, removed, replaced } = differencesBetween(before, after)
  let result: Json = structuredClone(before)
  const parentOf = (pointer: string) => valueAt(result, pointer.slice(0, pointer.lastIndexOf('/')))
  const lastOf = (pointer: string) => stepsOf(pointer).at(-1) ?? ''
  for (const pointer of [...replaced, ...added])
    if (pointer === '') result = structuredClone(after)
    else
      Object.defineProperty(parentOf(pointer), lastOf(pointer), {
        value: structuredClone(valueAt(after, pointer)),
        enumerable: true,
        configurable: true,
        writable: true,
      })
  // Of a list the last entries go first.
  for (const pointer of [...removed].reverse()) {
    const parent = parentOf(pointer)
    if (Array.isArray(parent)) parent.splice(Number(lastOf(pointer)), 1)
    else delete parent[lastOf(pointer)]
  }
  return result
}

describe('the changes between two states', () => {
  it.each<[string, unknown, unknown, object]>([
    ['no field', { a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, none],
    ['a field that is new', { a: 1 }, { a: 1, b: null }, { ...none, added: ['/b'] }],
    ['a field that is gone', { a: 1, b: { c: 1 } }, { a: 1 }, { ...none, removed: ['/b'] }],
    ['a field with another value', { a: 1 }, { a: '1' }, { ...none, replaced: ['/a'] }],
    ['a field deep inside', { a: [{ b: { c: 1 } }] }, { a: [{ b: { c: 2 } }] }, { ...none, replaced: ['/a/0/b/c'] }],
    ['an entry more', { a: [1] }, { a: [1, 2] }, { ...none, added: ['/a/1'] }],
    ['an entry less', { a: [1, 2, 3] }, { a: [1] }, { ...none, removed: ['/a/1', '/a/2'] }],
    ['an object that became a list', { a: {} }, { a: [] }, { ...none, replaced: ['/a'] }],
    ['a list that became null', { a: [] }, { a: null }, { ...none, replaced: ['/a'] }],
    ['names with slash and tilde', { 'a/b~c': 1 }, { 'a/b~c': 2 }, { ...none, replaced: ['/a~1b~0c'] }],
    ['the name constructor', { a: 1 }, { a: 1, constructor: 1 }, { ...none, added: ['/constructor'] }],
  ])('are those of %s', (_title, before, after, expected) => {
    expect(differencesBetween(deepFrozen(before), deepFrozen(after))).toEqual(expected)
  })

  const value = fc.jsonValue({ maxDepth: 4 })
  /** Two values that have much in common. */
  const pair = fc.oneof(
    fc.tuple(value, value),
    fc.tuple(value, value, value, value).map(([a, b, c, d]) => [
      { same: a, list: [a, b, c], object: { a, b, c }, gone: d },
      { new: d, object: { c, b: d, a, d }, list: [a, d], same: a },
    ]),
  )

  it('turn the one into the other when they are applied', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        expect(canonicalJson(applied(deepFrozen(before), deepFrozen(after)))).toBe(canonicalJson(after))
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('are none between a value and itself, and swap added and removed the other way round', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        expect(differencesBetween(before, structuredClone(before))).toEqual(none)
        const [there, back] = [differencesBetween(before, after), differencesBetween(after, before)]
        expect([...there.added].sort()).toEqual([...back.removed].sort())
        expect([...there.replaced].sort()).toEqual([...back.replaced].sort())
      }),
    )
  })
})

describe('the value at a pointer', () => {
  it('is what the pointer names, whatever the names look like, and undefined where nothing is', () => {
    const document = { 'a/b': [{ '~1': 'found' }], toString: undefined } as Json
    expect(shownAt(document, '/a~1b/0/~01')).toBe('found')
    expect(shownAt(document, '')).toBe(document)
    for (const nowhere of ['/a~1b/1', '/x/y/z', '/constructor', '/a~1b/length/x', '/a~1b/0/~01/0/0'])
      expect(shownAt(document, nowhere)).toBeUndefined()
  })
})
