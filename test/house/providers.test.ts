// Who calls a statement names its provider last: nothing that a caller sent can replace it.
import { expect, test } from 'vitest'
import { lineOf, type Node, nodesIn } from './source-nodes.ts'
import { filesUnder, textOf } from './tree.ts'

/**
 * Where an argument names the provider and then spreads something else over it: what is spread may
 * have a provider of its own, as a filter or a position that a caller sent.
 */
const providersSpreadOver = (text: string): string[] =>
  [...nodesIn(text)]
    .flatMap(({ type, arguments: given }) => (type === 'CallExpression' ? (given as readonly Node[]) : []))
    .flatMap(({ type, start, properties = [] }) => {
      if (type !== 'ObjectExpression') return []
      const parts = (properties as readonly Node[]).map((part) => text.slice(part.start, part.end as number))
      const named = parts.findIndex((part) => /^provider(?:$|: (?!\{))|^\.\.\..*guard/.test(part))
      const isSpreadOver =
        named >= 0 && parts.slice(named).some((part) => part.startsWith('...') && !/guard/.test(part))
      return isSpreadOver ? [`line ${lineOf(text, start)}: provider`] : []
    })

test('nothing is spread over the provider of a statement', () => {
  const faults = ['src/store', 'src/handlers']
    .flatMap((folder) => filesUnder(folder, /\.ts$/))
    .flatMap((path) => providersSpreadOver(textOf(path)).map((fault) => `${path} ${fault}`))
  expect(faults).toEqual([])
  expect(providersSpreadOver('find(db, { provider, ...wanted })')).toHaveLength(1)
  expect(providersSpreadOver('find(db, { ...wanted, provider })')).toEqual([])
})
