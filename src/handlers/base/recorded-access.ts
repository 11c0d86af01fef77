// Records each export in the access log before it is sent, and how it ended. Sources: decisions
// 0039, 0077.
import type { Operation } from '../../operations/base/operation.ts'
import type { QueryLists } from '../../operations/base/query.ts'
import { isKeyOpen } from '../../store/base/api-keys.ts'
import { beginAccess, endAccess } from '../../store/evidence/access-log.ts'
import type { Answer, AnswerFile, HandlerContext, OperationCall } from './handler.ts'
import { RepeatedAnswers } from './repeated-answers.ts'

/** Longest lot code in an entry; an address may hold much more text. */
const notedLengthMax = 200

/** A parameter with one value is recorded as that text. */
const notedLists = (lists: QueryLists): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    Object.entries(lists).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )

/** The parameters of a call in the access log. */
type RecordedCall = Pick<OperationCall, 'provider' | 'keyId' | 'requestId' | 'lotCode' | 'query' | 'lists'> &
  Partial<Pick<OperationCall, 'role' | 'id'>>

/**
 * The same handler with an entry in the access log before its file is sent; for a partner before
 * anything is that was not sent within the hour. If the entry cannot be written, the call fails and
 * nothing is sent.
 */
export function recordingAccess<Call extends RecordedCall>(
  { store, reportDropped }: HandlerContext,
  operation: Pick<Operation, 'name' | 'recorded'> & Partial<Pick<Operation, 'outcomes'>>,
  handler: (call: Call) => Promise<Answer<string>>,
): (call: Call) => Promise<Answer<string>> {
  const repeated = new RepeatedAnswers()
  return async (call) => {
    const answer = await handler(call)
    const { file } = answer
    const isPartner = call.role === 'partner'
    if (isPartner ? !isSuccess(operation, answer) : !isRecorded(operation, file)) return answer
    const { provider, keyId, requestId, id = '', lotCode, query, lists } = call
    const access = {
      who: keyId,
      requestId,
      operation: operation.name,
      asked: {
        ...(isPartner && id !== '' && { id: id.slice(0, notedLengthMax) }),
        ...(lotCode !== '' && { lotCode: lotCode.slice(0, notedLengthMax) }),
        ...query,
        ...notedLists(lists),
      },
    }
    if (file === undefined) {
      const text = answer.text ?? (answer.body && JSON.stringify(answer.body))
      const bytes = text === undefined ? 0 : Buffer.byteLength(text)
      await repeated.noteOnce([provider, keyId, access.asked], text ?? '', () =>
        store.groups.noteAccesses.submit(provider, { ...access, records: recordsIn(answer), bytes }),
      )
      return text === undefined ? answer : { ...answer, text }
    }
    const entry = await beginAccess(store, provider, { ...access, records: file.records })
    return {
      ...answer,
      file: {
        ...file,
        ...(isPartner && {
          parts: untilOver(file.parts, async () => !(await isKeyOpen(store, provider, keyId))),
        }),
        onEnd: (end) => {
          file.onEnd?.(end)
          endAccess(store, { id: entry, ...end, provider }).catch(() =>
            reportDropped(`The end of export ${entry} was not recorded.`),
          )
        },
      },
    }
  }
}

const isRecorded = ({ recorded }: Pick<Operation, 'recorded'>, file: AnswerFile | undefined): boolean =>
  file !== undefined && (recorded === 'everyFile' || (recorded === 'savedFiles' && file.name !== undefined))

const isSuccess = ({ outcomes }: Partial<Pick<Operation, 'outcomes'>>, { outcome }: Answer<string>): boolean =>
  (outcomes?.[outcome]?.status ?? 500) < 400

/** Entries of a page; unknown of a text that was put together. */
function recordsIn({ body }: Answer<string>): number | undefined {
  const { content } = (body ?? {}) as { readonly content?: unknown }
  return Array.isArray(content) ? content.length : undefined
}

/** How often a download looks whether it is over, in milliseconds. */
const lookMs = 1_000

/** The parts of a download, which breaks off soon after the access to it ends. */
export async function* untilOver(parts: AnswerFile['parts'], isOver: () => Promise<boolean>): AnswerFile['parts'] {
  let lookAt = performance.now() + lookMs
  for await (const part of parts) {
    if (performance.now() > lookAt) {
      if (await isOver()) throw new Error('The access to this file has ended.')
      lookAt = performance.now() + lookMs
    }
    yield part
  }
}
