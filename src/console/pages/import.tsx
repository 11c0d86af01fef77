// Bring in a file: it is checked in the page row by row, then sent; what is not taken is saved with the reason beside each row.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { plainOptions } from '../../intake/intake.ts'
import type { Mapping } from '../../intake/layout.ts'
import { readMapping } from '../../intake/mapping.ts'
import { templateWorkbook } from '../../intake/template-file.ts'
import { check, type ImportCounts, type ImportPass, send } from '../file-import.ts'
import { counted } from '../labels.ts'
import { ImportResult } from '../parts/import-result.tsx'
import { MappingForm } from '../parts/mapping-form.tsx'
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
  const [mapping, setMapping] = useState<Mapping>()
  const [mappingFault, setMappingFault] = useState('')
  const [defaults, setDefaults] = useState<Readonly<Record<string, string>>>({})
  const openMapping = async (file: File) => {
    const read = readMapping(await file.text(), file.name)
    setMapping(typeof read === 'string' ? undefined : read)
    setMappingFault(typeof read === 'string' ? read : '')
  }
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const options = { ...plainOptions, dates, utcOffset: utcOffset || undefined, mapping, defaults }
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
        <label>
          <span>Columns that were saved</span>
          <input
            type="file"
            accept=".json"
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? []
              if (chosen !== undefined) openMapping(chosen)
              // The same file can be chosen again once it was changed.
              currentTarget.value = ''
            }}
          />
        </label>
        <p class="fault" role="alert">
          {mappingFault}
        </p>
        {mapping !== undefined && (
          <p role="status">
            {counted(Object.keys(mapping.columns).length, 'heading')} that are not ours are said.{' '}
            <button type="button" class="plain in-line" onClick={() => setMapping(undefined)}>
              Forget them
            </button>
          </p>
        )}
      </fieldset>
      <StepState step={step} onCancel={() => running.current?.abort()} onCheck={checkFile} onSend={sendFile}>
        {step.is === 'checked' && step.result.unknown && (
          <MappingForm
            unknown={step.result.unknown}
            columns={{ ...step.result.unknown.columns, ...mapping?.columns }}
            defaults={defaults}
            onColumns={(columns) => setMapping({ columns })}
            onDefaults={setDefaults}
            onCheck={() => checkFile(step.file)}
          />
        )}
      </StepState>
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
  /** What there is to say before it can be checked again. */
  readonly children: ComponentChildren
}

function StepState({ step, onCancel, onCheck, onSend, children }: StateProps) {
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
    case 'checked': {
      const { file, result } = step
      return (
        <>
          <ImportResult title={`${file.name} is checked`} file={file} result={result} taken="can be sent">
            {result.accepted > 0 && (
              <button type="button" class="main" onClick={() => onSend(file)}>
                Send {counted(result.accepted, 'record')}
              </button>
            )}
            <button type="button" onClick={() => onCheck(file)}>
              Check again
            </button>
          </ImportResult>
          {children}
        </>
      )
    }
    case 'sent':
      return (
        <ImportResult title={`${step.file.name} is brought in`} file={step.file} result={step.result} taken="stored">
          {null}
        </ImportResult>
      )
  }
}
