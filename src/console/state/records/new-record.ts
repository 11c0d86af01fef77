// A new record: its draft, what the rules say of it, and sending it.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { readWritten, type Written } from '../../drafts/draft.ts'
import { draftOf, dropDraft, followDraft, keepDraft } from '../../drafts/drafts.ts'
import { type DryRun, judgedBy, useDryRun } from '../../drafts/dry-run.ts'
import { emptyPayload, examplePayload, isExample } from '../../drafts/example-payload.ts'
import type { RecordSection } from '../../records/record-sections.ts'
import { failureWords } from '../../words/failure-words.ts'
import { go } from '../frame/address.ts'
import { draftPlace } from '../frame/device.ts'
import { useOpenSession } from '../frame/session.ts'
import { say } from '../frame/toasts.ts'

interface NewRecord {
  readonly written: Written
  /** Sending the same draft twice creates it once. */
  readonly idempotencyKey: string
  readonly isSending: boolean
  /** Why the service rejected it. */
  readonly refusal?: DryRun
}

export function useNewRecord({ kind, path }: RecordSection) {
  const { api, key } = useOpenSession()
  const records = api.of(kind.name)
  const place = draftPlace(key, `new ${kind.name}`)
  const [empty] = useState<Written>(() => ({ value: emptyPayload(kind) }))
  const open = (): NewRecord => {
    const { written = empty, idempotencyKey = crypto.randomUUID() } = draftOf(place) ?? {}
    return { written, idempotencyKey, isSending: false }
  }
  const [{ written, idempotencyKey, isSending, refusal }, setRecord] = useState(open)
  // Another tab of the same person goes on with it, or has sent or discarded it.
  useEffect(() => followDraft(place, () => setRecord(open())), [place])
  const reading = useMemo(() => readWritten(written), [written])
  const value = 'value' in reading ? reading.value : undefined
  const isEmpty = written === empty
  const isUnchangedExample = useMemo(() => value !== undefined && isExample(kind, value), [value])
  const canBeSent = value !== undefined && !isEmpty && !isUnchangedExample
  const dryRun = useDryRun(
    { value: canBeSent ? value : undefined, isSending },
    (body, signal) => records.create({ body, dryRun: true, signal }),
    path,
  )

  const begin = (next: Written) => {
    dropDraft(place)
    setRecord({ ...open(), written: next })
  }
  const send = async () => {
    if (value === undefined) return
    setRecord({ written, idempotencyKey, isSending: true })
    try {
      const { body } = await records.create({ body: value, idempotencyKey })
      const [id, ...others] = body.request_ids
      dropDraft(place)
      say(`The ${kind.noun} is stored`)
      go(`${path}${others.length === 0 ? `/${id}` : ''}`)
    } catch (error) {
      setRecord((before) => ({ ...before, isSending: false, refusal: judgedBy(error) }))
      say(failureWords(error).title, 'failed')
    }
  }
  return {
    written,
    isEmpty,
    isUnchangedExample,
    isSending,
    mayBeSent: canBeSent && !isSending && !(dryRun?.is === 'judged' && dryRun.refused),
    dryRun: refusal ?? dryRun,
    write: (next: Written) => {
      setRecord({ written: next, idempotencyKey, isSending })
      keepDraft(place, { written: next, base: undefined, version: 0, idempotencyKey })
    },
    startOver: () => begin(empty),
    fillIn: () => begin({ value: examplePayload(kind) }),
    send,
  }
}
