// A record that is not there yet: begun from an example, judged while it is written.
import { useState } from 'preact/hooks'
import { draftText, readDraft } from '../drafts/draft.ts'
import { type DryRun, judgedBy, useDryRun } from '../drafts/dry-run.ts'
import { examplePayload } from '../drafts/example-payload.ts'
import { PageHead } from '../parts/page-head.tsx'
import { PayloadEditor } from '../parts/payload-editor.tsx'
import { sectionAt } from '../records/record-sections.ts'
import { go, useAddress } from '../state/address.ts'
import { say } from '../state/notices.ts'
import { useOpenSession } from '../state/session.ts'
import { failureWords } from '../words/failure-words.ts'

export function NewPage() {
  const { api } = useOpenSession()
  const section = sectionAt(useAddress().path)
  const { noun } = section.kind
  const [text, setText] = useState(() => draftText(examplePayload(section.kind)))
  const [sending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<DryRun>()
  // The same draft sent twice is created once.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const draft = readDraft(text)
  const value = 'value' in draft ? draft.value : undefined
  const dryRun = useDryRun(
    value,
    (body, signal) => api.of(section.kind.name).create({ body, dryRun: true, signal }),
    section.path,
  )

  const send = async () => {
    if (value === undefined) return
    setSending(true)
    try {
      const { body } = await api.of(section.kind.name).create({ body: value, idempotencyKey })
      const [id, ...others] = body.request_ids
      say(`The ${noun} is stored`)
      go(`${section.path}${others.length === 0 ? `/${id}` : ''}`)
    } catch (error) {
      setSending(false)
      setRefusal(judgedBy(error))
      say(failureWords(error).title, 'failed')
    }
  }

  return (
    <>
      <PageHead title={`New ${noun}`}>
        <p class="quiet">Start from this example. Nothing is stored until you create the record.</p>
      </PageHead>
      <PayloadEditor
        section={section}
        text={text}
        onText={(next) => {
          setText(next)
          setRefusal(undefined)
        }}
        dryRun={refusal ?? dryRun}
      >
        <p class="actions">
          <button
            type="button"
            class="main"
            disabled={value === undefined || sending || (dryRun?.is === 'judged' && dryRun.refused)}
            onClick={send}
          >
            {sending ? 'Sending…' : `Create ${noun}`}
          </button>
        </p>
      </PayloadEditor>
    </>
  )
}
