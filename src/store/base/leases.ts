// Leases: one process at a time works on a row. It claims the row for some seconds, renews the
// claim while it is alive, and gets a number with it (the fence). Each of its writes names the
// fence in its own statement, so that a process that was late writes nothing. The claim of a
// recount differs: writes of records lock its number (`recounts.ts`).
import type { QueryResultRow } from 'pg'
import { type Queryable, statement } from '../database/statement.ts'

/** A claim of a process. `id`: of the row, where a provider has several. */
export interface Claim {
  readonly id?: string
  readonly fence: number
}

/** Another process has the row now, or may have it. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

/** How a row is leased that has the columns `fence` and `until`. */
interface LeaseDeclaration {
  /** What its statements are named after: `Webhook` is for `claimWebhook`. */
  readonly name: string
  readonly table: string
  readonly alias: string
  /** True where a provider has several rows, each with an id. */
  readonly byId?: boolean
  /** How long a claim lasts after it was renewed last, in seconds. */
  readonly seconds: number
  /** Condition of rows with work, which are claimed and stay claimed. */
  readonly hasWork?: string
  /** Further condition of rows that are claimed. */
  readonly isDue?: string
  /** Columns that a claim returns, at `t.now`, and those that a renewal returns. */
  readonly claimed: string
  readonly renewed: string
}

/** Declares the statements that claim, renew and release the rows of a table. */
export function leaseStatements<Claimed extends QueryResultRow & Claim, Renewed extends QueryResultRow & Claim>({
  name,
  table,
  alias,
  byId = false,
  seconds,
  hasWork,
  isDue,
  claimed,
  renewed,
}: LeaseDeclaration) {
  const until = `now() + make_interval(secs => ${seconds}) AS until`
  const where = (...conditions: readonly (string | false | undefined)[]) =>
    `WHERE ${[`${alias}.provider_id = $provider`, ...conditions.filter(Boolean)].join(' AND ')}`
  /**
   * Undefined when another process has the row, or it has no work. A process that `isAlone` on its
   * database waits for no other one.
   */
  const claim = statement.one<Claimed, { provider: string; id?: string; isAlone?: boolean }>(
    `claim${name}`,
    `UPDATE ${table} ${alias}
   SET fence = ${alias}.fence + 1, until = t.until
   FROM (SELECT now() AS now, ${until}) t
   ${where(`($isAlone::boolean OR ${alias}.until IS NULL OR ${alias}.until < t.now)`, byId && `${alias}.id = $id`, hasWork, isDue)}
   RETURNING ${claimed}`,
  )
  const rows: { readonly held: Readonly<Record<string, 'uuid' | 'integer'>> } = {
    held: { ...(byId && { id: 'uuid' }), fence: 'integer' },
  }
  const isHeld = [byId && `${alias}.id = held.id`, `${alias}.fence = held.fence`]
  const renew = statement<Renewed, HeldClaims>(
    `renew${name}`,
    `UPDATE ${table} ${alias}
   SET until = t.until
   FROM $held, (SELECT ${until}) t
   ${where(...isHeld, `${alias}.until IS NOT NULL`, hasWork)}
   RETURNING ${renewed}`,
    { rows },
  )
  const release = statement<never, HeldClaims>(
    `release${name}`,
    `UPDATE ${table} ${alias} SET until = NULL FROM $held ${where(...isHeld)}`,
    { rows },
  )
  return {
    ms: seconds * 1_000,
    claim,

    /** Renews the claims and returns those that this process still has. */
    renew: (db: Queryable, provider: string, claims: readonly Claim[]): Promise<Renewed[]> =>
      renew(db, { provider, held: claims }),

    /** Lets another process have the row at once. */
    release: async (db: Queryable, provider: string, claim: Claim): Promise<void> => {
      await release(db, { provider, held: [claim] })
    },
  }
}

interface HeldClaims {
  readonly provider: string
  readonly held: readonly Claim[]
}

export type Lease<Claimed extends QueryResultRow & Claim, Renewed extends QueryResultRow & Claim> = ReturnType<
  typeof leaseStatements<Claimed, Renewed>
>
