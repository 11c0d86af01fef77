// Import a file: it is checked in the page row by row, then sent; what is not taken is saved with
// the reason beside each row.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { pluralize } from '../../contract/pluralize.ts'
import type { EventKindName } from '../../contract/record-kinds.ts'
import { noCounts, type Progress } from '../../intake/import-run.ts'
import { type IntakeOptions, plainOptions } from '../../intake/intake.ts'
import type { Mapping } from '../../intake/layout.ts'
import { readMapping } from '../../intake/mapping.ts'
import { type PartnerDocument, partnerDocumentOf } from '../../intake/partner-document.ts'
import type { Defaults } from '../../intake/read-row.ts'
import type { Removal } from '../../intake/send-record.ts'
import { templateWorkbook } from '../../intake/template-file.ts'
import { type ImportReport, importFile, openedFile } from '../files/file-import.ts'
import { handOver } from '../files/saving.ts'
import { DocumentImport } from '../parts/document-import.tsx'
import { Fault } from '../parts/fault.tsx'
import { ImportResult } from '../parts/import-result.tsx'
import { MappingForm, withValue } from '../parts/mapping-form.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { type RemovalAsked, RemovalQuestion } from '../parts/removal-question.tsx'
import { RowValues } from '../parts/row-values.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { TimeZoneChoice } from '../parts/time-zone-choice.tsx'
import { useStaying } from '../state/leaving.ts'
import { recallColumns, rememberColumns } from '../state/remembered-columns.ts'
import { patientClient, useMay, useOpenSession } from '../state/session.ts'
import { localTimeOptions } from '../words/local-times.ts'

type Step =
  | { readonly is: 'none' }
  | {
      readonly is: 'checking' | 'sending'
      readonly file: File
      readonly progress: Progress
      readonly stopping: boolean
    }
  | { readonly is: 'checked' | 'sent'; readonly file: File; readonly report: ImportReport }
  | { readonly is: 'failed'; readonly file: File; readonly error: unknown }
  | { readonly is: 'document'; readonly file: File; readonly kind: PartnerDocument }

const nothingYet: Progress = { is: 'reading', part: 0, rows: 0, skipped: 0, of: undefined, counts: noCounts }

/** Asks one question at a time, and remembers an answer for all. */
function useRemovalQuestion() {
  const [asked, setAsked] = useState<RemovalAsked>()
  const state = useRef<{ forAll?: boolean; before: Promise<unknown>; open?: RemovalAsked['answer'] }>({
    before: Promise.resolve(),
  })
  const ask = (removal: Removal) =>
    new Promise<boolean>((resolve) => {
      const { forAll } = state.current
      if (forAll !== undefined) return resolve(forAll)
      const answer = (remove: boolean, isForAll: boolean) => {
        if (isForAll) state.current.forAll = remove
        setAsked(undefined)
        resolve(remove)
      }
      state.current.open = answer
      setAsked({ removal, answer })
    })
  const mayRemove = (removal: Removal): Promise<boolean> => {
    const answer = state.current.before.then(() => ask(removal))
    state.current.before = answer
    return answer
  }
  const begin = () => {
    state.current = { before: Promise.resolve() }
  }
  /** Stopping the import removes no further lines. */
  const giveUp = () => {
    state.current.forAll = false
    state.current.open?.(false, true)
  }
  return { asked, mayRemove, begin, giveUp }
}

export function ImportPage() {
  const session = useOpenSession()
  const mayWrite = useMay('writer')
  const [step, setStep] = useState<Step>({ is: 'none' })
  const [dates, setDates] = useState<'mdy' | 'dmy'>('mdy')
  const [localTime, setLocalTime] = useState('')
  const [kind, setKind] = useState<EventKindName>()
  const [replace, setReplace] = useState(false)
  const [restoreZeros, setRestoreZeros] = useState(false)
  const [completes, setCompletes] = useState(true)
  const [mapping, setMapping] = useState<Mapping>()
  const [mappingFault, setMappingFault] = useState('')
  const [defaults, setDefaults] = useState<Defaults>({})
  const removals = useRemovalQuestion()
  const openMapping = async (file: File) => {
    const read = readMapping(await file.text(), file.name)
    setMapping(typeof read === 'string' ? undefined : { ...read, name: file.name })
    setMappingFault(typeof read === 'string' ? read : '')
  }
  const running = useRef<AbortController>(undefined)
  useEffect(
    () => () => {
      running.current?.abort()
      removals.giveUp()
    },
    [],
  )
  useStaying(
    step.is === 'sending'
      ? `${step.file.name} is being imported. Records already sent stay stored. To continue later, choose the same file again.`
      : undefined,
  )

  const options = { ...plainOptions, dates, ...localTimeOptions(localTime), restoreZeros, kind, mapping, defaults }
  const run = async (is: 'checking' | 'sending', file: File, intake: IntakeOptions = options) => {
    const controller = new AbortController()
    running.current = controller
    removals.begin()
    setStep({ is, file, progress: nothingYet, stopping: false })
    try {
      const report = await importFile({
        file,
        intake,
        clientTold: patientClient,
        signal: controller.signal,
        tell: (progress) => setStep({ is, file, progress, stopping: controller.signal.aborted }),
        account: session.own.provider,
        replace,
        completes,
        ...(is === 'sending' && { mayRemove: removals.mayRemove }),
      })
      if (is === 'checking' && report.columns?.isRead === false && intake.mapping === undefined) {
        const known = recallColumns(session.own.provider, titlesIn(report))
        if (known !== undefined) {
          setMapping(known)
          return run(is, file, { ...intake, mapping: known })
        }
      }
      setStep(
        is === 'checking' && report.is === 'stopped'
          ? { is: 'none' }
          : { is: is === 'checking' ? 'checked' : 'sent', file, report },
      )
    } catch (error) {
      setStep(controller.signal.aborted ? { is: 'none' } : { is: 'failed', file, error })
    }
  }
  const checkFile = async (file: File, intake: IntakeOptions = options) => {
    const document = await partnerDocumentOf(openedFile(file)).catch(() => undefined)
    if (document === undefined) return run('checking', file, intake)
    running.current?.abort()
    setStep({ is: 'document', file, kind: document })
  }
  /** A matching that was made for another file is not that of this one. */
  const chooseFile = (file: File) => {
    if (mapping === undefined || mapping.name !== undefined) return checkFile(file)
    setMapping(undefined)
    return checkFile(file, { ...options, mapping: undefined })
  }
  const sendFile = (file: File) => run('sending', file)
  const cancel = () => {
    running.current?.abort()
    removals.giveUp()
    setStep((now) => ('stopping' in now ? { ...now, stopping: true } : now))
  }

  if (!mayWrite)
    return (
      <>
        <PageHead title="Import" />
        <Empty title="This key cannot import">
          <p>Sign in with a writer key to import files.</p>
        </Empty>
      </>
    )
  return (
    <>
      <PageHead
        title="Import"
        actions={
          <button type="button" onClick={saveTemplate}>
            Save template
          </button>
        }
      />
      <FileChoice chosen={'file' in step ? step.file.name : undefined} onFile={chooseFile} />
      <fieldset class="choices" hidden={step.is === 'document'}>
        <legend>Reading options</legend>
        <label>
          <span>Events to import</span>
          <select
            value={kind ?? ''}
            onChange={({ currentTarget }) => setKind((currentTarget.value || undefined) as EventKindName | undefined)}
          >
            <option value="">All in the file</option>
            <option value="receivingEvent">Receiving events</option>
            <option value="shippingEvent">Shipping events</option>
          </select>
        </label>
        <label>
          <span>Vendor, where the file has none</span>
          <input
            type="text"
            value={defaults.dataProviderVendorId ?? ''}
            autocomplete="off"
            onInput={({ currentTarget }) =>
              setDefaults(withValue(defaults, 'dataProviderVendorId', currentTarget.value))
            }
          />
        </label>
        <RowValues kind={kind ?? 'receivingEvent'} defaults={defaults} onDefaults={setDefaults} />
        <label>
          <span>A date such as 03/04/2026 means</span>
          <select value={dates} onChange={({ currentTarget }) => setDates(currentTarget.value as typeof dates)}>
            <option value="mdy">4 March (month first)</option>
            <option value="dmy">3 April (day first)</option>
          </select>
        </label>
        <label for="import-zone">
          <span>Time zone of times without an offset</span>
          <TimeZoneChoice id="import-zone" value={localTime} onValue={setLocalTime} none="– none: reject such rows" />
        </label>
        <label>
          <input
            type="checkbox"
            checked={replace}
            onChange={({ currentTarget }) => setReplace(currentTarget.checked)}
          />
          <span>Replace stored records. Otherwise rows that differ from a stored record are rejected.</span>
        </label>
        <label>
          <input
            type="checkbox"
            checked={restoreZeros}
            onChange={({ currentTarget }) => setRestoreZeros(currentTarget.checked)}
          />
          <span>Restore zeros that a spreadsheet removed from the front of GTIN, GLN and SSCC</span>
        </label>
        <label>
          <input
            type="checkbox"
            checked={completes}
            onChange={({ currentTarget }) => setCompletes(currentTarget.checked)}
          />
          <span>Complete the codes of a sheet from stored locations and products</span>
        </label>
        <label>
          <span>Saved columns</span>
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
        <Fault>{mappingFault}</Fault>
        {mapping?.name !== undefined && (
          <p role="status">
            {pluralize(Object.keys(mapping.columns).length, 'custom column mapping')} loaded.{' '}
            <button type="button" class="plain in-line" onClick={() => setMapping(undefined)}>
              Clear
            </button>
          </p>
        )}
      </fieldset>
      {removals.asked && <RemovalQuestion {...removals.asked} />}
      <StepState step={step} onCancel={cancel} onCheck={checkFile} onSend={sendFile}>
        {(step.is === 'checked' || step.is === 'sent') && step.report.columns && (
          <MappingForm
            asked={step.report.columns}
            mapping={mapping}
            defaults={defaults}
            onMapping={setMapping}
            onDefaults={setDefaults}
            onCheck={(shown) => {
              rememberColumns(session.own.provider, titlesIn(step.report), shown)
              setMapping(shown)
              run('checking', step.file, { ...options, mapping: shown })
            }}
            onKind={(shown) => {
              setMapping({ kind: shown, columns: {} })
              run('checking', step.file, { ...options, mapping: { kind: shown, columns: {} } })
            }}
          />
        )}
      </StepState>
    </>
  )
}

const titlesIn = ({ columns }: ImportReport): readonly string[] => columns?.columns.map(({ title }) => title) ?? []

async function saveTemplate(): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of templateWorkbook()) parts.push(part as Uint8Array<ArrayBuffer>)
  handOver(new Blob(parts), 'lotkeeper-template.xlsx')
}

interface FileChoiceProps {
  readonly chosen: string | undefined
  readonly onFile: (file: File) => void
}

function FileChoice({ chosen, onFile }: FileChoiceProps) {
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
        <strong>Choose a file</strong>, or drop it here: XLSX, CSV or NDJSON, a ship notice (X12 856) or an EPCIS
        document. The file is checked first. Nothing is sent until you say so.
      </span>
      <input
        type="file"
        accept=".xlsx,.csv,.ndjson,.jsonl,.txt,.edi,.x12,.856,.json,.jsonld,.xml"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) onFile(file)
          // The same file can be chosen again once it was changed.
          currentTarget.value = ''
        }}
      />
      {chosen !== undefined && (
        <span>
          Chosen: <bdi class="mono">{chosen}</bdi>
        </span>
      )}
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
    case 'document':
      return <DocumentImport file={step.file} kind={step.kind} />
    case 'failed':
      return <Failure error={step.error} again={() => onCheck(step.file)} />
    case 'checking':
    case 'sending': {
      const { is, file, stopping } = step
      const { part } = step.progress
      return (
        <div class="callout" role="status">
          <p>
            {stopping
              ? 'Stopping. Waiting for the requests already sent.'
              : progressWords(is, file.name, step.progress)}
          </p>
          <p class="with-button">
            <progress value={part} max={1} aria-label="Import progress" />
            <button type="button" onClick={onCancel} disabled={stopping}>
              Cancel
            </button>
          </p>
        </div>
      )
    }
    case 'checked': {
      const { file, report } = step
      const { judged } = report.counts
      return (
        <>
          {report.is === 'failed' && <Failure error={report.error} />}
          <ImportResult title={`${file.name} is checked`} file={file} report={report}>
            {report.is === 'done' && judged > 0 && (
              <button type="button" class="main" onClick={() => onSend(file)}>
                Send {pluralize(judged, 'record')}
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
    case 'sent': {
      const { file, report } = step
      return (
        <>
          {report.is === 'failed' && <Failure error={report.error} />}
          <ImportResult title={sentTitles[report.is](file.name)} file={file} report={report}>
            {report.is !== 'done' && (
              <button type="button" class="main" onClick={() => onSend(file)}>
                Continue
              </button>
            )}
          </ImportResult>
          {children}
        </>
      )
    }
  }
}

const sentTitles = {
  done: (name: string) => `${name} is imported`,
  stopped: (name: string) => `The import of ${name} was stopped`,
  failed: (name: string) => `The import of ${name} was interrupted`,
} as const

function progressWords(is: 'checking' | 'sending', name: string, { rows, of, counts }: Progress): string {
  if (of === undefined) return `Reading ${name}: ${pluralize(rows, 'row')}`
  const { created, replaced, unchanged, judged, rejected } = counts
  const taken =
    is === 'checking'
      ? `${pluralize(judged, 'record')} valid`
      : `${pluralize(created + replaced + unchanged, 'record')} stored`
  return `${is === 'checking' ? 'Checking' : 'Sending'} ${name}: ${rows.toLocaleString('en')} of ${pluralize(of, 'row')}, ${taken}, ${rejected.toLocaleString('en')} rejected`
}
