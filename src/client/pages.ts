// Reads a list to its end.
import type { ApiResponse, Page } from './call.ts'

/**
 * Every entry of a list. Each page is fetched when it is needed. Fails after the last entry when
 * the database of the service lost some.
 */
export async function* eachEntry<Request extends object, Entry>(
  list: (request: Request) => Promise<ApiResponse<Page<Entry>>>,
  request: Request,
): AsyncGenerator<Entry> {
  const damaged: NonNullable<Page<Entry>['damaged']> = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await list(cursor === undefined ? request : { ...request, cursor })
    yield* body.content
    damaged.push(...(body.damaged ?? []))
    cursor = body.nextCursor
  }
  if (damaged.length > 0) throw new Error(damageWords(damaged))
}

const namedMax = 20

/** The records that a list lacks because the database of the service is damaged. */
export function damageWords(damaged: readonly { readonly id: string; readonly version: number }[]): string {
  const named = damaged.slice(0, namedMax).map(({ id, version }) => `version ${version} of record ${id}`)
  const more = damaged.length > namedMax ? `, and ${damaged.length - namedMax} more` : ''
  return `The list is not complete: the database of the service lost ${named.join(', ')}${more}. Its operator finds and restores them with lotkeeper doctor.`
}
