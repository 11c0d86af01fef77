// Tries settings on a document before they are saved: it is pasted or chosen, and nothing of it is
// stored.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { wholeText } from '../../files/partner-documents.ts'
import { type Submission, useSubmission } from '../../state/frame/submission.ts'
import { Fault } from '../frame/fault.tsx'

interface Props {
  /** As part of a sentence: "a ship notice". */
  readonly what: string
  readonly accept: string
  /** Changes whenever the settings do: the earlier trial is then out of date. */
  readonly settings: string
  /** Tries the settings; throws when it cannot. */
  readonly onTry: (text: string) => Promise<ComponentChildren>
}

/** Characters of a file that are shown to be edited. */
const shownMax = 100_000

export function TriedDocument({ what, accept, settings, onTry }: Props) {
  const trial = useTrial(onTry, settings)
  const [file, setFile] = useState<File>()
  const [text, setText] = useState('')
  const isReady = file !== undefined || text.trim() !== ''
  const start = () => trial.run(async () => (file === undefined ? text : wholeText(file)))
  return (
    <section aria-labelledby="try-document" class="tried">
      <h2 id="try-document">Try {what}</h2>
      <p class="quiet">The settings above are used as they are now, saved or not. Nothing of the file is stored.</p>
      <div class="form-field wide-field">
        <label for="tried-text">Paste {what}</label>
        <textarea
          id="tried-text"
          class="mono"
          rows={6}
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setFile(undefined)
          }}
        />
      </div>
      <div class="form-field">
        <label for="tried-file">Or choose a file</label>
        <input
          id="tried-file"
          type="file"
          accept={accept}
          onChange={async ({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? []
            currentTarget.value = ''
            if (chosen === undefined) return
            setFile(chosen)
            setText(chosen.size <= shownMax ? await wholeText(chosen).catch(() => '') : '')
          }}
        />
        {file !== undefined && (
          <p class="small">
            Chosen: <bdi class="mono">{file.name}</bdi>
          </p>
        )}
      </div>
      <p class="actions">
        <button type="button" disabled={!isReady || trial.isSending} onClick={start}>
          {trial.isSending ? 'Trying…' : 'Try'}
        </button>
      </p>
      <Fault>{trial.fault}</Fault>
      <p role="status" class="quiet">
        {trial.isStale
          ? 'The settings have changed since. Try again.'
          : trial.result !== undefined && 'Tried with the settings above:'}
      </p>
      <div class={trial.isStale ? 'stale' : undefined}>{trial.result}</div>
    </section>
  )
}

interface Trial extends Pick<Submission, 'isSending' | 'fault'> {
  readonly result: ComponentChildren
  readonly isStale: boolean
  readonly run: (read: () => Promise<string>) => Promise<void>
}

function useTrial(onTry: Props['onTry'], settings: string): Trial {
  const { isSending, fault, submit } = useSubmission()
  const [ended, setEnded] = useState<{ readonly result: ComponentChildren; readonly settings: string }>()
  const now = useRef(settings)
  now.current = settings
  const run: Trial['run'] = (read) =>
    submit(async () => {
      const tried = now.current
      setEnded(undefined)
      setEnded({ result: await onTry(await read()), settings: tried })
    })
  return { isSending, fault, result: ended?.result, isStale: ended !== undefined && ended.settings !== settings, run }
}
