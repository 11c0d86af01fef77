// Imports a document of a trading partner: the result of each of its parts is shown first, and the
// reader confirms the import.
import type { CaptureResult } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { PartnerDocument } from '../../../intake/file-form.ts'
import { type Report, type Step, useDocumentImport } from '../../state/exchange/document-import.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { Failure } from '../frame/states.tsx'
import { CaptureVerdicts } from './capture-verdicts.tsx'
import { NoticeVerdicts, noticeVerdictWords } from './notice-verdicts.tsx'

interface Props {
  readonly file: File
  readonly kind: PartnerDocument
}

export function DocumentImport({ file, kind }: Props) {
  const { isSent, step, run, cancel } = useDocumentImport(kind, file)
  if (step.is === 'failed') return <Failure error={step.error} again={() => run(isSent)} />
  if (step.is === 'running') return <Running {...{ file, kind, isSent, step }} onCancel={cancel} />
  const { report } = step
  const can = isSent ? 0 : changes(report)
  return (
    <section aria-labelledby="document-result" class="document-import">
      <div class="section-head">
        <h2 id="document-result" dir="auto">
          {titleOf(report, { isSent, name: file.name })}
        </h2>
      </div>
      <p role="status">{countsOf(report, { isSent })}</p>
      <p class="actions">
        {can > 0 && (
          <button type="button" class="main" onClick={() => run(true)}>
            Import {pluralize(can, report.of === 'epcis' ? 'event' : 'notice')}
          </button>
        )}
        {isWhole(report) ? (
          !isSent && (
            <button type="button" onClick={() => run(false)}>
              Check again
            </button>
          )
        ) : (
          <button type="button" class="main" onClick={() => run(isSent)}>
            {isSent ? 'Continue' : 'Check again'}
          </button>
        )}
      </p>
      {report.of === 'epcis' && report.result.refused > 0 && (
        <p class="quiet">
          What the events of a sender lack can be filled in:{' '}
          <a href={hrefTo(defaultsPath(report.result))}>set defaults</a>.
        </p>
      )}
      <Verdicts report={report} isSent={isSent} />
    </section>
  )
}

interface RunningProps extends Props {
  readonly isSent: boolean
  readonly step: Step & { readonly is: 'running' }
  readonly onCancel: () => void
}

/** An EPCIS document is one request, which has no progress. */
const Running = ({ file, kind, isSent, step: { part, notices, stopping }, onCancel }: RunningProps) => (
  <div class="callout" role="status">
    <p>
      {stopping
        ? 'Stopping. Waiting for the request already sent.'
        : `${isSent ? 'Importing' : 'Checking'} ${file.name}${notices > 0 ? `: ${pluralize(notices, 'notice')}` : ''}`}
    </p>
    <p class="with-button">
      <progress aria-label="Import progress" {...(kind === 'shipNotices' && { value: part, max: 1 })} />
      {kind === 'shipNotices' && (
        <button type="button" disabled={stopping} onClick={onCancel}>
          Cancel
        </button>
      )}
    </p>
  </div>
)

const defaultsPath = ({ sender }: CaptureResult): string =>
  sender === null ? '/senders/epcis' : `/senders/epcis?sender=${encodeURIComponent(sender)}`

const isWhole = (report: Report): boolean => report.of === 'epcis' || report.notices.isWhole

/** The changes that an import would make. */
const changes = (report: Report): number =>
  report.of === 'epcis' ? report.result.captured : (report.notices.counts.get('accepted') ?? 0)

function titleOf(report: Report, { isSent, name }: { readonly isSent: boolean; readonly name: string }): string {
  if (!isWhole(report)) return isSent ? `The import of ${name} was stopped` : `The check of ${name} was stopped`
  return isSent ? `${name} is imported` : `${name} is checked`
}

function countsOf(report: Report, { isSent }: { readonly isSent: boolean }): string {
  const counts: readonly (readonly [number, string])[] =
    report.of === 'epcis'
      ? [
          [report.result.captured, isSent ? 'captured' : 'can be captured'],
          [report.result.duplicate, 'captured before'],
          [report.result.outOfScope, 'out of scope'],
          [report.result.refused, 'refused'],
        ]
      : [...report.notices.counts].map(([verdict, count]) => [count, noticeVerdictWords[verdict]] as const)
  const all = counts.reduce((sum, [count]) => sum + count, 0)
  const ends = counts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString('en')} ${words}`)
  const noun = report.of === 'epcis' ? 'event' : 'ship notice'
  return all === 0 ? `No ${noun} was read.` : `${pluralize(all, noun)}: ${ends.join(', ')}.`
}

const Verdicts = ({ report, isSent }: { readonly report: Report; readonly isSent: boolean }) =>
  report.of === 'epcis' ? (
    <CaptureVerdicts result={report.result} isDryRun={!isSent} />
  ) : (
    <NoticeVerdicts
      notices={report.notices.notices}
      findings={report.notices.findings}
      text={report.text}
      count={[...report.notices.counts.values()].reduce((sum, count) => sum + count, 0)}
    />
  )
