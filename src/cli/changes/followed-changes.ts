// Reads the feed of changes until the user has seen enough.
import type { Client } from '../../client/client.ts'
import type { ListChangesRequest } from '../../client/generated/methods.ts'
import type { Change, ChangeList } from '../../client/generated/shapes.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { plain, remarks, type Terminal } from '../../terminal/terminal.ts'

export interface FollowOptions {
  /** Filters. */
  readonly query: ListChangesRequest
  readonly after?: string
  /** How many earlier changes come first. */
  readonly last?: number
  readonly fromStart?: boolean
  /** False to end with the newest change. */
  readonly follow?: boolean
}

/**
 * Passes on every change in order, one at a time, until Ctrl+C or, without `follow`, until the
 * newest change. Then prints where to continue.
 */
export async function followChanges(
  api: Client,
  { query, after, last = 0, fromStart = false, follow = true }: FollowOptions,
  take: (change: Change, signal: AbortSignal) => Promise<void>,
): Promise<CommandEnd> {
  let position = after
  let isDamaged = false
  await untilInterrupted(async (signal) => {
    if (position === undefined && !fromStart)
      position = (await api.readNewestPosition({ ...(last > 0 && { back: last }), signal })).body.position
    const begun = { ...query, ...(position !== undefined && { after: position }), signal }
    for await (const { content, nextPosition, damaged = [] } of follow
      ? api.changePages(begun)
      : pagesUntilNow(api, begun)) {
      for (const change of content) {
        await take(change, signal)
        position = change.position
        signal.throwIfAborted()
      }
      position = nextPosition
      isDamaged ||= damaged.length > 0
      for (const { id, version } of damaged)
        await remarks.say(`A change is missing in the database of the service: version ${version} of record ${id}.`)
    }
  })
  if (position !== undefined) await remarks.say(`To continue from here: --after ${position}`)
  return isDamaged
    ? { problem: 'Changes are missing. The operator of the service finds and restores them with lotkeeper doctor.' }
    : undefined
}

/** Hands on every page after a position, likewise. */
export const followPages = (
  api: Client,
  { after, follow }: { readonly after: string; readonly follow: boolean },
  take: (page: ChangeList, signal: AbortSignal) => Promise<void>,
): Promise<void> =>
  untilInterrupted(async (signal) => {
    for await (const page of follow ? api.changePages({ after, signal }) : pagesUntilNow(api, { after, signal }))
      await take(page, signal)
  })

/** Does work that Ctrl+C ends. */
async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const giveUp = new AbortController()
  const { signal } = giveUp
  const stop = () => giveUp.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    await work(signal)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

/** Pages until the position stays the same: a filter can leave pages empty. */
async function* pagesUntilNow(api: Client, { after, ...request }: ListChangesRequest) {
  for (let from = after; ; ) {
    const { body } = await api.listChanges({ ...request, ...(from !== undefined && { after: from }) })
    yield body
    if (body.nextPosition === from) return
    from = body.nextPosition
  }
}

const typeWidth = Math.max(...recordKinds.map(({ name }) => `${name}.replaced`.length))

/** One line: time, change, record. */
export function changeLine({ type, id, version, submittedDateTime }: Change, { styled }: Terminal): string {
  const when = plain(submittedDateTime ?? '').padEnd(24)
  return `${styled('dim', when)}  ${plain(type).padEnd(typeWidth)}  ${plain(id)}  version ${version}`
}
