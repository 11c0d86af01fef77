// The response of the service to a draft: requested a moment after the last key, and again when the
// service is back.
import { useLayoutEffect, useState } from 'preact/hooks'
import type { ApiResponse } from '../../client/call.ts'
import { ProblemError } from '../../client/failure.ts'
import type { Judged } from '../../client/generated/shapes.ts'
import type { Finding, SeverityCounts } from '../../contract/shape/finding.ts'
import { countSeverities } from '../records/record-summary.ts'
import { useReturns } from '../state/frame/connection.ts'
import type { Payload } from './draft.ts'

/** Pause after the last key, in milliseconds. */
const pauseMs = 400

export type DryRun =
  | { readonly is: 'asking' }
  | {
      readonly is: 'judged'
      readonly refused: boolean
      /** The problem in words, when there is more than findings. */
      readonly problem?: string
      readonly wouldBe?: Judged['wouldBe']
      readonly findings: readonly Finding[]
      readonly findingCount: number
      /** All of them, not only those that are listed. */
      readonly severities: SeverityCounts
    }
  | { readonly is: 'failed'; readonly error: unknown }

/**
 * Requested again for another `value`, compared by identity, because it may have thousands of
 * lines. Undefined while there is nothing to request. Given up while the draft itself is sent: a
 * check that arrives after it is rejected for the version that the draft replaced.
 */
export function useDryRun(
  { value, isSending }: { readonly value: Payload | undefined; readonly isSending: boolean },
  judge: (value: Payload, signal: AbortSignal) => Promise<ApiResponse<Judged>>,
  about: unknown,
): DryRun | undefined {
  const [state, setState] = useState<DryRun>()
  const returns = useReturns()
  // Before the request of the draft leaves, not after the next frame.
  useLayoutEffect(() => {
    if (value === undefined) return setState(undefined)
    if (isSending) return
    setState((before) => (before?.is === 'judged' ? before : { is: 'asking' }))
    const giveUp = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { body } = await judge(value, giveUp.signal)
        setState({
          is: 'judged',
          refused: false,
          wouldBe: body.wouldBe,
          findings: body.findings,
          findingCount: body.findingCount,
          severities: body.severities,
        })
      } catch (error) {
        if (giveUp.signal.aborted) return
        setState(judgedBy(error))
      }
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      giveUp.abort()
    }
  }, [value, about, returns, isSending])
  return state
}

/** A rejection is an answer too; anything else is a failure. */
export function judgedBy(error: unknown): DryRun {
  if (!(error instanceof ProblemError) || ![409, 422].includes(error.status)) return { is: 'failed', error }
  const { findings, problem } = error
  return {
    is: 'judged',
    refused: true,
    ...(findings.length === 0 && { problem: error.message }),
    findings,
    findingCount: problem.findingCount ?? findings.length,
    severities: problem.severities ?? countSeverities(findings),
  }
}
