// The access log: who received which data, and who changed keys and holds or purged. Rows are only
// added. A statement that changes keys, holds or settings writes its own entry. Source:
// decision 0039.
import type { QueryResultRow } from 'pg'
import { v7 } from 'uuid'
import { type Queryable, rowStatement, statement } from '../database/statement.ts'

/** Who acts, and by which request. */
export interface Actor {
  /** Id of the key, or who it is without one. */
  readonly who: string
  readonly requestId: string | undefined
}

/** The operator, who runs commands on the database. */
export const commandLine: Actor = { who: 'command line', requestId: undefined }

/** The program itself, which creates a key on the first start of a database. */
export const firstStart: Actor = { who: 'first start', requestId: undefined }

/** A new id, in the order of time. */
export const newEntryId = (): string => v7()

/**
 * Declares a statement that changes something and writes an entry about it, both or neither.
 * `changes` are its common table expressions, and `result` selects from them. There is one entry
 * for each row of `changed`, or of another source (`of`). Its parameters follow those of the text.
 */
export function loggedStatement<Row extends QueryResultRow>(
  name: string,
  changes: string,
  result: string,
  { operation = name, of = 'changed' }: { readonly operation?: string; readonly of?: string } = {},
) {
  const last = Math.max(...Array.from((changes + result).matchAll(/\$(\d+)/g), ([, number]) => Number(number)))
  const run = statement<Row>(
    name,
    `WITH ${changes}, noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $1, $${last + 1}::uuid, $${last + 2}::text, $${last + 3}::uuid, '${operation}', $${last + 4}::json, true
  FROM ${of}
)
${result}`,
  )
  return (db: Queryable, values: readonly unknown[], { who, requestId }: Actor, asked: object): Promise<Row[]> =>
    run(db, [...values, newEntryId(), who, requestId ?? null, JSON.stringify(asked)])
}

/** The entry, written before any data is sent. */
export interface AccessEntry extends Actor {
  readonly operation: string
  /** Parameters of the request; the reader of the request bounds their size. */
  readonly asked: object
  /** Number of records that are sent, when it is known. */
  readonly records: number | undefined
}

const begin = statement(
  'beginAccess',
  `INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, records, done)
   VALUES ($1, $2, $3, $4, $5, $6::json, $7, false)`,
)

/**
 * Records the beginning of an access, and returns the id for its end. If this fails, the access
 * must not begin.
 */
export async function beginAccess(db: Queryable, provider: string, entry: AccessEntry): Promise<string> {
  const id = newEntryId()
  const { who, requestId, operation, asked, records } = entry
  await begin(db, [provider, id, who, requestId ?? null, operation, JSON.stringify(asked), records ?? null])
  return id
}

/** The outcome: complete, cut off by its reader, or failed here. */
export type Ending = 'done' | 'cutOff' | 'failed'

export interface AccessEnd {
  readonly ending: Ending
  readonly records?: number
  readonly bytes?: number
}

const end = statement(
  'endAccess',
  `INSERT INTO access_log_end (provider_id, id, ending, records, bytes) VALUES ($1, $2, $3, $4, $5)`,
)

/** Records the outcome of the access with this id. */
export const endAccess = async (
  db: Queryable,
  provider: string,
  id: string,
  { ending, records, bytes }: AccessEnd,
): Promise<void> => {
  await end(db, [provider, id, ending, records ?? null, bytes ?? null])
}

/** An answer that is whole before it is sent. */
export interface WholeAccess extends AccessEntry {
  readonly bytes: number
}

const note = rowStatement<never, 'entry'>(
  'noteAccesses',
  {
    entry: {
      id: ['uuid', newEntryId],
      who: ['text', ({ who }: WholeAccess) => who],
      request_id: ['uuid', ({ requestId }: WholeAccess) => requestId ?? null],
      operation: ['text', ({ operation }: WholeAccess) => operation],
      asked: ['text', ({ asked }: WholeAccess) => JSON.stringify(asked)],
      records: ['integer', ({ records }: WholeAccess) => records ?? null],
      bytes: ['integer', ({ bytes }: WholeAccess) => bytes],
    },
  },
  (from) => `WITH sent AS MATERIALIZED (
  SELECT id, who, request_id, operation, asked, records, bytes FROM ${from.entry}
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, records, done)
  SELECT $1, id, who, request_id, operation, asked::json, records, false FROM sent
)
INSERT INTO access_log_end (provider_id, id, ending, records, bytes)
SELECT $1, id, 'done', records, bytes FROM sent`,
)

/** Records accesses with their outcome. If this fails, nothing may be sent. */
export const noteAccesses = (db: Queryable, provider: string, entries: readonly WholeAccess[]): Promise<unknown> =>
  note(db, provider, { entry: entries })

export interface LoggedAccess {
  readonly id: string
  readonly beganAt: Date
  readonly endedAt: Date | null
  readonly who: string
  readonly requestId: string | null
  readonly operation: string
  readonly asked: object
  /** `open`: in progress, or its process ended first. */
  readonly ending: Ending | 'open'
  readonly records: number | null
  /** Text, because it is a bigint. */
  readonly bytes: string | null
}

/** The filters: an entry matches all that are given. The instants are part of the range. */
export interface AccessSelection {
  readonly who?: string | undefined
  readonly operation?: string | undefined
  readonly startDateTime?: string | undefined
  readonly endDateTime?: string | undefined
}

const entries = statement<LoggedAccess>(
  'accessEntries',
  `SELECT a.id, a.began_at AS "beganAt", e.ended_at AS "endedAt", a.who, a.request_id AS "requestId", a.operation, a.asked,
          CASE WHEN a.done THEN 'done' ELSE coalesce(e.ending, 'open') END AS ending,
          coalesce(e.records, a.records) AS records, e.bytes::text AS bytes
   FROM access_log a LEFT JOIN access_log_end e ON e.provider_id = $1 AND e.id = a.id
   WHERE a.provider_id = $1 AND ($2::uuid IS NULL OR a.id < $2) AND ($4::text IS NULL OR a.who = $4)
     AND ($5::text IS NULL OR a.operation = $5) AND ($6::timestamptz IS NULL OR a.began_at >= $6)
     AND ($7::timestamptz IS NULL OR a.began_at <= $7)
   ORDER BY a.id DESC
   LIMIT $3`,
)

/** Up to `limit` entries, newest first; those below an id when one is given. */
export const accessEntries = (
  db: Queryable,
  provider: string,
  { who, operation, startDateTime, endDateTime }: AccessSelection,
  before: string | undefined,
  limit: number,
): Promise<LoggedAccess[]> =>
  entries(db, [
    provider,
    before ?? null,
    limit,
    who ?? null,
    operation ?? null,
    startDateTime ?? null,
    endDateTime ?? null,
  ])
