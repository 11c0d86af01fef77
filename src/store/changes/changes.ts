// Reads the feed of changes: the versions under the checkpoints of a provider, in their order.
// Checkpoints never change, so a page needs no transaction. Source: decision 0071.
import {
  beginning,
  type Change,
  type ChangeAction,
  type ChangedRecord,
  type ChangeFilter,
  type DamagedChange,
  damagedType,
  isBehind,
  isWanted,
  looksAtRecord,
  type Position,
  positionText,
  readPosition,
} from '../../contract/changes.ts'
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { type Queryable, statement } from '../database/statement.ts'
import type { VersionName } from '../evidence/damaged-record.ts'
import { allEvents, linesIn } from '../records/event-kinds.ts'

const kindsOfEvents = allEvents.kinds
const linesOfBody = linesIn('j.body')

/** Some changes, in order. */
export interface ChangePage {
  readonly changes: readonly Change[]
  /** Up to `next`, in order. Their content is lost, so filters cannot be applied. */
  readonly damaged: readonly DamagedChange[]
  /** After the last change that was read, wanted or not. */
  readonly next: Position
  /** True when nothing followed. */
  readonly isEnd: boolean
}

/** Everything on a page, damaged versions included, in the order of the feed. */
export function inOrder({ changes, damaged }: Pick<ChangePage, 'changes' | 'damaged'>): (Change | DamagedChange)[] {
  const all: (Change | DamagedChange)[] = [...changes]
  for (const one of damaged) {
    const place = readPosition(one.position) ?? beginning
    const next = all.findIndex(({ position }) => isBehind(position, place))
    all.splice(next < 0 ? all.length : next, 0, one)
  }
  return all
}

/**
 * The position is of another history: that of another provider, or the one before a backup was
 * restored.
 */
export type OtherHistory = 'otherHistory'

interface CheckpointRow {
  readonly number: number
  readonly history: string
  readonly count: number
}

const checkpointColumns = `number, left(encode(checkpoint_hash, 'hex'), 8) AS history, version_count + purge_count AS count`

const fromNumber = statement<CheckpointRow, { provider: string; number: number; limit: number }>(
  'checkpointsFrom',
  `SELECT ${checkpointColumns} FROM checkpoint WHERE provider_id = $provider AND number >= $number ORDER BY number LIMIT $limit`,
)

const last = statement.one<CheckpointRow, { provider: string }>(
  'lastCheckpoint',
  `SELECT ${checkpointColumns} FROM checkpoint WHERE provider_id = $provider ORDER BY number DESC LIMIT 1`,
)

const endOf = ({ number, history, count }: CheckpointRow): Position => ({ number, history, index: count })

/** The end of the order. */
export async function newestPosition(db: Queryable, provider: string): Promise<Position> {
  const row = await last(db, { provider })
  return row === undefined ? beginning : endOf(row)
}

const newest = statement<CheckpointRow, { provider: string; limit: number }>(
  'newestCheckpointCounts',
  `SELECT ${checkpointColumns} FROM checkpoint WHERE provider_id = $provider ORDER BY number DESC LIMIT $limit`,
)

/** The position that so many changes follow; the beginning when there are fewer. */
export async function positionBack(db: Queryable, provider: string, back: number): Promise<Position> {
  let left = back
  // No checkpoint is empty, so as many checkpoints as changes are enough.
  for (const row of await newest(db, { provider, limit: back + 1 })) {
    if (left <= row.count) return { ...endOf(row), index: row.count - left }
    left -= row.count
  }
  return beginning
}

const madeBy = statement.one<CheckpointRow, { provider: string; dateTime: string }>(
  'lastCheckpointAt',
  `SELECT ${checkpointColumns} FROM checkpoint
   WHERE provider_id = $provider AND made_at <= $dateTime::timestamptz
   ORDER BY made_at DESC, number DESC
   LIMIT 1`,
)

/**
 * The newest position at a time. Versions that were committed by then, but had no place yet, follow
 * it.
 */
export async function positionAt(db: Queryable, provider: string, dateTime: string): Promise<Position> {
  const row = await madeBy(db, { provider, dateTime })
  return row === undefined ? beginning : endOf(row)
}

/** Entries `first` to `last` of a checkpoint, counting from 1. */
interface Span {
  readonly number: number
  readonly first: number
  readonly last: number
}

// A purge also removes the reason of a void. A purged void is recognized by its content hash, which
// is that of the version before it. Apart from voids, only the version that brings a voided record
// back has this hash.
const entries = statement<
  {
    readonly number: number
    readonly index: number
    /** Null when the version is missing. */
    readonly kind: RecordKindName | null
    readonly id: string
    readonly version: number
    readonly isPurge: boolean
    readonly isVoid: boolean
    /** Of a void or a replacement, where it has one. */
    readonly reason: string | null
    readonly submittedDateTime: string
    readonly purgedDateTime: string | null
    readonly requestId: string
    readonly checkpointDateTime: string
  },
  { provider: string; spans: readonly Span[] }
>(
  'changesInCheckpoints',
  `SELECT e.number, e.index, v.kind, e.id, e.version, e.is_purge AS "isPurge",
          CASE
            WHEN v.purged_at IS NULL THEN v.void_reason IS NOT NULL
            ELSE v.kind IN (${kindsOfEvents}) AND (v.version - coalesce((
              SELECT max(b.version) FROM record_version b
              WHERE b.provider_id = $provider AND b.record_id = v.record_id AND b.version < v.version AND b.content_hash <> v.content_hash
            ), 0)) % 2 = 0
          END AS "isVoid", coalesce(v.void_reason, v.reason) AS reason,
          to_char(v.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "submittedDateTime",
          to_char(v.purged_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "purgedDateTime",
          v.request_id AS "requestId",
          to_char(e.made_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "checkpointDateTime"
   FROM (
     SELECT spans.number, c.made_at, (spans.first + u.n - 1)::integer AS index, u.id, u.version, spans.first + u.n - 1 > c.version_count AS is_purge
     FROM $spans
     CROSS JOIN LATERAL (
       SELECT record_ids || purged_ids AS ids, versions || purged_versions AS versions, version_count, made_at
       FROM checkpoint
       WHERE provider_id = $provider AND number = spans.number
       LIMIT 1
     ) c
     CROSS JOIN LATERAL unnest(c.ids[spans.first : spans.last], c.versions[spans.first : spans.last]) WITH ORDINALITY AS u (id, version, n)
   ) e
   LEFT JOIN LATERAL (
     SELECT record_id, version, kind, content_hash, void_reason, reason, submitted_at, purged_at, request_id
     FROM record_version
     WHERE provider_id = $provider AND record_id = e.id AND version = e.version
     LIMIT 1
   ) v ON true
   ORDER BY e.number, e.index`,
  {
    rows: {
      spans: { number: 'integer', first: 'integer', last: 'integer' },
    },
  },
)

/** Up to `limit` changes after a position; from the first when there is none. */
async function changesAfter(
  db: Queryable,
  provider: string,
  after: Position | undefined,
  limit: number,
): Promise<ChangePage | OtherHistory> {
  const from = after ?? beginning
  const checkpoints = await fromNumber(db, { provider, number: from.number, limit: limit + 1 })
  const [known] = checkpoints
  if (from.number > 0 && (known?.number !== from.number || known.history !== from.history)) return 'otherHistory'
  const spans: Span[] = []
  let left = limit
  let next = from
  for (const checkpoint of checkpoints) {
    if (left === 0) break
    const { number, history, count } = checkpoint
    const first = number === from.number ? from.index + 1 : 1
    const last = Math.min(count, first + left - 1)
    if (last >= first) spans.push({ number, first, last })
    left -= Math.max(0, last - first + 1)
    // An archive has no purges, so a position from its source may be past all entries here.
    next = { number, history, index: Math.max(last, first - 1) }
  }
  const end = checkpoints.at(-1)
  return {
    ...(spans.length === 0 ? { changes: [], damaged: [] } : await readSpans(db, provider, spans, checkpoints)),
    next,
    isEnd:
      checkpoints.length <= limit && (end === undefined || (next.number === end.number && next.index >= end.count)),
  }
}

async function readSpans(
  db: Queryable,
  provider: string,
  spans: readonly Span[],
  checkpoints: readonly CheckpointRow[],
): Promise<Pick<ChangePage, 'changes' | 'damaged'>> {
  const histories = new Map(checkpoints.map(({ number, history }) => [number, history]))
  const rows = await entries(db, { provider, spans })
  const placeOf = ({ number, index }: Pick<Position, 'number' | 'index'>) =>
    positionText({ number, index, history: histories.get(number) ?? '' })
  const damaged = rows.flatMap(({ kind, id, version, checkpointDateTime, ...row }): DamagedChange[] =>
    kind === null ? [{ position: placeOf(row), type: damagedType, id, version, checkpointDateTime }] : [],
  )
  const changes = rows.flatMap(({ kind, isPurge, isVoid, reason, purgedDateTime, ...row }): Change[] => {
    if (kind === null) return []
    const action: ChangeAction = isPurge ? 'purged' : row.version === 1 ? 'created' : isVoid ? 'voided' : 'replaced'
    return [
      {
        position: placeOf(row),
        type: `${kind}.${action}`,
        id: row.id,
        version: row.version,
        submittedDateTime: row.submittedDateTime,
        requestId: row.requestId,
        ...(reason !== null && { reason }),
        ...(isPurge && purgedDateTime !== null && { purgedDateTime }),
      },
    ]
  })
  return { changes, damaged }
}

/**
 * Bytes of stored (compressed) bodies that one statement reads. With the one body by which it may
 * exceed this, it reads 16 MB at most.
 */
const storedBytesAtOnce = 64 * 1024

const values = statement<
  {
    readonly n: number
    readonly isKept: boolean
    readonly vendorId: string | null
    readonly shipTo: string | null
    readonly lotCodes: string[] | null
  },
  { provider: string; versions: readonly VersionName[]; withLots: boolean }
>(
  'valuesOfChanges',
  `SELECT sized.n::integer AS n, j.body IS NOT NULL AS "isKept",
          coalesce(j.body #>> '{eventList,dataProviderVendorId}', j.body #>> '{productMasterDataList,dataProviderVendorId}',
                   j.body #>> '{locationMasterList,dataProviderVendorId}') AS "vendorId",
          j.body #>> '{eventList,shipToLocationCode}' AS "shipTo",
          CASE WHEN $withLots::boolean THEN ARRAY(
            SELECT DISTINCT l.line ->> 'caseLotNumber'
            FROM ${linesOfBody} AS l
            WHERE l.line ->> 'caseLotNumber' IS NOT NULL
          ) END AS "lotCodes"
   FROM (
     SELECT versions.n, v.detail, sum(coalesce(pg_column_size(v.detail), 0)) OVER (ORDER BY versions.n) - coalesce(pg_column_size(v.detail), 0) AS before
     FROM $versions
     LEFT JOIN LATERAL (
       SELECT detail FROM record_version WHERE provider_id = $provider AND record_id = versions.id AND version = versions.version LIMIT 1
     ) v ON true
   ) sized
   CROSS JOIN LATERAL (SELECT sized.detail[1]::json AS body OFFSET 0) j
   WHERE sized.before < $storedBytes
   ORDER BY sized.n`,
  {
    rows: {
      versions: { id: 'uuid', version: 'integer', n: 'ordinality' },
    },
    defaults: { storedBytes: storedBytesAtOnce },
  },
)

/**
 * The values that filters compare, for each of these changes; undefined where the content was
 * purged. An event may have 5,000 lines: when the time is over, only the first changes have been
 * read.
 */
async function recordsOf(
  db: Queryable,
  provider: string,
  changes: readonly Change[],
  { withLots, until }: { readonly withLots: boolean; readonly until: number },
): Promise<readonly (ChangedRecord | undefined)[]> {
  // Each version, followed by the one before it.
  const asked = changes.flatMap(({ id, version }, at) => [
    { id, version, at },
    ...(version > 1 ? [{ id, version: version - 1, at }] : []),
  ])
  const found: (ChangedRecord | undefined)[] = changes.map(() => undefined)
  for (let start = 0; start < asked.length; ) {
    // The first that was not read, or not completely.
    const done = asked[start]?.at ?? 0
    if (done > 0 && performance.now() > until) return found.slice(0, done)
    const some = asked.slice(start)
    const rows = await values(db, { provider, versions: some, withLots })
    if (rows.length === 0) throw new Error('No version of the changes that are in the order was found.')
    for (const { n, isKept, vendorId, shipTo, lotCodes } of rows) {
      const { at, version } = some[n - 1] as (typeof some)[number]
      const own = version === changes[at]?.version
      if (!isKept || (!own && found[at] === undefined)) continue
      found[at] = {
        vendorIds: [...(found[at]?.vendorIds ?? []), ...(vendorId === null ? [] : [vendorId])],
        shipToLocationCodes: [...(found[at]?.shipToLocationCodes ?? []), ...(shipTo === null ? [] : [shipTo])],
        lotCodes: [...(found[at]?.lotCodes ?? []), ...(lotCodes ?? [])],
      }
    }
    start += rows.at(-1)?.n ?? some.length
  }
  return found
}

/**
 * When few changes match: how many changes one call reads at most, and for how long, in
 * milliseconds.
 */
const lookedAtMax = 10_000
const lookMsMax = 1_000
/** Changes that are read and filtered at once. */
const lookedAtOnce = 200

/**
 * Up to `limit` changes after a position that pass the filter. It may return none, with a position
 * further on.
 */
export async function wantedChanges(
  db: Queryable,
  provider: string,
  {
    after,
    limit,
    filter,
  }: { readonly after: Position | undefined; readonly limit: number; readonly filter: ChangeFilter },
): Promise<ChangePage | OtherHistory> {
  const wanted: Change[] = []
  const until = performance.now() + lookMsMax
  const damaged: DamagedChange[] = []
  let page: ChangePage = { changes: [], damaged: [], next: after ?? beginning, isEnd: false }
  for (let lookedAt = 0; wanted.length < limit && !page.isEnd; lookedAt += page.changes.length + page.damaged.length) {
    if (lookedAt >= lookedAtMax || (lookedAt > 0 && performance.now() > until)) break
    const isOpen = (filter.kinds ?? []).length === 0 && !looksAtRecord(filter)
    const read = await changesAfter(db, provider, page.next, isOpen ? limit : lookedAtOnce)
    if (read === 'otherHistory') return read
    const records = looksAtRecord(filter)
      ? await recordsOf(db, provider, read.changes, { withLots: filter.lotCode !== undefined, until })
      : undefined
    page = firstOf(read, records?.length ?? read.changes.length)
    const { changes } = page
    for (const [i, change] of changes.entries()) {
      if (!isWanted(filter, change, records?.[i])) continue
      wanted.push(change)
      if (wanted.length === limit && i + 1 < changes.length) {
        page = firstOf(page, i + 1)
        break
      }
    }
    damaged.push(...page.damaged)
  }
  return { ...page, changes: wanted, damaged }
}

/** A page that ends after the first changes of another. */
function firstOf(page: ChangePage, count: number): ChangePage {
  if (count === page.changes.length) return page
  const changes = page.changes.slice(0, count)
  const next = readPosition(changes.at(-1)?.position ?? '') ?? page.next
  return { changes, damaged: page.damaged.filter(({ position }) => !isBehind(position, next)), next, isEnd: false }
}
