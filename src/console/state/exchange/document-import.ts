// The check or the import of a trading partner's document: it runs, can be stopped, and ends with a
// report.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CaptureResult } from '../../../client/generated/shapes.ts'
import type { PartnerDocument } from '../../../intake/file-form.ts'
import { captureBody, type NoticesReport, sendNotices, wholeText } from '../../files/partner-documents.ts'
import { useStaying } from '../frame/leaving.ts'
import { patientClient } from '../frame/session.ts'

export type Report =
  | { readonly of: 'shipNotices'; readonly notices: NoticesReport; readonly text: string }
  | { readonly of: 'epcis'; readonly result: CaptureResult }

export type Step =
  | { readonly is: 'running'; readonly part: number; readonly notices: number; readonly stopping: boolean }
  | { readonly is: 'done'; readonly report: Report }
  | { readonly is: 'failed'; readonly error: unknown }

interface DocumentRun {
  /** True once it is imported, and not only checked. */
  readonly isSent: boolean
  readonly step: Step
  readonly run: (send: boolean) => void
  readonly cancel: () => void
}

const nothingYet = { is: 'running', part: 0, notices: 0, stopping: false } as const

/** Checks the file at once. */
export function useDocumentImport(kind: PartnerDocument, file: File): DocumentRun {
  const [isSent, setSent] = useState(false)
  const [step, setStep] = useState<Step>(nothingYet)
  const running = useRef<AbortController>(undefined)
  useStaying(
    isSent && step.is === 'running'
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
    const onProgress = (part: number, notices: number) => {
      if (!signal.aborted) setStep({ is: 'running', part, notices, stopping: false })
    }
    try {
      const report = await reportOf(kind, file, { dryRun: !send, signal, onProgress })
      if (running.current === controller) setStep({ is: 'done', report })
    } catch (error) {
      if (running.current === controller) setStep({ is: 'failed', error })
    }
  }
  const cancel = () => {
    running.current?.abort()
    setStep((now) => (now.is === 'running' ? { ...now, stopping: true } : now))
  }
  useEffect(() => {
    void run(false)
    return () => {
      running.current?.abort()
      running.current = undefined
    }
  }, [file])
  return { isSent, step, run, cancel }
}

interface Run {
  readonly dryRun: boolean
  readonly signal: AbortSignal
  readonly onProgress: (part: number, notices: number) => void
}

/** Bytes of a file whose segments are quoted. */
const quotedMax = 1_000_000

async function reportOf(kind: PartnerDocument, file: File, { dryRun, signal, onProgress }: Run): Promise<Report> {
  const client = patientClient(() => undefined)
  if (kind === 'shipNotices') {
    const notices = await sendNotices(file, { client, dryRun, signal, onProgress })
    return { of: kind, notices, text: file.size <= quotedMax ? await wholeText(file) : '' }
  }
  const body = captureBody(await wholeText(file))
  return { of: kind, result: (await client.captureEpcis({ body, dryRun })).body }
}
