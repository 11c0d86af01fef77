// A new record: it begins empty, and is validated while it is written.
import { useMemo, useState } from 'preact/hooks'
import { readWritten, type Written } from '../../drafts/draft.ts'
import { draftOf, dropDraft, keepDraft } from '../../drafts/drafts.ts'
import { type DryRun, judgedBy, useDryRun } from '../../drafts/dry-run.ts'
import { emptyPayload, examplePayload, isExample } from '../../drafts/example-payload.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { PayloadEditor } from '../../parts/records/payload-editor.tsx'
import { sectionAt } from '../../records/record-sections.ts'
import { go, useAddress } from '../../state/frame/address.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureWords } from '../../words/failure-words.ts'

export function NewPage() {
  const { api } = useOpenSession()
  const section = sectionAt(useAddress().path)
  const { noun, name } = section.kind
  const draftId = `new ${name}`
  const [empty] = useState<Written>(() => ({ value: emptyPayload(section.kind) }))
  const [written, setWritten] = useState<Written>(() => draftOf(draftId)?.written ?? empty)
  const [sending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<DryRun>()
  // Sending the same draft twice creates it once.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const draft = useMemo(() => readWritten(written), [written])
  const value = 'value' in draft ? draft.value : undefined
  const isEmpty = written === empty
  const isUnchangedExample = useMemo(() => value !== undefined && isExample(section.kind, value), [value])
  const dryRun = useDryRun(
    isEmpty || isUnchangedExample ? undefined : value,
    (body, signal) => api.of(name).create({ body, dryRun: true, signal }),
    section.path,
  )

  const write = (next: Written) => {
    setWritten(next)
    setRefusal(undefined)
    keepDraft(draftId, { written: next, base: undefined, version: 0 })
  }
  const begin = (next: Written) => {
    setWritten(next)
    setRefusal(undefined)
    dropDraft(draftId)
  }
  const send = async () => {
    if (value === undefined) return
    setSending(true)
    try {
      const { body } = await api.of(name).create({ body: value, idempotencyKey })
      const [id, ...others] = body.request_ids
      dropDraft(draftId)
      say(`The ${noun} is stored`)
      go(`${section.path}${others.length === 0 ? `/${id}` : ''}`)
    } catch (error) {
      setSending(false)
      setRefusal(judgedBy(error))
      say(failureWords(error).title, 'failed')
    }
  }
  const isRefused = dryRun?.is === 'judged' && dryRun.refused

  return (
    <>
      <PageHead title={`New ${noun}`}>
        <p class="quiet">The service checks what you enter. Nothing is stored until you create the record.</p>
      </PageHead>
      <PayloadEditor
        section={section}
        written={written}
        onWritten={write}
        dryRun={refusal ?? dryRun}
        isNew
        notice={
          isUnchangedExample ? (
            <div class="callout" role="status">
              <p>
                <strong>This is the example.</strong> It is made up, so it cannot be created. Change it to what you want
                to record.
              </p>
            </div>
          ) : isEmpty ? (
            <p role="status" class="quiet">
              Nothing is entered yet. Fields marked “required” are needed before the {noun} can be created.
            </p>
          ) : undefined
        }
        actions={
          <p class="actions">
            {isEmpty ? (
              <button type="button" onClick={() => begin({ value: examplePayload(section.kind) })}>
                Fill in an example
              </button>
            ) : (
              <button type="button" onClick={() => begin(empty)}>
                Start over
              </button>
            )}
          </p>
        }
      >
        <p class="actions">
          <button
            type="button"
            class="main"
            disabled={value === undefined || isEmpty || isUnchangedExample || sending || isRefused}
            onClick={send}
          >
            {sending ? 'Sending…' : `Create ${noun}`}
          </button>
        </p>
      </PayloadEditor>
    </>
  )
}
