// The calls of an import for one record, over the typed client. Answers about the record are
// values. Failures that concern the whole import are thrown.
import { exemptPlaceKey } from '../contract/exempt-place.ts'
import type { RecordKind } from '../contract/record-kinds.ts'
import type { Client } from './client.ts'
import { ProblemError, UnreachableError } from './failure.ts'

type Payload = Readonly<Record<string, unknown>>
interface CallsOptions {
  /** Aborts the calls in flight. */
  readonly signal: AbortSignal
  /**
   * SHA-256 of a text in hex; undefined when it cannot be computed. Then each create gets a random
   * idempotency key.
   */
  readonly sha256: (text: string) => Promise<string | undefined> | string
}

/** Statuses about this record; all others concern the whole import. */
const aboutRecord = [400, 404, 409, 410, 412, 413, 422]

const problemOf = (error: unknown): ProblemError => {
  if (error instanceof ProblemError && aboutRecord.includes(error.status)) return error
  throw error
}

const refusedResult = ({ findings, message }: ProblemError) => ({ is: 'refused', findings, message }) as const

export function recordCalls(client: Client, { signal, sha256 }: CallsOptions) {
  return {
    create: async (kind: RecordKind, body: Payload, { dryRun }: { readonly dryRun: boolean }) => {
      try {
        const hash = dryRun ? undefined : await sha256(`${kind.name} ${JSON.stringify(body)}`)
        const idempotencyKey = hash === undefined ? undefined : `import-${hash}`
        const answer = await client.of(kind.name).create({ body, dryRun, idempotencyKey, signal })
        if ('wouldBe' in answer.body) return { is: 'judged' } as const
        // After a retry, a replayed answer is that to the first attempt, so the record is new.
        const found = answer.replayed && answer.attempts === 1
        return { is: found ? 'found' : 'created', ids: answer.body.request_ids } as const
      } catch (error) {
        const problem = problemOf(error)
        const { heldBy } = problem.problem
        return problem.outcome === 'taken' && heldBy !== undefined
          ? ({ is: 'taken', by: heldBy, message: problem.message } as const)
          : refusedResult(problem)
      }
    },

    findProduct: async (dataProviderVendorId: string, itemCode: string) => {
      const { body } = await client.listMasterProducts({ dataProviderVendorId, itemCode, limit: 1, signal })
      return body.content[0]?.id
    },

    /** Stored locations and products by their codes, to complete events with. */
    stored: {
      location: async (dataProviderVendorId: string, locationCode: string) => {
        const { body } = await client.listLocations({ dataProviderVendorId, locationCode, limit: 1, signal })
        return body.content[0]?.locationMasterList as Record<string, unknown> | undefined
      },
      product: async (dataProviderVendorId: string, itemCode: string) => {
        const { body } = await client.listMasterProducts({ dataProviderVendorId, itemCode, limit: 1, signal })
        return body.content[0]?.productMasterDataList as Record<string, unknown> | undefined
      },
    },

    /** The places that the provider has declared exempt. */
    exemptPlaces: async () => {
      const { body } = await client.listExemptPlaces({ signal })
      return new Map(body.content.map(({ place }) => [exemptPlaceKey(place), place.exemptions ?? []]))
    },

    read: async (kind: RecordKind, id: string) => {
      const { body, version } = await client.of(kind.name).read({ id, signal })
      return { payload: body, version: version ?? 0 }
    },

    compare: async (kind: RecordKind, id: string, body: Payload) => {
      try {
        const { replace } = client.of(kind.name)
        const { body: judged, version } = await replace({ id, body, dryRun: true, signal })
        if (judged.wouldBe === 'unchanged') return { is: 'unchanged' } as const
        const changes = judged.changes ?? { added: [], removed: [], replaced: [] }
        return { is: 'differs', version: version ?? 0, changes } as const
      } catch (error) {
        return error instanceof UnreachableError ? ({ is: 'inDoubt', error } as const) : refusedResult(problemOf(error))
      }
    },

    replace: async (kind: RecordKind, id: string, body: Payload, version: number) => {
      try {
        await client.of(kind.name).replace({ id, body, ifMatch: version, signal })
        return { is: 'replaced' } as const
      } catch (error) {
        if (error instanceof UnreachableError) return { is: 'inDoubt', error } as const
        const problem = problemOf(error)
        return problem.outcome === 'stale'
          ? ({ is: 'stale', message: problem.message } as const)
          : refusedResult(problem)
      }
    },
  }
}
