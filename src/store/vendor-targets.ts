// Targets for vendors: a setting of the provider, not part of the records. Source: decision 0068.
import { type Actor, loggedStatement } from './access-log.ts'
import { type Queryable, statement } from './statement.ts'

/** The targets; what is absent is taken from the targets for all vendors. */
export interface VendorTarget {
  /** Empty in the targets for all vendors. */
  readonly dataProviderVendorId: string
  /** Share of lines that should be complete, from 0 to 1. */
  readonly completeShare: number | null
  /** Days without an event after which the vendor is silent. */
  readonly silentDays: number | null
  /** Refusals are too many at this multiple of a usual week. */
  readonly refusalFactor: number | null
}

export interface SetVendorTarget extends VendorTarget {
  readonly setAt: Date
  readonly setBy: string
}

/** Most vendors of one provider with targets of their own. */
export const vendorTargetsMax = 1_000

const all = statement<SetVendorTarget>(
  'vendorTargets',
  `SELECT "dataProviderVendorId", complete_share AS "completeShare", silent_days AS "silentDays",
          refusal_factor AS "refusalFactor", set_at AS "setAt", set_by AS "setBy"
   FROM vendor_target
   WHERE provider_id = $1
   ORDER BY "dataProviderVendorId"`,
)

/** Every target that the provider has set, those for all vendors first. */
export const vendorTargets = (db: Queryable, provider: string): Promise<SetVendorTarget[]> => all(db, [provider])

const change = loggedStatement<{ existing: number }>(
  'setVendorTargets',
  `asked AS (
  SELECT * FROM unnest($2::text[], $3::double precision[], $4::integer[], $5::double precision[]) AS a (vendor, share, days, factor)
), existing AS (
  SELECT count(*) AS targets
  FROM (
    SELECT "dataProviderVendorId" FROM vendor_target WHERE provider_id = $1
    UNION
    SELECT vendor FROM asked WHERE coalesce(share, days, factor) IS NOT NULL
  ) t
), allowed AS (
  SELECT a.* FROM asked a, existing e WHERE e.targets <= $7
), gone AS (
  DELETE FROM vendor_target t USING allowed a
  WHERE t.provider_id = $1 AND t."dataProviderVendorId" = a.vendor AND coalesce(a.share, a.days, a.factor) IS NULL
), changed AS (
  INSERT INTO vendor_target AS t (provider_id, "dataProviderVendorId", complete_share, silent_days, refusal_factor, set_at, set_by)
  SELECT $1, vendor, share, days, factor, now(), $6::text
  FROM allowed WHERE coalesce(share, days, factor) IS NOT NULL ORDER BY vendor
  ON CONFLICT (provider_id, "dataProviderVendorId") DO UPDATE
  SET complete_share = excluded.complete_share, silent_days = excluded.silent_days,
      refusal_factor = excluded.refusal_factor, set_at = excluded.set_at, set_by = excluded.set_by
), due AS (
  UPDATE alert_look l SET fence = l.fence + 1, until = NULL, looked_at = NULL, seen = NULL
  FROM existing e
  WHERE l.provider_id = $1 AND e.targets <= $7
)`,
  'SELECT targets::integer AS existing FROM existing',
  { of: 'existing e WHERE e.targets <= $7' },
)

/**
 * Sets the targets of vendors and removes those in which nothing is expected, all or nothing. Each
 * vendor occurs once. A look for alerts under way writes nothing, and the next one is due at once.
 * `tooMany` says that more would be set than may be.
 */
export async function writeVendorTargets(
  db: Queryable,
  provider: string,
  targets: readonly VendorTarget[],
  actor: Actor,
): Promise<'set' | 'tooMany'> {
  const values = [
    provider,
    targets.map(({ dataProviderVendorId }) => dataProviderVendorId),
    targets.map(({ completeShare }) => completeShare),
    targets.map(({ silentDays }) => silentDays),
    targets.map(({ refusalFactor }) => refusalFactor),
    actor.who,
    vendorTargetsMax,
  ]
  const [row] = await change(db, values, actor, { vendors: targets.length, first: targets[0] })
  return (row?.existing ?? 0) > vendorTargetsMax ? 'tooMany' : 'set'
}
