// Notes in the access log what is handed over: before it is sent, and how that ended.
// Source: decision 0039.
import type { Operation } from '../operations/operation.ts'
import type { QueryLists } from '../operations/query.ts'
import { beginAccess, endAccess } from '../store/access-log.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'

/** Longest lot code that is noted; whoever asks may write much more into an address. */
const notedLengthMax = 200

/** A parameter with one value is noted as the text it is. */
const notedLists = (lists: QueryLists): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    Object.entries(lists).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )

/** What of a call the access log has. */
type RecordedCall = Pick<OperationCall, 'provider' | 'keyId' | 'requestId' | 'lotCode' | 'query' | 'lists'>

/**
 * The same handler with an entry in the access log before its file is sent. If the entry cannot be
 * written, the call fails and nothing is sent.
 */
export const recordingAccess =
  <Call extends RecordedCall>(
    { store, reportDropped }: HandlerContext,
    { name: operation, recorded }: Pick<Operation, 'name' | 'recorded'>,
    handler: (call: Call) => Promise<Answer<string>>,
  ) =>
  async (call: Call): Promise<Answer<string>> => {
    const answer = await handler(call)
    const { file } = answer
    if (file === undefined || (recorded === 'savedFiles' && file.name === undefined)) return answer
    const { provider, keyId, requestId, lotCode, query, lists } = call
    const entry = await beginAccess(store, provider, {
      who: keyId,
      requestId,
      operation,
      asked: { ...(lotCode !== '' && { lotCode: lotCode.slice(0, notedLengthMax) }), ...query, ...notedLists(lists) },
      records: file.records,
    })
    return {
      ...answer,
      file: {
        ...file,
        onEnd: (end) => {
          endAccess(store, provider, entry, end).catch(() =>
            reportDropped(`The end of export ${entry} was not recorded.`),
          )
        },
      },
    }
  }
