// The answer to a ship notice: its verdict, the results of its events, and findings at segments of
// the file.

import { errorAt, type Place, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import type { Finding } from '../../contract/shape/finding.ts'
import type { NoticeEvent } from '../../ship-notices/shipping-event.ts'
import type { Answer } from '../base/handler.ts'

/** A finding as it is answered: of the file, or of a rule about the event that was made. */
export interface NoticeFinding extends Omit<X12Finding, 'severity'> {
  readonly severity: Finding['severity']
  readonly rule?: string
  readonly pointer?: string
}

/** The result of one shipping event, or of its dry run. */
export interface NoticeEffect {
  /** Null for an event that would be created. */
  readonly id: string | null
  readonly effect: 'created' | 'replaced' | 'voided' | 'unchanged'
}

export interface NoticeResult {
  readonly verdict: 'created' | 'replaced' | 'cancelled' | 'duplicate' | 'superseded' | 'accepted' | 'refused'
  readonly effects: readonly NoticeEffect[]
  readonly findings: readonly NoticeFinding[]
  readonly events: readonly NoticeEvent[]
}

export const refused = (findings: readonly NoticeFinding[], events: readonly NoticeEvent[] = []): NoticeResult => ({
  verdict: 'refused',
  effects: [],
  findings,
  events,
})

/** Without the code, which is for the acknowledgment. */
export function asAnswered({ code: _, ...answered }: NoticeFinding): Omit<NoticeFinding, 'code'> {
  return answered
}

export const hasError = (findings: readonly Pick<NoticeFinding, 'severity'>[]): boolean =>
  findings.some(({ severity }) => severity === 'error')

const order = ['error', 'warning', 'gap']

export const sortBySeverity = (findings: readonly NoticeFinding[]): NoticeFinding[] =>
  [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))

/** Findings of the rules in the payload of an event, at the places of the file. */
export const findingsOf = (answer: Answer<string>, event: NoticeEvent): NoticeFinding[] =>
  (answer.findings ?? bodyFindings(answer.body)).map((finding) => placed(finding, event))

const bodyFindings = (body: object = {}): readonly Finding[] =>
  'findings' in body ? (body.findings as readonly Finding[]) : []

/** A finding of a rule, with the place of its value, or of the part that contains it. */
function placed(finding: Finding, { places, at, remedies }: NoticeEvent): NoticeFinding {
  const { severity, message, rule, pointer } = finding
  let place: Place | undefined
  for (let path = pointer; place === undefined && path !== ''; path = path.slice(0, path.lastIndexOf('/')))
    place = places.get(path)
  const { segment, segmentId, element } = place ?? at
  const field = pointer.slice(pointer.lastIndexOf('/') + 1)
  const remedy = remedies.get(rule) ?? remedies.get(`${rule} ${field}`) ?? finding.remedy
  return { severity, segment, segmentId, ...(element !== undefined && { element }), message, remedy, rule, pointer }
}

/** Why an event cannot be stored. */
export function refusalsOf(answer: Answer<string>, event: NoticeEvent): readonly NoticeFinding[] {
  const about = findingsOf(answer, event)
  if (hasError(about)) return about
  const message = answer.detail ?? 'The event was refused.'
  return [errorAt(event.at, { message, remedy: 'Send the notice in parts.', code: '5' }), ...about]
}

/** A person may have corrected the event, or the sender sent another notice under the number. */
export const otherContent = (id: string, at: Place): NoticeFinding =>
  warningAt(at, {
    message: `The shipping event ${id} of this notice has other content now. It was not changed.`,
    remedy: 'Compare both, and replace the event if the notice is right.',
  })
