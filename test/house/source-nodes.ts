// A source text as its parser reads it.
import { parseAst } from 'vite'

export interface Node {
  readonly type: string
  readonly start: number
  readonly params?: readonly Node[]
  readonly [property: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Every node of a source text. */
export const nodesIn = (text: string, lang: 'ts' | 'tsx' = 'ts'): Generator<Node> =>
  nodesBelow(parseAst(text, { lang }))

function* nodesBelow(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesBelow(one)
  else if (isNode(value)) {
    yield value
    for (const property of Object.values(value)) if (typeof property === 'object') yield* nodesBelow(property)
  }
}

/** The number of the line in which a node starts. */
export const lineOf = (text: string, start: number): number => text.slice(0, start).split('\n').length
