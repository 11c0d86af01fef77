// Bring in a file: it is checked in the page row by row, then sent; what is not taken is saved with the reason beside each row.
import { useEffect, useRef, useState } from 'preact/hooks'
import { plainOptions } from '../../intake/intake.ts'
import { templateWorkbook } from '../../intake/template-file.ts'
import {
  check,
  type ImportCounts,
  type ImportPass,
  type Rejection,
  rejectedFile,
  rejectionsKept,
  send,
} from '../file-import.ts'
import { counted } from '../labels.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { handOver } from '../saving.ts'
import { useMay, useOpenSession } from '../session.ts'

type Step =
  | { readonly is: 'none' }
  | { readonly is: 'checking' | 'sending'; readonly file: File; readonly counts: ImportCounts }
  | { readonly is: 'checked' | 'sent'; readonly file: File; readonly result: ImportPass }
  | { readonly is: 'failed'; readonly file: File; readonly error: unknown }

const nothingYet: ImportCounts = { read: 0, lines: 0, accepted: 0, rejected: 0 }

export function ImportPage() {
  const { api } = useOpenSession()
  const mayWrite = useMay('writer')
  const [step, setStep] = useState<Step>({ is: 'none' })
  const [dates, setDates] = useState<'mdy' | 'dmy'>('mdy')
  const [utcOffset, setUtcOffset] = useState('')
  const [replace, setReplace] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const options = { ...plainOptions, dates, utcOffset: utcOffset || undefined }
  const run = async (
    is: 'checking' | 'sending',
    file: File,
    work: (signal: AbortSignal, tell: (counts: ImportCounts) => void) => Promise<ImportPass>,
  ) => {
    const controller = new AbortController()
    running.current = controller
    setStep({ is, file, counts: nothingYet })
    try {
      const result = await work(controller.signal, (counts) => setStep({ is, file, counts }))
      setStep({ is: is === 'checking' ? 'checked' : 'sent', file, result })
    } catch (error) {
      setStep(controller.signal.aborted ? { is: 'none' } : { is: 'failed', file, error })
    }
  }
  const checkFile = (file: File) => run('checking', file, (signal, tell) => check(file, options, signal, tell))
  const sendFile = (file: File) =>
    run('sending', file, (signal, tell) => send(api, file, options, replace, signal, tell))

  if (!mayWrite)
    return (
      <>
        <PageHead title="Bring in a file" />
        <Empty title="This key may not write">
          <p>Sign in with the key of a writer to bring in files.</p>
        </Empty>
      </>
    )
  return (
    <>
      <PageHead
        title="Bring in a file"
        actions={
          <button type="button" onClick={saveTemplate}>
            Save the template
          </button>
        }
      />
      <FileChoice onFile={checkFile} />
      <fieldset class="choices">
        <legend>How it is read</legend>
        <label>
          <span>A date such as 03/04/2026 is</span>
          <select value={dates} onChange={({ currentTarget }) => setDates(currentTarget.value as typeof dates)}>
            <option value="mdy">4 March (month first)</option>
            <option value="dmy">3 April (day first)</option>
          </select>
        </label>
        <label>
          <span>Times without an offset are those of</span>
          <select value={utcOffset} onChange={({ currentTarget }) => setUtcOffset(currentTarget.value)}>
            <option value="">– none: such rows are rejected</option>
            {offsets.map((offset) => (
              <option key={offset} value={offset}>
                {offset === 'Z' ? 'UTC' : `UTC${offset.replace('-', '−')}`}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={replace}
            onChange={({ currentTarget }) => setReplace(currentTarget.checked)}
          />
          <span>Replace records that are there already; otherwise they are rejected</span>
        </label>
      </fieldset>
      <StepState step={step} onCancel={() => running.current?.abort()} onCheck={checkFile} onSend={sendFile} />
    </>
  )
}

const offsets = [
  'Z',
  ...[-10, -9, -8, -7, -6, -5, -4].map((hours) => `-${String(-hours).padStart(2, '0')}:00`),
  '+01:00',
  '+02:00',
]

async function saveTemplate(): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of templateWorkbook()) parts.push(part as Uint8Array<ArrayBuffer>)
  handOver(new Blob(parts), 'lotkeeper-template.xlsx')
}

function FileChoice({ onFile }: { readonly onFile: (file: File) => void }) {
  const [over, setOver] = useState(false)
  return (
    <label
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer?.files ?? []
        if (file !== undefined) onFile(file)
      }}
    >
      <span>
        <strong>Choose a file</strong>, or drop it here: XLSX, CSV or NDJSON. It is checked first; nothing is sent yet.
      </span>
      <input
        type="file"
        accept=".xlsx,.csv,.ndjson,.jsonl,.txt"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) onFile(file)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

interface StateProps {
  readonly step: Step
  readonly onCancel: () => void
  readonly onCheck: (file: File) => void
  readonly onSend: (file: File) => void
}

function StepState({ step, onCancel, onCheck, onSend }: StateProps) {
  switch (step.is) {
    case 'none':
      return null
    case 'failed':
      return (
        <>
          <Failure error={step.error} again={() => onSend(step.file)} />
          <p class="quiet">What was sent is stored; sending the file again makes nothing twice.</p>
        </>
      )
    case 'checking':
    case 'sending': {
      const { read, lines, accepted, rejected } = step.counts
      return (
        <div class="callout" role="status">
          <p>
            {step.is === 'checking' ? 'Checking' : 'Sending'} <strong>{step.file.name}</strong>:{' '}
            {counted(lines, 'line')}, {counted(accepted, 'record')} {step.is === 'checking' ? 'right' : 'stored'},{' '}
            {rejected} rejected
          </p>
          <p class="with-button">
            <progress value={read} max={1} aria-label="How far the file is read" />
            <button type="button" onClick={onCancel}>
              Cancel
            </button>
          </p>
        </div>
      )
    }
    case 'checked':
    case 'sent':
      return <Result step={step} onCheck={onCheck} onSend={onSend} />
  }
}

interface ResultProps extends Pick<StateProps, 'onCheck' | 'onSend'> {
  readonly step: Extract<Step, { readonly is: 'checked' | 'sent' }>
}

function Result({ step: { is, file, result }, onCheck, onSend }: ResultProps) {
  const { accepted, rejected, lines, notes, rejections } = result
  return (
    <section>
      <div class="section-head">
        <h2>{is === 'checked' ? `${file.name} is checked` : `${file.name} is brought in`}</h2>
      </div>
      <p role="status">
        {counted(lines, 'line')}: {counted(accepted, 'record')} {is === 'checked' ? 'can be sent' : 'stored'},{' '}
        {rejected} rejected.
      </p>
      {notes.map((note) => (
        <p key={note} class="quiet" dir="auto">
          {note}
        </p>
      ))}
      <p class="actions">
        {is === 'checked' && accepted > 0 && (
          <button type="button" class="main" onClick={() => onSend(file)}>
            Send {counted(accepted, 'record')}
          </button>
        )}
        {rejections.length > 0 && (
          <button
            type="button"
            onClick={async () => {
              const { blob, name } = await rejectedFile(file.name, rejections)
              handOver(blob, name)
            }}
          >
            Save the rejected rows
          </button>
        )}
        {is === 'checked' && (
          <button type="button" onClick={() => onCheck(file)}>
            Check again
          </button>
        )}
      </p>
      {rejections.length > 0 && <Rejections rejections={rejections} rejected={rejected} />}
    </section>
  )
}

const shownMax = 100

function Rejections({
  rejections,
  rejected,
}: {
  readonly rejections: readonly Rejection[]
  readonly rejected: number
}) {
  const rows = rejections
    .slice(0, shownMax)
    .flatMap(({ from, findings }) =>
      findings.map((finding) => ({ ...finding, sheet: from !== undefined && 'rows' in from ? from.sheet : '' })),
    )
  return (
    <>
      {rejected > shownMax && (
        <p class="quiet">
          The first {shownMax} are shown
          {rejected > rejectionsKept && `; the first ${rejectionsKept.toLocaleString('en')} can be saved`}.
        </p>
      )}
      <div class="scroller">
        <table class="entry-table" aria-label="Rejected rows">
          <thead>
            <tr>
              {['Row', 'Column', 'What is wrong', 'What to do'].map((words) => (
                <th key={words} scope="col">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ sheet, row, column, message, remedy }) => (
              <tr key={`${sheet} ${row} ${column} ${message}`}>
                <td>
                  {sheet && `${sheet} `}
                  {row}
                </td>
                <td class="mono">{column}</td>
                <td dir="auto">{message}</td>
                <td dir="auto">{remedy}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
