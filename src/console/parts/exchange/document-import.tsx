// Imports a document of a trading partner: the result of each of its parts is shown first, and the
// reader confirms the import.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CaptureResult } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { PartnerDocument } from '../../../intake/file-form.ts'
import { captureBody, type NoticesReport, sendNotices, wholeText } from '../../files/partner-documents.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useStaying } from '../../state/frame/leaving.ts'
import { patientClient } from '../../state/frame/session.ts'
import { Failure } from '../frame/states.tsx'
import { CaptureVerdicts } from './capture-verdicts.tsx'
import { NoticeVerdicts, noticeVerdictWords } from './notice-verdicts.tsx'

type Report =
  | { readonly of: 'shipNotices'; readonly notices: NoticesReport; readonly text: string }
  | { readonly of: 'epcis'; readonly result: CaptureResult }

type Step =
  | { readonly is: 'running'; readonly part: number; readonly notices: number; readonly stopping: boolean }
  | { readonly is: 'done'; readonly report: Report }
  | { readonly is: 'failed'; readonly error: unknown }

interface Props {
  readonly file: File
  readonly kind: PartnerDocument
}

const nothingYet: Step = { is: 'running', part: 0, notices: 0, stopping: false }

export function DocumentImport({ file, kind }: Props) {
  const [isSent, setSent] = useState(false)
  const [step, setStep] = useState<Step>(nothingYet)
  const running = useRef<AbortController>(undefined)
  const isRunning = step.is === 'running'
  useStaying(
    isSent && isRunning
      ? `${file.name} is being imported. What was sent stays stored. Importing the file again doubles nothing.`
      : undefined,
  )

  const run = async (send: boolean) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setSent(send)
    setStep(nothingYet)
    const tell = (part: number, notices: number) => {
      if (!signal.aborted) setStep({ is: 'running', part, notices, stopping: false })
    }
    try {
      const report = await reportOf(kind, file, { dryRun: !send, signal, tell })
      if (running.current === controller) setStep({ is: 'done', report })
    } catch (error) {
      if (running.current === controller) setStep({ is: 'failed', error })
    }
  }
  useEffect(() => {
    void run(false)
    return () => {
      running.current?.abort()
      running.current = undefined
    }
  }, [file])

  if (step.is === 'failed') return <Failure error={step.error} again={() => run(isSent)} />
  if (step.is === 'running')
    return (
      <div class="callout" role="status">
        <p>
          {step.stopping
            ? 'Stopping. Waiting for the request already sent.'
            : `${isSent ? 'Importing' : 'Checking'} ${file.name}${step.notices > 0 ? `: ${pluralize(step.notices, 'notice')}` : ''}`}
        </p>
        <p class="with-button">
          {kind === 'shipNotices' ? (
            <progress value={step.part} max={1} aria-label="Import progress" />
          ) : (
            <progress aria-label="Import progress" />
          )}
          {kind === 'shipNotices' && (
            <button
              type="button"
              disabled={step.stopping}
              onClick={() => {
                running.current?.abort()
                setStep({ ...step, stopping: true })
              }}
            >
              Cancel
            </button>
          )}
        </p>
      </div>
    )
  const { report } = step
  const can = isSent ? 0 : changes(report)
  return (
    <section aria-labelledby="document-result" class="document-import">
      <div class="section-head">
        <h2 id="document-result" dir="auto">
          {titleOf(report, isSent)(file.name)}
        </h2>
      </div>
      <p role="status">{countsOf(report, isSent)}</p>
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
      {drawn(report, isSent)}
    </section>
  )
}

interface Run {
  readonly dryRun: boolean
  readonly signal: AbortSignal
  readonly tell: (part: number, notices: number) => void
}

/** Bytes of a file whose segments are quoted. */
const quotedMax = 1_000_000

async function reportOf(kind: PartnerDocument, file: File, { dryRun, signal, tell }: Run): Promise<Report> {
  const client = patientClient(() => undefined)
  if (kind === 'shipNotices') {
    const notices = await sendNotices(file, { client, dryRun, signal, tell })
    return { of: kind, notices, text: file.size <= quotedMax ? await wholeText(file) : '' }
  }
  const body = captureBody(await wholeText(file))
  return { of: kind, result: (await client.captureEpcis({ body, dryRun })).body }
}

const defaultsPath = ({ sender }: CaptureResult): string =>
  sender === null ? '/senders/epcis' : `/senders/epcis?sender=${encodeURIComponent(sender)}`

const isWhole = (report: Report): boolean => report.of === 'epcis' || report.notices.isWhole

/** The changes that an import would make. */
const changes = (report: Report): number =>
  report.of === 'epcis' ? report.result.captured : (report.notices.counts.get('accepted') ?? 0)

const titleOf =
  (report: Report, isSent: boolean) =>
  (name: string): string => {
    if (!isWhole(report)) return isSent ? `The import of ${name} was stopped` : `The check of ${name} was stopped`
    return isSent ? `${name} is imported` : `${name} is checked`
  }

function countsOf(report: Report, isSent: boolean): string {
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

const drawn = (report: Report, isSent: boolean): ComponentChildren =>
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
