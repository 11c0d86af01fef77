// A statement as PostgreSQL itself understands it: the tree of its analysed query, in which every
// function, operator and type is resolved. PostgreSQL prints it for those who ask
// (debug_print_rewritten).
import pg from 'pg'

/** A node, a list, or a word of the tree. */
export type Tree = string | readonly Tree[] | TreeNode

export interface TreeNode {
  /** As PostgreSQL prints it, e.g. `FUNCEXPR`. */
  readonly type: string
  readonly fields: ReadonlyMap<string, Tree>
}

export const isNode = (tree: Tree | undefined): tree is TreeNode => typeof tree === 'object' && 'type' in tree

/** Prints the tree of each statement that it is asked for. */
export async function withAnalysis<Result>(
  url: string,
  work: (analyse: (sql: string) => Promise<TreeNode>) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('SET client_min_messages = log; SET debug_print_rewritten = on; SET debug_pretty_print = off')
    return await work(async (sql) => {
      const printed: string[] = []
      const listen = ({ message, detail }: { message?: string | undefined; detail?: string | undefined }) => {
        if (message === 'rewritten parse tree:' && detail !== undefined) printed.push(detail)
      }
      client.on('notice', listen)
      await client.query(`PREPARE analysed AS ${sql}`)
      client.off('notice', listen)
      await client.query('DEALLOCATE analysed')
      const queries = printed.flatMap((text) => readTree(text)).filter(isNode)
      // PREPARE itself is a query as well, of the kind of those that have no plan.
      const query = queries.find(({ fields }) => fields.get('commandType') !== '6')
      if (query === undefined) throw new Error(`PostgreSQL printed no tree of: ${sql}`)
      return query
    })
  } finally {
    await client.end()
  }
}

/**
 * Reads what is printed: `{TYPE :field value …}`, `(list)` and words, of which several may be one
 * value.
 */
function readTree(text: string): readonly Tree[] {
  const words = text.match(/[(){}]|(?:\\.|[^\s(){}\\])+/gs) ?? []
  let at = 0
  const readList = (): readonly Tree[] => {
    const list: Tree[] = []
    while (at < words.length && words[at] !== ')') list.push(read())
    at++
    return list
  }
  const readNode = (): TreeNode => {
    const type = words[at++] ?? ''
    const fields = new Map<string, Tree>()
    while (at < words.length && words[at] !== '}') {
      const name = (words[at++] ?? '').slice(1)
      const values: Tree[] = []
      while (at < words.length && words[at] !== '}' && !words[at]?.startsWith(':')) values.push(read())
      fields.set(name, values.length === 1 && values[0] !== undefined ? values[0] : values)
    }
    at++
    return { type, fields }
  }
  const read = (): Tree => {
    const word = words[at++] ?? ''
    return word === '{' ? readNode() : word === '(' ? readList() : word
  }
  const trees: Tree[] = []
  while (at < words.length) trees.push(read())
  return trees.flatMap((tree) => (Array.isArray(tree) ? tree : [tree]))
}
