// The tables of a database, as its own catalogue has them: a backup forgets none, whichever migration made it.
import { escapeIdentifier, type PoolClient } from 'pg'
import { type Queryable, statement } from '../statement.ts'

export interface Table {
  /** Named with it: `record` alone is a type of PostgreSQL. */
  readonly schema: string
  readonly name: string
  /** Columns that are written; generated ones are made from them. */
  readonly columns: readonly string[]
}

interface TableRow extends Table {
  /** Tables that its foreign keys name. */
  readonly needs: readonly string[]
}

// No provider: a backup is of the whole database. The noted migrations are in the head of the backup, and no part of its rows.
const allTables = statement<TableRow>(
  'allTables',
  `SELECT current_schema() AS schema, c.relname AS name,
          ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                ORDER BY a.attnum) AS columns,
          ARRAY(SELECT f.relname::text FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class f ON f.oid = k.confrelid
                WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS needs
   FROM pg_catalog.pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relname <> 'schema_migration'
   ORDER BY c.relname`,
)

/** Every table that holds data, each after those its foreign keys name. */
export async function readTables(db: Queryable): Promise<readonly Table[]> {
  const waiting = new Map((await allTables(db, [])).map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ needs }) => !needs.some((name) => waiting.has(name)))
    if (ready.length === 0) throw new Error(`The foreign keys of ${[...waiting.keys()].join(', ')} run in a circle.`)
    for (const { schema, name, columns } of ready) {
      waiting.delete(name)
      ordered.push({ schema, name, columns })
    }
  }
  return ordered
}

/** What is said of a table whose name only the catalogue knows. `T` stands for the table, `C` for its columns. */
const forms = {
  lock: 'LOCK TABLE T IN ACCESS SHARE MODE',
  count: 'SELECT count(*)::float8 AS count FROM T',
  holdsRows: 'SELECT EXISTS (SELECT 1 FROM T) AS "holdsRows"',
  openPages: 'DECLARE pages NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS row FROM T AS r',
  // A cursor takes its number of rows as a word of the statement.
  page1: 'FETCH 1 FROM pages',
  page8: 'FETCH 8 FROM pages',
  page64: 'FETCH 64 FROM pages',
  page512: 'FETCH 512 FROM pages',
  closePages: 'CLOSE pages',
  insert: 'INSERT INTO T (C) SELECT C FROM json_populate_recordset(NULL::T, $1::json)',
  analyze: 'ANALYZE T',
} as const

/** Runs one of the forms on a table of the catalogue. The only place where a name becomes part of a statement, quoted. */
export async function onTable<Row extends object>(
  client: PoolClient,
  form: keyof typeof forms,
  { schema, name, columns }: Table,
  values: unknown[] = [],
): Promise<readonly Row[]> {
  const text = forms[form].replaceAll(/\b[TC]\b/g, (letter) =>
    letter === 'T' ? `${escapeIdentifier(schema)}.${escapeIdentifier(name)}` : columns.map(escapeIdentifier).join(', '),
  )
  return (await client.query<Row>({ text, values })).rows
}
