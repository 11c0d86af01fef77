// The access log: who received which data, and who changed keys and holds or purged. Rows are only
// added. A statement that changes keys, holds or settings writes its own entry. Source:
// decision 0039.
import type { QueryResultRow } from 'pg'
import { v7 } from 'uuid'
import { type Page, type Queryable, type StatementOptions, statement } from '../database/statement.ts'

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
 * `changes` are its common table expressions, and `result` selects from them, one row at most.
 * There is one entry for each row of `changed`, or of another source (`of`), with what `asked`
 * gives. Its text also has the parameters `$who` and `$requestId`, of the actor.
 */
export function loggedStatement<Row extends QueryResultRow, Params extends object>(
  name: string,
  changes: string,
  result: string,
  {
    operation = name,
    of = 'changed',
    asked,
    ...options
  }: StatementOptions<Params> & {
    readonly operation?: string
    readonly of?: string
    readonly asked: (params: Params) => object
  },
) {
  const run = statement.one<Row, Params & Actor & { entryId: string; entryAsked: object }>(
    name,
    `WITH ${changes}, noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $provider, $entryId::uuid, $who::text, $requestId::uuid, '${operation}', $entryAsked::json, true
  FROM ${of}
)
${result}`,
    options as object,
  )
  return (db: Queryable, params: Params, actor: Actor): Promise<Row | undefined> =>
    run(db, { ...params, ...actor, entryId: newEntryId(), entryAsked: asked(params) })
}

/** The entry, written before any data is sent. */
export interface AccessEntry extends Actor {
  readonly operation: string
  /** Parameters of the request; the reader of the request bounds their size. */
  readonly asked: object
  /** Number of records that are sent, when it is known. */
  readonly records: number | undefined
}

const begin = statement<never, AccessEntry & { provider: string; id: string }>(
  'beginAccess',
  `INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, records, done)
   VALUES ($provider, $id, $who, $requestId, $operation, $asked::json, $records, false)`,
)

/**
 * Records the beginning of an access, and returns the id for its end. If this fails, the access
 * must not begin.
 */
export async function beginAccess(db: Queryable, provider: string, entry: AccessEntry): Promise<string> {
  const id = newEntryId()
  await begin(db, { id, ...entry, provider })
  return id
}

/** The outcome: complete, cut off by its reader, or failed here. */
export type Ending = 'done' | 'cutOff' | 'failed'

export interface AccessEnd {
  readonly ending: Ending
  readonly records?: number
  readonly bytes?: number
}

/** Records the outcome of the access with this id. */
export const endAccess = statement<never, AccessEnd & { provider: string; id: string }>(
  'endAccess',
  `INSERT INTO access_log_end (provider_id, id, ending, records, bytes)
   VALUES ($provider, $id, $ending, $records, $bytes)`,
)

/** An answer that is whole before it is sent. */
export interface WholeAccess extends AccessEntry {
  readonly bytes: number
}

/** Records accesses with their outcome. If this fails, nothing may be sent. */
export const noteAccesses = statement<never, { provider: string; entries: readonly WholeAccess[] }>(
  'noteAccesses',
  `WITH sent AS MATERIALIZED (
  SELECT id, who, "requestId" AS request_id, operation, asked, records, bytes FROM $entries
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, records, done)
  SELECT $provider, id, who, request_id, operation, asked::json, records, false FROM sent
)
INSERT INTO access_log_end (provider_id, id, ending, records, bytes)
SELECT $provider, id, 'done', records, bytes FROM sent`,
  {
    rows: {
      entries: {
        id: ['uuid', newEntryId],
        who: 'text',
        requestId: 'uuid',
        operation: 'text',
        asked: ['text', ({ asked }) => JSON.stringify(asked)],
        records: 'integer',
        bytes: 'integer',
      },
    },
  },
)

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

/** Up to `limit` entries, newest first; those below an id when one is given. */
export const accessEntries = statement<LoggedAccess, AccessSelection & Page>(
  'accessEntries',
  `SELECT a.id, a.began_at AS "beganAt", e.ended_at AS "endedAt", a.who, a.request_id AS "requestId", a.operation, a.asked,
          CASE WHEN a.done THEN 'done' ELSE coalesce(e.ending, 'open') END AS ending,
          coalesce(e.records, a.records) AS records, e.bytes::text AS bytes
   FROM access_log a LEFT JOIN access_log_end e ON e.provider_id = $provider AND e.id = a.id
   WHERE a.provider_id = $provider AND ($before::uuid IS NULL OR a.id < $before) AND ($who::text IS NULL OR a.who = $who)
     AND ($operation::text IS NULL OR a.operation = $operation)
     AND ($startDateTime::timestamptz IS NULL OR a.began_at >= $startDateTime)
     AND ($endDateTime::timestamptz IS NULL OR a.began_at <= $endDateTime)
   ORDER BY a.id DESC
   LIMIT $limit`,
)
