// How a call can fail: the rules or the service reject it, or the service is unreachable.
import type { Finding, Problem } from './generated/shapes.ts'

/** The service answered with a problem document (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** Name of the outcome, as the operation declares it: `refused`, `stale`, `taken` … */
  readonly outcome: string
  readonly status: number
  readonly problem: Problem
  /** The findings of the rules; empty when they were not the reason. */
  readonly findings: readonly Finding[]

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
    this.status = problem.status
    this.outcome = problem.type.slice(problem.type.lastIndexOf('/') + 1)
    this.findings = problem.findings ?? []
  }
}

/**
 * No answer arrived, or one that is not from the service. It is unknown whether a write took place.
 * A create can be sent again with the same idempotency key, a replacement as it is.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** The rules rejected the payload before it was sent. Thrown only with `judgeFirst`. */
export class InvalidPayloadError extends Error {
  override readonly name = 'InvalidPayloadError'
  /** The findings of the rules, including warnings and gaps. */
  readonly findings: readonly Finding[]

  constructor(refusing: readonly Finding[], findings: readonly Finding[]) {
    const [first] = refusing
    const more = refusing.length > 1 ? ` ${refusing.length - 1} more.` : ''
    super(`${first?.pointer || 'The body'}: ${first?.message ?? ''}${more} Nothing was sent.`)
    this.findings = findings
  }
}
