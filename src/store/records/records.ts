// How records of every kind are written. A kind declares its search row; record, version and
// evidence are written here. Each write is one statement, so that all of it commits together or not
// at all (decision 0059).
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { type Creation, multirangeOf, type RecordWrite, type Replacement, type Writer } from '../base/writes.ts'
import { columnsOfPart, type Queryable, type RowColumns, statement } from '../database/statement.ts'
import { awaitingInserted } from '../evidence/checkpoints.ts'
import { searchAwaited } from './search-blocks.ts'

/** A record that `search` found, and its writer. */
export interface Found<Search> {
  readonly id: string
  readonly search: Search
}

/** How records of a kind are found: the search row, and the rows written with it. */
export interface SearchRows<Search> {
  readonly kind: RecordKindName
  /** Names its statements: `createReceivingEvents`. */
  readonly plural: string
  /** Table of the search rows. */
  readonly table: string
  /** Columns sent with each record, under the names that the SQL below uses. */
  readonly columns: RowColumns<Search>
  /**
   * Sets of rows that belong to the search row, and those that `followed` reads, with their values
   * for some records.
   */
  readonly sets: Readonly<Record<string, RowColumns<never>>>
  readonly followedSets: Readonly<Record<string, RowColumns<never>>>
  readonly rowsOf: (records: readonly Found<Search>[]) => Readonly<Record<string, readonly object[]>>
  /**
   * Hash of everything that determines the search rows, for kinds whose replacements mostly leave
   * them as they are.
   */
  readonly searchHash?: (search: Search) => Buffer
  /**
   * The fields compared with other records, for the row of the record: a replacement writes that
   * row in any case, and mostly leaves the search row alone.
   */
  readonly compared?: (search: Search) => string | null
  /**
   * A key that only one record of a provider can have: its unique index, and the columns of that
   * behind provider_id, in order, with the columns of `s` that they are compared with.
   */
  readonly key?: { readonly index: string; readonly columns: readonly KeyColumn[] }
  /**
   * True where rules judge by master data: the number of the last recount is locked
   * (`recount_now`), and rows have `judged_in`.
   */
  readonly judgedByMasterData: boolean
  /** Columns of the search row `e` as it was, which `followed` reads. */
  readonly before?: { readonly sql: string; readonly names: string }
  /** Columns of the search row, as SQL, and the columns that are sent for them. */
  readonly stored: readonly StoredColumn[]
  /** Table of the rows of the set `codes`. */
  readonly codes?: string
  /** Queries that insert the search rows of a query `from`. */
  readonly inserted: (from: string) => string
  /** Queries that update them. */
  readonly updated: (from: string) => string
  /**
   * Queries that follow from the `accepted` rows, before search rows change; `to_recount` has a row
   * for each cause of a recount.
   */
  readonly followed: (write: 'create' | 'replace') => string
  /** Other records that `followed` writes: a query with `writtenColumns`. */
  readonly alsoWritten?: string
}

/** A column of a unique key, and the one that is sent for it. */
type KeyColumn = readonly [column: string, sent: string]
export type StoredColumn = readonly [column: string, sent: string]

/** The queries of a kind whose search row is one row of one table. */
export const searchRowWrites = (
  table: string,
  stored: readonly StoredColumn[],
): Pick<SearchRows<never>, 'table' | 'stored' | 'inserted' | 'updated'> => ({
  table,
  stored,
  inserted: (from) => `search_rows AS (
  INSERT INTO ${table} (provider_id, id, ${stored.map(([column]) => column).join(', ')})
  SELECT $1, id, ${stored.map(([, sent]) => sent).join(', ')} FROM ${from}
)`,
  updated: (from) => `search_rows AS (
  UPDATE ${table} e
  SET ${stored.map(([column, sent]) => `${column} = a.${sent}`).join(', ')}
  FROM ${from} a
  WHERE e.provider_id = $1 AND e.id = a.id
)`,
})

/**
 * A query of the id of the record that holds the key which `s` has, as `h.id`. It is the first row
 * of the unique index from that key on: so PostgreSQL cannot take an index of one of the columns,
 * and read all records with that value (decision 0086).
 */
const holderOf = (table: string, columns: readonly KeyColumn[]): string => {
  const named = columns.map(([column]) => column)
  const list = (of: string) => named.map((column) => `${of}.${column}`).join(', ')
  const sent = columns.map(([, name]) => `s.${name}`).join(', ')
  return `SELECT h.id FROM (
    SELECT o.id, ${list('o')} FROM ${table} o
    WHERE o.provider_id = $1 AND (${list('o')}) >= (${sent})
    ORDER BY ${list('o')}
    LIMIT 1
  ) h
  WHERE (${list('h')}) = (${sent})`
}

/**
 * The parts that kinds of master data share: no rows are written beside the record, and each write
 * causes a recount, under the code before and after. `column` is that of the code, as SQL.
 */
export const asMasterData = (what: 'location' | 'item', column: string) =>
  ({
    sets: {},
    followedSets: {},
    rowsOf: () => ({}),
    judgedByMasterData: false,
    before: {
      sql: `e."dataProviderVendorId" AS vendor_before, e.${column} AS code_before`,
      names: 'seen.vendor_before, seen.code_before',
    },
    followed: (write) => `to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code)
  SELECT $1, '${what}', c.vendor, c.code
  FROM (
    SELECT vendor, code FROM accepted${write === 'create' ? '' : ' UNION SELECT vendor_before, code_before FROM accepted'}
  ) AS c
  RETURNING id
)`,
  }) satisfies Partial<SearchRows<never>>

/** A record to write, by whom, and on which condition. */
export interface Submitted<Search> extends Found<Search> {
  readonly record: RecordWrite<Search>
  readonly writer: Writer
  /** Number of its create. */
  readonly n?: number
  readonly allowed?: Replacement<Search>['allowed']
}

/** Records to write. Their search rows bring sets of their own: `SearchRows.rowsOf`. */
interface Submission<Search> {
  readonly provider: string
  readonly submitted: readonly Submitted<Search>[]
}

/** A record that was stored elsewhere. */
export interface ImportedRecord<Search> extends Found<Search> {
  readonly version: number
  readonly contentHash: Buffer
  readonly versionHash: Buffer
}

/** The row with which a create statement answers each create. */
interface CreationRow {
  readonly n: number
  readonly outcome: 'created' | 'repeated' | 'taken'
  readonly recountDue: boolean
}

/**
 * The row with which a replace statement answers each known record; `version` is the one before the
 * statement. `again`: nothing was written; run the statement that writes search rows, which reads
 * the record again.
 */
export interface ReplacementRow {
  readonly id: string
  readonly outcome: 'replaced' | 'unchanged' | 'stale' | 'taken' | 'again'
  readonly version: number
  readonly recountDue: boolean
}

/** Columns of a stored version; `version` is the one before it, 0 for the first. */
export const writtenColumns =
  'id, kind, version, at, key_id, request_id, payload_id, content_hash, search_hash, compared, reason, findings, body, next_hash'

const noHash = Buffer.alloc(0)

/** A create, by its number. */
interface Asked {
  readonly creation: Creation<unknown>
  readonly n: number
}

const claimColumns: RowColumns<Asked> = {
  n: 'integer',
  idempotency_key: ['text', ({ creation }) => creation.claim?.key ?? null],
  operation: ['text', ({ creation }) => creation.claim?.operation ?? null],
  fingerprint: ['bytea', ({ creation }) => creation.claim?.fingerprint ?? null],
  record_ids: ['text', ({ creation }) => `{${creation.records.map(({ id }) => id).join(',')}}`],
}

/**
 * A query of the versions to store, from one with the parts of their hashes and `version`, the one
 * before. The stored time is the hashed one. `reason` and `voidReason` are columns, where there are
 * such.
 */
export const hashVersions = (
  kind: RecordKindName,
  from: string,
  { reason = 'NULL', voidReason = 'NULL' } = {},
): string =>
  `SELECT a.*, '${kind}' AS kind, now() AS at,
         version_hash_of('${kind}', a.id, a.version + 1, now(), a.key_id, a.content_hash,
           detail_hash_of(a.payload_id, ${voidReason}, ${reason}, a.findings, a.body), a.previous_hash) AS next_hash
  FROM (${from}) a`

const recordsInserted = `records_inserted AS (
  INSERT INTO record (provider_id, id, kind, version, content_hash, version_hash, search_hash, compared)
  SELECT $1, id, kind, 1, content_hash, next_hash, search_hash, compared FROM written WHERE version = 0
)`

/**
 * `alsoSelected` are rows of records that stay at their version. The rows are a query of their own:
 * PostgreSQL re-evaluates a row that was changed while the statement waited for it, and then loses
 * rows that come from a UNION inside the UPDATE.
 */
const recordsUpdated = (alsoSelected = ''): string => `kept AS MATERIALIZED (
  SELECT id, version + 1 AS version, content_hash, next_hash, search_hash, compared FROM written WHERE version > 0${alsoSelected}
), records_updated AS (
  UPDATE record r
  SET version = k.version, content_hash = k.content_hash, version_hash = k.next_hash, search_hash = k.search_hash, compared = k.compared
  FROM kept k
  WHERE r.provider_id = $1 AND r.id = k.id
)`

const versionsStored = `versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, payload_id, content_hash, detail, version_hash, reason)
  SELECT $1, id, version + 1, kind, at, key_id, request_id, payload_id, content_hash, ARRAY[body, findings], next_hash, reason
  FROM written
), awaiting AS (
  ${awaitingInserted('(SELECT id, version + 1 AS version FROM written) v')}
)`

const searched = (from: string): string => `to_search AS (
  ${searchAwaited(from)}
)`

/**
 * The number of the last recount, locked against the next one, when one of the records was judged
 * with master data. A recount that began after those were looked up may have missed these events,
 * so they are counted again. Otherwise nothing is locked.
 */
const recountLocked = `recount_now AS MATERIALIZED (
  SELECT c.number
  FROM recount c
  WHERE c.provider_id = $1 AND EXISTS (SELECT 1 FROM submitted s WHERE s.judged_in IS NOT NULL)
  FOR SHARE
), `

/** Columns that every statement of a kind sends, and parts of SQL that several have. */
function partsOf<Search>(rows: SearchRows<Search>) {
  const { table, key, searchHash = () => noHash, compared: comparedOf = () => null } = rows
  const ofSearch = columnsOfPart(rows.columns, ({ search }: Found<Search>) => search)
  const ofRecord: RowColumns<Submitted<Search>> = {
    id: 'uuid',
    key_id: ['text', ({ writer }) => writer.keyId],
    request_id: ['uuid', ({ writer }) => writer.requestId],
    payload_id: ['text', ({ writer }) => writer.payloadId],
    content_hash: ['bytea', ({ record }) => record.contentHash],
    search_hash: ['bytea', ({ search }) => searchHash(search)],
    compared: ['text', ({ search }) => comparedOf(search)],
    findings: ['text', ({ record }) => record.findings],
    body: ['text', ({ record }) => record.body],
  }
  const ofCreation: RowColumns<Submitted<Search>> = { n: 'integer', ...ofRecord }
  const ofReplacement: RowColumns<Submitted<Search>> = {
    ...ofRecord,
    reason: ['text', ({ writer }) => writer.reason ?? null],
    allowed: ['int4multirange', ({ allowed }) => (allowed === undefined ? null : multirangeOf(allowed))],
  }
  return {
    ofSearch,
    ofCreation,
    ofReplacement,
    searchHash,
    comparedOf,
    /** The holder of the key that `s` has; undefined of a kind without one. */
    holder: key && holderOf(table, key.columns),
    recountNow: rows.judgedByMasterData ? recountLocked : '',
    afterRecountNow: rows.judgedByMasterData ? ' AND (SELECT count(*) FROM recount_now) >= 0' : '',
    written: `written AS MATERIALIZED (
  SELECT ${writtenColumns} FROM accepted${rows.alsoWritten === undefined ? '' : `\n  UNION ALL\n  ${rows.alsoWritten}`}
)`,
  }
}

function declareCreate<Search>(rows: SearchRows<Search>, parts: ReturnType<typeof partsOf<Search>>) {
  const { kind, plural } = rows
  const { ofCreation, ofSearch, recountNow, holder, written } = parts
  return statement<CreationRow, Submission<Search> & { asked: readonly Asked[] }>(
    `create${plural}`,
    `WITH asked AS (
  SELECT * FROM $asked
), submitted AS (
  SELECT * FROM $submitted
), ${recountNow}taken AS MATERIALIZED (
  ${holder === undefined ? 'SELECT a.n FROM asked a WHERE false' : `SELECT DISTINCT s.n FROM submitted s WHERE EXISTS (${holder})`}
), claims AS (
  INSERT INTO idempotency_key (provider_id, idempotency_key, operation, fingerprint, record_ids)
  SELECT $1, idempotency_key, operation, fingerprint, record_ids::uuid[]
  FROM asked
  WHERE idempotency_key IS NOT NULL AND n NOT IN (SELECT n FROM taken)
  ON CONFLICT (provider_id, idempotency_key) DO NOTHING
  RETURNING idempotency_key
), decided AS MATERIALIZED (
  SELECT a.n,
         CASE
           WHEN a.n IN (SELECT n FROM taken) THEN 'taken'
           WHEN a.idempotency_key IS NULL OR a.idempotency_key IN (SELECT idempotency_key FROM claims) THEN 'created'
           ELSE 'repeated'
         END AS outcome
  FROM asked a
), accepted AS (
  ${hashVersions(kind, `SELECT s.*, NULL::text AS reason, 0 AS version, NULL::bytea AS previous_hash FROM submitted s JOIN decided d ON d.n = s.n AND d.outcome = 'created'`)}
), ${rows.followed('create')}, ${rows.inserted('accepted')}, ${written}, ${recordsInserted}, ${
      rows.alsoWritten === undefined ? '' : `${recordsUpdated()}, `
    }${versionsStored}, ${searched('written')}
SELECT n, outcome, EXISTS (SELECT 1 FROM to_recount) AS "recountDue" FROM decided`,
    {
      rows: { asked: claimColumns, submitted: { ...ofCreation, ...ofSearch }, ...rows.sets, ...rows.followedSets },
    },
  )
}

/**
 * A record that another statement changed while this one waited is read as it is now, but its
 * search row as it was: `again`.
 */
function declareReplace<Search>(rows: SearchRows<Search>, parts: ReturnType<typeof partsOf<Search>>) {
  const { kind, plural, table, before } = rows
  const { ofReplacement, ofSearch, recountNow, afterRecountNow, holder, written } = parts
  return statement<ReplacementRow, Submission<Search>>(
    `replace${plural}`,
    `WITH submitted AS (
  SELECT * FROM $submitted
), ${recountNow}seen AS MATERIALIZED (
  SELECT r.id, r.version${before === undefined ? '' : `, ${before.sql}`}
  FROM record r${before === undefined ? '' : ` JOIN ${table} e ON e.provider_id = $1 AND e.id = r.id`}
  WHERE r.provider_id = $1 AND r.id = ANY (ARRAY(SELECT id FROM submitted)) AND r.kind = '${kind}'${afterRecountNow}
), stored AS (
  SELECT r.id, r.version, r.content_hash, r.version_hash, r.search_hash
  FROM record r
  WHERE r.provider_id = $1 AND r.id = ANY (ARRAY(SELECT id FROM seen))
  ORDER BY r.id
  FOR UPDATE
), decided AS MATERIALIZED (
  SELECT s.*, r.version, r.version_hash AS previous_hash, r.search_hash AS stored_search_hash${before === undefined ? '' : `, ${before.names}`},
         CASE
           WHEN NOT s.allowed @> r.version THEN 'stale'
           WHEN r.version <> seen.version THEN 'again'
           WHEN r.content_hash = s.content_hash THEN 'unchanged'
           ${holder === undefined ? '' : `WHEN EXISTS (${holder} AND h.id <> s.id) THEN 'taken'`}
           ELSE 'replaced'
         END AS outcome
  FROM submitted s JOIN stored r ON r.id = s.id JOIN seen ON seen.id = s.id
), accepted AS (
  ${hashVersions(kind, `SELECT * FROM decided WHERE outcome = 'replaced'`, { reason: 'a.reason' })}
), settled AS (
  SELECT * FROM decided WHERE outcome = 'replaced' OR outcome = 'unchanged' AND stored_search_hash <> search_hash
), ${rows.followed('replace')}, ${rows.updated('settled')}, ${written}, ${recordsUpdated(`
  UNION ALL
  SELECT id, version, content_hash, previous_hash, search_hash, compared FROM settled WHERE outcome = 'unchanged'`)}, ${
      rows.alsoWritten === undefined ? '' : `${recordsInserted}, `
    }${versionsStored}, ${searched('(SELECT id FROM settled UNION SELECT id FROM written) s')}
SELECT id, outcome, version, EXISTS (SELECT 1 FROM to_recount) AS "recountDue" FROM decided`,
    { rows: { submitted: { ...ofReplacement, ...ofSearch }, ...rows.sets, ...rows.followedSets } },
  )
}

/**
 * Replaces records whose search rows stay as they are, without sending these: nearly every
 * replacement of an event. Each record is looked up by itself: of a list of ids PostgreSQL expects
 * ten, and reads all records of the provider if it expects no more of these.
 */
function declareReplaceInPlace<Search>(rows: SearchRows<Search>, parts: ReturnType<typeof partsOf<Search>>) {
  const { kind, plural } = rows
  const { ofReplacement, ofSearch, recountNow, afterRecountNow } = parts
  return statement<ReplacementRow, Submission<Search>>(
    `replace${plural}InPlace`,
    `WITH submitted AS (
  SELECT * FROM $submitted
), ${recountNow}stored AS MATERIALIZED (
  SELECT r.*
  FROM (SELECT id FROM submitted ORDER BY id) s
  CROSS JOIN LATERAL (
    SELECT r.id, r.version, r.content_hash, r.version_hash, r.search_hash
    FROM record r
    WHERE r.provider_id = $1 AND r.id = s.id AND r.kind = '${kind}'${afterRecountNow}
    LIMIT 1
    FOR UPDATE
  ) r
), decided AS (
  SELECT s.*, r.version, r.version_hash AS previous_hash,
         CASE
           WHEN NOT s.allowed @> r.version THEN 'stale'
           WHEN r.search_hash <> s.search_hash THEN 'again'
           ${rows.judgedByMasterData ? "WHEN s.judged_in <> (SELECT number FROM recount_now) THEN 'again'" : ''}
           WHEN r.content_hash = s.content_hash THEN 'unchanged'
           ELSE 'replaced'
         END AS outcome
  FROM submitted s JOIN stored r ON r.id = s.id
), written AS MATERIALIZED (
  ${hashVersions(kind, `SELECT * FROM decided WHERE outcome = 'replaced'`, { reason: 'a.reason' })}
), ${recordsUpdated()}, ${versionsStored}
SELECT id, outcome, version, false AS "recountDue" FROM decided`,
    {
      rows: {
        submitted: {
          ...ofReplacement,
          ...(rows.judgedByMasterData && { judged_in: ofSearch.judged_in as (typeof ofSearch)[string] }),
        },
      },
    },
  )
}

/** Makes records visible that are not; others stay as they are. */
function declareImport<Search>(rows: SearchRows<Search>, parts: ReturnType<typeof partsOf<Search>>) {
  const { kind, plural } = rows
  const { ofSearch, searchHash, comparedOf } = parts
  return statement<never, { provider: string; submitted: readonly ImportedRecord<Search>[] }>(
    `import${plural}`,
    `WITH submitted AS (
  SELECT * FROM $submitted
), ready AS (
  INSERT INTO record (provider_id, id, kind, version, content_hash, version_hash, search_hash, compared)
  SELECT $1, id, '${kind}', version, content_hash, version_hash, search_hash, compared FROM submitted
  ON CONFLICT (provider_id, id) DO NOTHING
  RETURNING id
), imported AS (
  SELECT s.* FROM submitted s JOIN ready ON ready.id = s.id
), ${rows.inserted('imported')}, ${searched('imported')}
SELECT id FROM imported`,
    {
      rows: {
        submitted: {
          id: 'uuid',
          version: 'integer',
          content_hash: ['bytea', ({ contentHash }) => contentHash],
          version_hash: ['bytea', ({ versionHash }) => versionHash],
          search_hash: ['bytea', ({ search }) => searchHash(search)],
          compared: ['text', ({ search }) => comparedOf(search)],
          ...ofSearch,
        },
        ...rows.sets,
      },
    },
  )
}

/**
 * Finds the first of some search values whose key another record has, and that record; `except` is
 * the record being replaced.
 */
function declareHolder<Search>(
  { plural, table, columns }: SearchRows<Search>,
  key: NonNullable<SearchRows<Search>['key']>,
) {
  const sent = Object.fromEntries(key.columns.map(([, name]) => [name, columns[name] as RowColumns<Search>[string]]))
  const find = statement.one<{ id: string; n: number }, Wanted<Search>>(
    `holderOf${plural}`,
    `SELECT h.id, s.n::integer AS n
   FROM $s CROSS JOIN LATERAL (${holderOf(table, key.columns)}) h
   WHERE h.id IS DISTINCT FROM $except::uuid
   ORDER BY s.n
   LIMIT 1`,
    { rows: { s: { ...sent, n: 'ordinality' } } as never },
  )
  return async (db: Queryable, wanted: Wanted<Search>): Promise<KeyHolder | undefined> => {
    const row = await find(db, wanted)
    return row && { id: row.id, index: row.n - 1 }
  }
}

/** The search values whose keys are looked for, as `s`. */
interface Wanted<Search> {
  readonly provider: string
  readonly s: readonly Search[]
  readonly except?: string
}

/** A record, and which of the wanted keys it holds. */
interface KeyHolder {
  readonly id: string
  readonly index: number
}

/** The statements that create, replace and import records of a kind. */
export function recordStatements<Search>(rows: SearchRows<Search>) {
  const parts = partsOf(rows)
  return {
    create: declareCreate(rows, parts),
    replace: declareReplace(rows, parts),
    replaceInPlace: rows.searchHash && declareReplaceInPlace(rows, parts),
    importing: declareImport(rows, parts),
    findHolder: rows.key && declareHolder(rows, rows.key),
  }
}
