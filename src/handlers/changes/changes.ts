// Answers with the feed of changes: a page, a page after a wait, or a stream. Source: decision
// 0071.
import {
  type Change,
  type ChangeFilter,
  type DamagedChange,
  positionText,
  readPosition,
} from '../../contract/changes.ts'
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { limitMax } from '../../operations/base/query.ts'
import { eventStream } from '../../operations/changes/changes.ts'
import { isKeyOpen } from '../../store/base/api-keys.ts'
import { type ChangePage, inOrder, positionAt, positionBack, wantedChanges } from '../../store/changes/changes.ts'
import type { Listener } from '../base/change-listening.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'

/**
 * Time without changes after which a stream sends a heartbeat, in milliseconds: proxies close
 * connections that are idle for a minute.
 */
const heartbeatMs = 15_000

/** Time after which a browser reconnects to a stream that ended, in milliseconds. */
const reconnectMs = 1_000

type Ends = 'listed' | 'otherHistory' | 'tooManyListeners' | 'badQuery'

const otherHistory: Answer<'otherHistory'> = {
  outcome: 'otherHistory',
  detail:
    'The changes behind this position are not those of this account as it is now. Read everything again without after, or continue at the position of GET /changes/now and compare your copy with the lists.',
}

const tooManyListeners: Answer<'tooManyListeners'> = {
  outcome: 'tooManyListeners',
  detail: 'Too many callers wait for changes. Retry after the time in Retry-After, or ask without wait.',
}

const listChanges =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<Ends>> => {
    const { provider, query, lists, following } = call
    const text = (following?.isStream ? following.lastEventId : undefined) ?? query.after
    const after = text === undefined ? undefined : readPosition(text)
    if (text !== undefined && after === undefined)
      return {
        outcome: 'badQuery',
        detail: `${text === query.after ? 'after' : 'Last-Event-ID'} is not a position from this service. Send nextPosition of the last answer.`,
      }
    const filter: ChangeFilter = {
      kinds: lists.kind as readonly RecordKindName[] | undefined,
      dataProviderVendorId: query.dataProviderVendorId,
      shipToLocationCode: query.shipToLocationCode,
      lotCode: query.lotCode,
    }
    if (following?.isStream) return streamOf(context, call, filter, after)

    const { store, changeListeners } = context
    const limit = Number(query.limit ?? limitMax)
    const first = await wantedChanges(store, provider, { after, limit, filter })
    if (first === 'otherHistory') return otherHistory
    if (!first.isEnd || first.changes.length === limit) return toAnswer(first)
    // Gives committed versions their place in the feed first.
    await changeListeners.bringUp(provider)
    const more = await readOn(context, provider, first, { limit, filter })
    const waitMs = Number(query.wait ?? 0) * 1_000
    if (!isEmpty(more) || !more.isEnd || waitMs === 0) return toAnswer(more)

    const listener = changeListeners.admit(provider)
    if (listener === undefined) return tooManyListeners
    try {
      return toAnswer(await waitForChanges(context, call, listener, { page: more, limit, filter, waitMs }))
    } finally {
      listener.end()
    }
  }

const toAnswer = ({ changes, damaged, next }: ChangePage): Answer<'listed'> => ({
  outcome: 'listed',
  body: {
    content: changes,
    nextPosition: positionText(next),
    ...(damaged.length > 0 && { damaged: damaged.map(({ id, version }) => ({ id, version })) }),
  },
})

/**
 * A page, extended by later changes. The history needs no second check, because it does not change.
 */
async function readOn(
  { store }: HandlerContext,
  provider: string,
  page: ChangePage,
  { limit, filter }: { readonly limit: number; readonly filter: ChangeFilter },
): Promise<ChangePage> {
  const rest = await wantedChanges(store, provider, { after: page.next, limit: limit - page.changes.length, filter })
  return rest === 'otherHistory'
    ? page
    : {
        ...rest,
        changes: [...page.changes, ...rest.changes],
        damaged: [...page.damaged, ...rest.damaged],
      }
}

/** Whether nothing came, not even a change that is missing in the database. */
const isEmpty = ({ changes, damaged }: ChangePage): boolean => changes.length + damaged.length === 0

/** False when changes came that the caller may no longer see: a partner whose access has ended. */
const mayStillSee = async (
  { store }: HandlerContext,
  { provider, keyId, role }: OperationCall,
  page: ChangePage,
): Promise<boolean> => isEmpty(page) || role !== 'partner' || isKeyOpen(store, provider, keyId)

async function waitForChanges(
  context: HandlerContext,
  call: OperationCall,
  listener: Listener,
  {
    page,
    limit,
    filter,
    waitMs,
  }: { readonly page: ChangePage; readonly limit: number; readonly filter: ChangeFilter; readonly waitMs: number },
): Promise<ChangePage> {
  const { provider, following } = call
  const gone = following?.departure
  const until = performance.now() + waitMs
  let last = page
  while (isEmpty(last) && last.isEnd && !context.changeListeners.hasEnded) {
    const leftMs = until - performance.now()
    if (leftMs <= 0) break
    await listener.changed(last.next, leftMs, gone)
    if (gone?.aborted) break
    last = await readOn(context, provider, last, { limit, filter })
  }
  return (await mayStillSee(context, call, last)) ? last : page
}

async function streamOf(
  context: HandlerContext,
  call: OperationCall,
  filter: ChangeFilter,
  after: ReturnType<typeof readPosition>,
): Promise<Answer<Ends>> {
  const listener = context.changeListeners.admit(call.provider)
  if (listener === undefined) return tooManyListeners
  const first = await wantedChanges(context.store, call.provider, { after, limit: limitMax, filter }).catch(
    (error: unknown) => {
      listener.end()
      throw error
    },
  )
  if (first === 'otherHistory') {
    listener.end()
    return otherHistory
  }
  return {
    outcome: 'listed',
    file: { mediaType: eventStream, records: undefined, parts: events(context, call, listener, { first, filter }) },
  }
}

/** Server-sent events until the client leaves or the stream has lasted long enough. */
async function* events(
  context: HandlerContext,
  call: OperationCall,
  listener: Listener,
  { first, filter }: { readonly first: ChangePage; readonly filter: ChangeFilter },
): AsyncGenerator<string> {
  const { provider, following } = call
  try {
    const gone = following?.departure
    const until = performance.now() + context.limits.changeStreamMsMax
    yield `retry: ${reconnectMs}\n\n`
    for (let page = first; ; ) {
      // Without changes the position alone, so that a client that reconnects does not read filtered
      // changes again.
      yield `${inOrder(page).map(eventText).join('')}id: ${positionText(page.next)}\n\n`
      const leftMs = until - performance.now()
      if (leftMs <= 0 || context.changeListeners.hasEnded) return
      if (page.isEnd) await listener.changed(page.next, Math.min(heartbeatMs, leftMs), gone)
      if (gone?.aborted) return
      page = await readOn(context, provider, { ...page, changes: [], damaged: [] }, { limit: limitMax, filter })
      if (!(await mayStillSee(context, call, page))) return
    }
  } finally {
    listener.end()
  }
}

const eventText = (change: Change | DamagedChange): string =>
  `id: ${change.position}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`

const readNewestPosition =
  ({ store, changeListeners }: HandlerContext) =>
  async ({ provider, query: { back, dateTime } }: OperationCall): Promise<Answer<'found' | 'badQuery'>> => {
    if (back !== undefined && dateTime !== undefined)
      return { outcome: 'badQuery', detail: 'back and dateTime exclude each other. Send one of them.' }
    await changeListeners.bringUp(provider)
    const position =
      dateTime === undefined
        ? await positionBack(store, provider, Number(back ?? 0))
        : await positionAt(store, provider, dateTime)
    return { outcome: 'found', body: { position: positionText(position) } }
  }

export const feedHandlers = { listChanges, readNewestPosition }
