// Ship notices that were carried out: by sender and number, each by its content. Source: decision
// 0082.
import type { NoticePurpose } from '../../contract/ship-notice-sender.ts'
import { type Queryable, statement } from '../database/statement.ts'

/** Identifies a notice. */
export interface NoticeIdentity {
  readonly senderId: string
  /** ISA05. */
  readonly senderQualifier: string
  readonly number: string
  readonly contentHash: Buffer
}

/** Qualifiers under which an id is the same sender. */
export interface SenderQualifiers {
  /** Null: any. */
  readonly only: string | null
  readonly without: readonly string[]
}

export interface TakenNotice {
  readonly contentHash: Buffer
  readonly purpose: NoticePurpose
  /** 14 digits; null where the notice does not say when it was written. */
  readonly writtenAt: string | null
  readonly recordIds: readonly string[]
  /** False while it is carried out, and when that was broken off. */
  readonly isDone: boolean
}

/** Most notices of one number that are compared. */
export const noticesOfNumberMax = 100

const columns = `content_hash AS "contentHash", purpose, written_at AS "writtenAt", record_ids AS "recordIds", is_done AS "isDone", taken_at`

const ofSender = '($6::text IS NULL OR sender_qualifier = $6) AND sender_qualifier <> ALL ($7::text[])'

const ofNumber = statement<TakenNotice>(
  'shipNoticesOfNumber',
  `SELECT * FROM (
     (
       SELECT ${columns}
       FROM ship_notice
       WHERE provider_id = $1 AND sender_id = $2 AND number = $3 AND content_hash = $4 AND ${ofSender}
     )
     UNION ALL
     (
       SELECT ${columns}
       FROM ship_notice
       WHERE provider_id = $1 AND sender_id = $2 AND number = $3 AND content_hash <> $4 AND ${ofSender}
       LIMIT $5
     )
   ) n
   ORDER BY taken_at, "contentHash"`,
)

/**
 * The notices of a sender with one number, the first taken first. The one with this content is
 * among them.
 */
export const findShipNotices = (
  db: Queryable,
  provider: string,
  { senderId, number, contentHash }: NoticeIdentity,
  { only, without }: SenderQualifiers,
): Promise<TakenNotice[]> => ofNumber(db, [provider, senderId, number, contentHash, noticesOfNumberMax, only, without])

const begin = statement<{ requestId: string }>(
  'beginShipNotice',
  `INSERT INTO ship_notice AS n (provider_id, sender_id, sender_qualifier, number, content_hash, purpose, written_at, request_id, record_ids, is_done)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '{}', false)
   ON CONFLICT (provider_id, sender_id, number, content_hash, sender_qualifier) DO UPDATE SET purpose = excluded.purpose
   RETURNING n.request_id AS "requestId"`,
)

/**
 * Notes that a notice is being carried out. The request id that its versions are to have: that of
 * the first attempt.
 */
export async function beginShipNotice(
  db: Queryable,
  provider: string,
  { senderId, senderQualifier, number, contentHash }: NoticeIdentity,
  { purpose, writtenAt }: Pick<TakenNotice, 'purpose' | 'writtenAt'>,
  requestId: string,
): Promise<string> {
  const values = [provider, senderId, senderQualifier, number, contentHash, purpose, writtenAt, requestId]
  const [row] = await begin(db, values)
  return row?.requestId ?? requestId
}

const finish = statement<never>(
  'finishShipNotice',
  `INSERT INTO ship_notice (provider_id, sender_id, sender_qualifier, number, content_hash, purpose, written_at, request_id, record_ids, is_done)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::uuid[], true)
   ON CONFLICT (provider_id, sender_id, number, content_hash, sender_qualifier) DO UPDATE
   SET record_ids = excluded.record_ids, is_done = true`,
)

/** Remembers a notice that was carried out, and its shipping events. */
export const rememberShipNotice = async (
  db: Queryable,
  provider: string,
  { senderId, senderQualifier, number, contentHash }: NoticeIdentity,
  { purpose, writtenAt, recordIds }: Omit<TakenNotice, 'contentHash' | 'isDone'>,
  requestId: string,
): Promise<void> => {
  await finish(db, [provider, senderId, senderQualifier, number, contentHash, purpose, writtenAt, requestId, recordIds])
}
