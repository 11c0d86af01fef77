// Versions of the traceability plan. A version is never changed. Source: 21 CFR 1.1315(b); decision
// 0084.

import type { EventKindName } from '../../contract/record-kinds.ts'
import { declareLimit } from '../../limits.ts'
import { statement } from '../database/statement.ts'
import { loggedStatement } from '../evidence/access-log.ts'
import { onEvents } from '../records/event-kinds.ts'

export interface PlanVersion {
  readonly version: number
  readonly contentHash: string
  readonly submittedAt: Date
  readonly submittedBy: string
  /** When the next version replaced it; null while it is in force. */
  readonly replacedAt: Date | null
}

export interface StoredPlan extends PlanVersion {
  /** JSON text. */
  readonly content: string
}

/** Most versions of one provider: one a week for 20 years. */
export const planVersionsMax = declareLimit(
  'planVersions',
  1_000,
  'versions',
  'Versions of the traceability plan of a provider.',
)

const head = `p.version, p.content_hash AS "contentHash", p.submitted_at AS "submittedAt", p.submitted_by AS "submittedBy",
          (SELECT n.submitted_at FROM traceability_plan n WHERE n.provider_id = $provider AND n.version = p.version + 1) AS "replacedAt"`

/** The plan in force now or before an instant, or one version of it; undefined if there is none. */
export const findPlan = statement.one<StoredPlan, { provider: string; version?: number; before?: string | undefined }>(
  'traceabilityPlan',
  `SELECT ${head}, p.content
   FROM traceability_plan p
   WHERE p.provider_id = $provider AND ($version::integer IS NULL OR p.version = $version) AND ($before::timestamptz IS NULL OR p.submitted_at < $before)
   ORDER BY p.version DESC
   LIMIT 1`,
)

/** Up to `limit` versions, newest first; those below a version when one is given. */
export const planVersions = statement<PlanVersion, { provider: string; below: number | undefined; limit: number }>(
  'traceabilityPlanVersions',
  `SELECT ${head}
   FROM traceability_plan p
   WHERE p.provider_id = $provider AND ($below::integer IS NULL OR p.version < $below)
   ORDER BY p.version DESC
   LIMIT $limit`,
)

const oneOfEach = onEvents(({ kind, rows }) => `SELECT '${kind}' AS kind FROM (SELECT 1 FROM ${rows} e LIMIT 1) AS one`)

/** The kinds of which there are events. */
export const storedKindsOf = statement<{ kind: EventKindName }, { provider: string }>('kindsWithEvents', oneOfEach)

// A clock that goes back must not let a version come into force before the one that it replaces.
/** Stores a version. Undefined when another caller has stored a version with this number. */
export const insertPlan = loggedStatement<
  { version: number },
  Pick<StoredPlan, 'version' | 'content' | 'contentHash'> & { provider: string }
>(
  'replaceTraceabilityPlan',
  `before AS MATERIALIZED (
  SELECT max(submitted_at) AS submitted_at FROM traceability_plan WHERE provider_id = $provider
), changed AS (
  INSERT INTO traceability_plan (provider_id, version, content, content_hash, submitted_at, submitted_by)
  SELECT $provider, $version::integer, $content::text, $contentHash::text, greatest(now(), b.submitted_at), $who::text
  FROM before b
  ON CONFLICT (provider_id, version) DO NOTHING
  RETURNING version
)`,
  'SELECT version FROM changed',
  { asked: ({ version, contentHash }) => ({ version, contentHash }) },
)
