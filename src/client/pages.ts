// Reads a list to its end.
import type { ApiResponse, Page } from './call.ts'

/** Every entry of a list. Each page is fetched when it is needed. */
export async function* eachEntry<Request extends object, Entry>(
  list: (request: Request) => Promise<ApiResponse<Page<Entry>>>,
  request: Request,
): AsyncGenerator<Entry> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await list(cursor === undefined ? request : { ...request, cursor })
    yield* body.content
    cursor = body.nextCursor
  }
}
