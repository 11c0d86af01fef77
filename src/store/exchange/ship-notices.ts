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

const ofSender = '($only::text IS NULL OR sender_qualifier = $only) AND sender_qualifier <> ALL ($without::text[])'

/**
 * The notices of a sender with one number, the first taken first. The one with this content is
 * among them.
 */
export const findShipNotices = statement<TakenNotice, NoticeIdentity & SenderQualifiers & { provider: string }>(
  'shipNoticesOfNumber',
  `SELECT * FROM (
     (
       SELECT ${columns}
       FROM ship_notice
       WHERE provider_id = $provider AND sender_id = $senderId AND number = $number AND content_hash = $contentHash AND ${ofSender}
     )
     UNION ALL
     (
       SELECT ${columns}
       FROM ship_notice
       WHERE provider_id = $provider AND sender_id = $senderId AND number = $number AND content_hash <> $contentHash AND ${ofSender}
       LIMIT $limit
     )
   ) n
   ORDER BY taken_at, "contentHash"`,
  { defaults: { limit: noticesOfNumberMax } },
)

const begin = statement.one<
  { requestId: string },
  NoticeIdentity & Pick<TakenNotice, 'purpose' | 'writtenAt'> & { provider: string; requestId: string }
>(
  'beginShipNotice',
  `INSERT INTO ship_notice AS n (provider_id, sender_id, sender_qualifier, number, content_hash, purpose, written_at, request_id, record_ids, is_done)
   VALUES ($provider, $senderId, $senderQualifier, $number, $contentHash, $purpose, $writtenAt, $requestId, '{}', false)
   ON CONFLICT (provider_id, sender_id, number, content_hash, sender_qualifier) DO UPDATE SET purpose = excluded.purpose
   RETURNING n.request_id AS "requestId"`,
)

/**
 * Notes that a notice is being carried out. The request id that its versions are to have: that of
 * the first attempt.
 */
export const beginShipNotice = async (
  db: Queryable,
  notice: NoticeIdentity &
    Pick<TakenNotice, 'purpose' | 'writtenAt'> & { readonly provider: string; readonly requestId: string },
): Promise<string> => (await begin(db, notice))?.requestId ?? notice.requestId

/** Remembers a notice that was carried out, and its shipping events. */
export const rememberShipNotice = statement<
  never,
  NoticeIdentity & Omit<TakenNotice, 'isDone'> & { provider: string; requestId: string }
>(
  'finishShipNotice',
  `INSERT INTO ship_notice (provider_id, sender_id, sender_qualifier, number, content_hash, purpose, written_at, request_id, record_ids, is_done)
   VALUES ($provider, $senderId, $senderQualifier, $number, $contentHash, $purpose, $writtenAt, $requestId, $recordIds::uuid[], true)
   ON CONFLICT (provider_id, sender_id, number, content_hash, sender_qualifier) DO UPDATE
   SET record_ids = excluded.record_ids, is_done = true`,
)
