// The step of the import of a file: its progress, the result of a check, or the stored records.
import type { ComponentChildren } from 'preact'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Progress } from '../../../intake/import-run.ts'
import type { Step } from '../../state/exchange/import-steps.ts'
import { Failure } from '../frame/states.tsx'
import { DocumentImport } from './document-import.tsx'
import { ImportResult } from './import-result.tsx'

interface Props {
  readonly step: Step
  readonly onCancel: () => void
  readonly onCheck: (file: File) => void
  readonly onSend: (file: File) => void
  readonly onCause: (cause: string) => void
  /** Remarks before it can be checked again. */
  readonly children: ComponentChildren
}

export function ImportStep({ step, onCancel, onCheck, onSend, onCause, children }: Props) {
  switch (step.is) {
    case 'none':
      return null
    case 'document':
      return <DocumentImport file={step.file} kind={step.kind} />
    case 'failed':
      return <Failure error={step.error} again={() => onCheck(step.file)} />
    case 'checking':
    case 'sending': {
      const { is, file, isStopping } = step
      const { part } = step.progress
      return (
        <div class="callout" role="status">
          <p>
            {isStopping
              ? 'Stopping. Waiting for the requests already sent.'
              : progressWords(is, file.name, step.progress)}
          </p>
          <p class="with-button">
            <progress value={part} max={1} aria-label="Import progress" />
            <button type="button" onClick={onCancel} disabled={isStopping}>
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
          <ImportResult title={`${file.name} is checked`} {...{ file, report, onCause }}>
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
          <ImportResult title={sentTitles[report.is](file.name)} {...{ file, report, onCause }}>
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
