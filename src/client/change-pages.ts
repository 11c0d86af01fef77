// Changes as they happen, by one long poll after another.
import type { ListChangesRequest, Methods } from './generated/methods.ts'
import type { ChangeList } from './generated/shapes.ts'

/** Filters, and where to begin. */
export type ChangesRequest = Omit<ListChangesRequest, 'limit' | 'wait'>

/** Most changes of one answer. */
const pageLimit = 200

/** How long the service holds a call while nothing happens, in seconds. */
const waitSeconds = 30

/** Longest wait for an answer, in milliseconds. A broken connection may not report an error. */
export const changesAnswerMsMax = (waitSeconds + 15) * 1_000

/** Yields every answer with changes, and an empty one each time that nothing happened. */
export async function* eachChangePage(
  list: Methods['listChanges'],
  { after, ...request }: ChangesRequest,
): AsyncGenerator<ChangeList> {
  for (let from = after; ; ) {
    const { body } = await list({
      ...request,
      ...(from !== undefined && { after: from }),
      limit: pageLimit,
      wait: waitSeconds,
    })
    from = body.nextPosition
    yield body
  }
}
