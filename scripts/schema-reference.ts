// docs/reference/schema.md: tables, columns and indexes as the migrations leave them, read with
// PostgreSQL's own parser.
import { readdirSync, readFileSync } from 'node:fs'
import { loadModule, parseSync } from 'libpg-query'
import '../src/store/database/migrate.ts'
import { statements } from '../src/store/database/statement.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tree of the parser has no types.
type Node = any

interface Column {
  readonly name: string
  readonly type: string
  isRequired: boolean
}

interface Index {
  readonly name: string
  readonly table: string
  /** From its columns on, as written. */
  readonly definition: string
  readonly isUnique: boolean
}

export interface Schema {
  /** Columns by table, in order; the primary key by table. */
  readonly tables: ReadonlyMap<string, { readonly columns: readonly Column[]; readonly key: readonly string[] }>
  readonly indexes: readonly Index[]
  readonly functions: readonly string[]
  /**
   * Comments by the name of what they are on: `table`, `table.column`, or the name of an index or a
   * function.
   */
  readonly comments: ReadonlyMap<string, string>
}

await loadModule()

const folder = new URL('../src/store/migrations/', import.meta.url)

/** The schema that all migrations together make, and the table in which they are listed. */
export function readSchema(): Schema {
  const files = readdirSync(folder).sort()
  const texts = files.map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const tables = new Map<string, { columns: Column[]; key: string[] }>()
  const indexes: Index[] = []
  const functions = new Set<string>()
  const comments = new Map<string, string>()
  for (const text of [statements.get('makeMigrationTable') ?? '', ...texts]) {
    const bytes = Buffer.from(text)
    for (const { stmt, stmt_location: from = 0, stmt_len: length = bytes.length } of parseSync(text).stmts as Node[]) {
      const source = bytes
        .subarray(from, from + length)
        .toString()
        .trim()
      const [[kind, node]] = Object.entries<Node>(stmt) as [[string, Node]]
      // A partition is described with its table.
      if (kind === 'CreateStmt' && node.partbound === undefined)
        tables.set(node.relation.relname, tableOf(node.tableElts))
      if (kind === 'AlterTableStmt') alter(tables.get(node.relation.relname)?.columns ?? [], node.cmds)
      if (kind === 'IndexStmt') indexes.push(indexOf(node, source))
      if (kind === 'CreateFunctionStmt') functions.add(textsOf(node.funcname).join('.'))
      if (kind === 'DropStmt' && node.removeType === 'OBJECT_FUNCTION')
        for (const { ObjectWithArgs } of node.objects) functions.delete(textsOf(ObjectWithArgs.objname).join('.'))
      if (kind === 'CommentStmt') comments.set(commentedOn(node), node.comment)
    }
  }
  return { tables, indexes, functions: [...functions], comments }
}

function tableOf(elements: readonly Node[]): { columns: Column[]; key: string[] } {
  const columns = elements.flatMap(({ ColumnDef }) => (ColumnDef ? [columnOf(ColumnDef)] : []))
  const ofTable = elements.flatMap(({ Constraint }) =>
    Constraint?.contype === 'CONSTR_PRIMARY' ? textsOf(Constraint.keys) : [],
  )
  const ofColumn = elements.flatMap(({ ColumnDef }) => (isWith(ColumnDef, 'CONSTR_PRIMARY') ? [ColumnDef.colname] : []))
  const key = [...ofTable, ...ofColumn]
  for (const column of columns) column.isRequired ||= key.includes(column.name)
  return { columns, key }
}

const columnOf = (node: Node): Column => ({
  name: node.colname,
  type: `${typeNames[textsOf(node.typeName.names).at(-1) ?? ''] ?? textsOf(node.typeName.names).at(-1)}${node.typeName.arrayBounds ? '[]' : ''}`,
  isRequired: isWith(node, 'CONSTR_NOTNULL'),
})

/** Where the parser has another name than the manual of PostgreSQL. */
const typeNames: Readonly<Record<string, string>> = {
  int4: 'integer',
  int8: 'bigint',
  bool: 'boolean',
  float8: 'double precision',
}

const isWith = (column: Node, constraint: string): boolean =>
  (column?.constraints ?? []).some(({ Constraint }: Node) => Constraint.contype === constraint)

function alter(columns: Column[], commands: readonly Node[]): void {
  for (const { AlterTableCmd: command } of commands) {
    if (command.subtype === 'AT_AddColumn') columns.push(columnOf(command.def.ColumnDef))
    const column = columns.find(({ name }) => name === command.name)
    if (command.subtype === 'AT_DropNotNull' && column !== undefined) column.isRequired = false
    if (command.subtype === 'AT_SetNotNull' && column !== undefined) column.isRequired = true
    if (command.subtype === 'AT_DropColumn' || command.subtype === 'AT_AlterColumnType')
      throw new Error(`The page of the schema cannot read ${command.subtype} yet.`)
  }
}

function indexOf(node: Node, source: string): Index {
  const table = node.relation.relname
  const [, definition = ''] = /\sON\s+\w+\s+([\s\S]+)$/.exec(source) ?? []
  return { name: node.idxname, table, definition: definition.replaceAll(/\s+/g, ' '), isUnique: node.unique === true }
}

const commentedOn = ({ object }: Node): string =>
  textsOf(object.List?.items ?? object.ObjectWithArgs?.objname ?? [object]).join('.')

const textsOf = (nodes: readonly Node[] = []): string[] => nodes.map(({ String: text }) => text.sval)

/** The page, after its title. Throws for a table, a column or an index that no comment explains. */
export function schemaSections(
  table: (header: readonly string[], rows: readonly (readonly string[])[]) => string,
): string[] {
  const { tables, indexes, functions, comments } = readSchema()
  const purposeOf = (name: string): string => {
    const comment = comments.get(name)
    if (comment === undefined) throw new Error(`No comment says what ${name} is for. Add COMMENT ON in a migration.`)
    return comment.replaceAll('<', '\\<')
  }
  const columnPurpose = (owner: string, column: string): string =>
    /[A-Z]/.test(column) && !comments.has(`${owner}.${column}`)
      ? '[Field](fields.md) of the contract.'
      : purposeOf(`${owner}.${column}`)
  const code = (text: string): string => `\`${text}\``
  return [
    'For those who read the database. The service alone writes it: a row that another program changes breaks [evidence](../evidence.md). Tables may change with any release.',
    'Every table but `schema_migration` has `provider_id`, the provider whose row it is; it is left out below. It begins every key and index, but for two that find a provider, so that tables can be distributed by it ([0021](../decisions/0021-two-databases-one-dialect.md)). `psql` shows the same comments: `\\d+ record`.',
    table(
      ['Table', 'Holds'],
      [...tables.keys()].map((name) => [`[${name}](#${name})`, purposeOf(name)]),
    ),
    ...[...tables].flatMap(([name, { columns, key }]) => [
      `## ${name}`,
      `${purposeOf(name)} Primary key: ${key.map(code).join(', ')}.`,
      table(
        ['Column', 'Type', 'Null', 'Meaning'],
        columns
          .filter((column) => column.name !== 'provider_id')
          .map((column) => [
            code(column.name),
            column.type,
            column.isRequired ? '' : 'yes',
            columnPurpose(name, column.name),
          ]),
      ),
      ...(indexes.some((index) => index.table === name)
        ? [
            table(
              ['Index', 'On', 'For'],
              indexes
                .filter((index) => index.table === name)
                .map((index) => [
                  code(index.name),
                  `${index.isUnique ? 'unique ' : ''}${code(index.definition)}`,
                  purposeOf(index.name),
                ]),
            ),
          ]
        : []),
    ]),
    '## Functions',
    table(
      ['Function', 'Returns'],
      functions.map((name) => [code(name), purposeOf(name)]),
    ),
  ]
}
