// What an import asks a service for one record, over the typed client. Answers about the record are values; those that concern
// the whole import are thrown as the client throws them.
import type { Changes } from '../contract/changes.ts'
import type { RecordKind } from '../contract/record-kinds.ts'
import type { OperationName } from '../operations/catalogue.ts'
import type { Answered } from './asked.ts'
import type { Client } from './client.ts'
import { ProblemError, UnreachableError } from './failure.ts'

type Payload = Readonly<Record<string, unknown>>
type Asked = Readonly<Record<string, unknown>>

const nouns = { receivingEvent: 'ReceivingEvent', masterProduct: 'MasterProduct', location: 'Location' } as const

interface CallsOptions {
  /** Gives up what is in flight. */
  readonly signal: AbortSignal
  /** SHA-256 of a text in hex; undefined where it cannot be computed: then a create has a key of its own each time. */
  readonly sha256: (text: string) => Promise<string | undefined> | string
}

/** Statuses that say something of this record; all others concern the whole import. */
const aboutRecord = [400, 404, 409, 410, 412, 413, 422]

const problemOf = (error: unknown): ProblemError => {
  if (error instanceof ProblemError && aboutRecord.includes(error.status)) return error
  throw error
}

const refused = ({ findings, message }: ProblemError) => ({ is: 'refused', findings, message }) as const

interface Judged {
  readonly wouldBe: string
  readonly changes?: Changes
}

export function recordCalls(client: Client, { signal, sha256 }: CallsOptions) {
  const ask = <Body>(name: OperationName, asked: Asked): Promise<Answered<Body>> =>
    (client as unknown as Readonly<Record<string, (asked: Asked) => Promise<Answered<Body>>>>)[name]?.({
      ...asked,
      signal,
    }) ?? Promise.reject(new Error(`The client cannot ${name}.`))

  return {
    create: async (kind: RecordKind, body: Payload, dryRun: boolean) => {
      try {
        const hash = dryRun ? undefined : await sha256(`${kind.name} ${JSON.stringify(body)}`)
        const answer = await ask<{ readonly request_ids: readonly string[] }>(`create${nouns[kind.name]}s`, {
          body,
          ...(dryRun && { dryRun }),
          ...(hash !== undefined && { idempotencyKey: `import-${hash}` }),
        })
        if (dryRun) return { is: 'judged' } as const
        // The first answer to a call that was sent again was lost: what it made is what the second one finds.
        const found = answer.replayed && answer.attempts === 1
        return { is: found ? 'found' : 'created', ids: answer.body.request_ids } as const
      } catch (error) {
        const problem = problemOf(error)
        const { heldBy } = problem.problem
        return problem.outcome === 'taken' && heldBy !== undefined
          ? ({ is: 'taken', by: heldBy, message: problem.message } as const)
          : refused(problem)
      }
    },

    findProduct: async (dataProviderVendorId: string, itemCode: string) => {
      const { body } = await client.listMasterProducts({ dataProviderVendorId, itemCode, limit: 1, signal })
      return body.content[0]?.id
    },

    read: async (kind: RecordKind, id: string) => {
      const { body, version } = await ask<Payload>(`read${nouns[kind.name]}`, { id })
      return { payload: body, version: version ?? 0 }
    },

    compare: async (kind: RecordKind, id: string, body: Payload) => {
      try {
        const { body: judged, version } = await ask<Judged>(`replace${nouns[kind.name]}`, { id, body, dryRun: true })
        if (judged.wouldBe === 'unchanged') return { is: 'unchanged' } as const
        const changes = judged.changes ?? { added: [], removed: [], replaced: [] }
        return { is: 'differs', version: version ?? 0, changes } as const
      } catch (error) {
        return error instanceof UnreachableError ? ({ is: 'inDoubt', error } as const) : refused(problemOf(error))
      }
    },

    replace: async (kind: RecordKind, id: string, body: Payload, version: number) => {
      try {
        await ask(`replace${nouns[kind.name]}`, { id, body, ifMatch: version })
        return { is: 'replaced' } as const
      } catch (error) {
        if (error instanceof UnreachableError) return { is: 'inDoubt', error } as const
        const problem = problemOf(error)
        return problem.outcome === 'stale' ? ({ is: 'stale', message: problem.message } as const) : refused(problem)
      }
    },
  }
}
