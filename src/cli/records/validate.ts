// `lotkeeper validate`: validates payloads before they are sent, without the service. Findings that
// depend on master data stay undecided.

import { type RecordKind, recordKindOf, recordKinds } from '../../contract/record-kinds.ts'
import type { Finding, SeverityCounts } from '../../contract/shape/finding.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { judgeAlone } from '../../rules/judge.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { type EventKindWord, kinds } from '../base/kinds.ts'
import { type PayloadFile, payloadsIn, placesOf, type UnreadablePayload } from '../base/payload-file.ts'
import { countText, findingsText } from './findings.ts'

interface ValidateOptions {
  readonly kind?: EventKindWord
  readonly json?: boolean
  readonly strict?: boolean
  /** Each line is a payload, in a file of any name. */
  readonly ndjson?: boolean
  readonly lotNumberRequiredFrom: string
}

export async function validate(
  files: readonly string[],
  options: ValidateOptions,
  now = Date.now(),
): Promise<CommandEnd> {
  let [payloads, refused] = [0, 0]
  for (const file of files)
    for await (const payload of payloadsIn(file, { byLine: options.ndjson === true })) {
      payloads++
      if (await isRefused(payload, options, now)) refused++
      if (payloads % 1_000 === 0) remarks.passing(`${payloads} payloads, ${refused} refused…`)
    }
  remarks.passing('')
  const all = pluralize(payloads, 'payload')
  if (refused > 0) return { problem: `${refused} of ${all} would be refused.` }
  await remarks.say(`None of ${all} would be refused.`)
  return undefined
}

async function isRefused(
  payload: PayloadFile | UnreadablePayload,
  options: ValidateOptions,
  now: number,
): Promise<boolean> {
  const kind = 'problem' in payload ? undefined : recordKindOf(payload.body.value, options.kind && kinds[options.kind])
  if ('problem' in payload || kind === undefined) {
    const unreadable = 'problem' in payload ? payload : notAPayload(payload)
    await results.write(
      options.json
        ? `${JSON.stringify({ place: unreadable.place, refused: true, problem: unreadable.problem })}\n`
        : `${results.styled('bold', unreadable.place)} ${results.styled('red', 'error')}\n  ${unreadable.problem}\n`,
    )
    return true
  }
  const verdict = judgeAlone(kind, shapeFor(kind, payload), payload.body.value, {
    now,
    settings: options,
    textBreaches: numberBreaches(payload),
  })
  const findings = verdict.findings.map((finding) => (options.strict ? strictly(finding) : finding))
  const refused = findings.some(({ severity }) => severity === 'error')
  if (options.json) {
    const places = placesOf(
      payload,
      [...findings, ...verdict.undecided].map(({ pointer }) => pointer),
    )
    const placed = (finding: Finding) => ({ place: places.get(finding.pointer), ...finding })
    const { findingCount, undecided } = verdict
    const report = {
      kind: kind.name,
      refused,
      findingCount,
      findings: findings.map(placed),
      undecided: undecided.map(placed),
    }
    await results.write(`${JSON.stringify({ place: placeOf(payload), ...report })}\n`)
    return refused
  }
  const { undecided } = verdict
  const severities = options.strict ? strictCounts(verdict.severities) : verdict.severities
  await results.write(findingsText(payload, findings, results) + findingsText(payload, undecided, results, 'undecided'))
  const end = refused ? results.styled('red', 'would be refused') : results.styled('green', 'ok')
  const open = undecided.length > 0 ? `; ${undecided.length} undecided: only the service has the master data` : ''
  await results.say(
    `${results.styled('bold', placeOf(payload))} ${end}: ${kind.noun}, ${countText(findings, severities)}${open}`,
  )
  return refused
}

/** A line of a file of several, or the file. */
const placeOf = ({ file, line }: PayloadFile): string => (line === 1 ? file : `${file}:${line}`)

const notAPayload = (payload: PayloadFile): UnreadablePayload => ({
  place: `${payload.file}:${payload.line}:1`,
  problem: `This is not a payload. It has none of ${recordKinds.map(({ subject }) => subject).join(', ')}.`,
})

/**
 * A payload read from the service contains its id and goes back with `put`; any other may be
 * created.
 */
const shapeFor = ({ replacement, createPayload }: RecordKind, { body }: PayloadFile) =>
  'id' in body.value ? replacement : createPayload

const numberBreaches = ({ body }: PayloadFile) =>
  body.inexactNumbers.map(({ pointer, written }) => ({
    rule: 'shape/number' as const,
    pointer,
    message: `${written.slice(0, 40)} is a number that cannot be stored exactly.`,
  }))

/** Source: decision 0005. */
const strictly = (finding: Finding): Finding =>
  finding.severity === 'warning' ? { ...finding, severity: 'error' } : finding

const strictCounts = ({ error, warning, gap }: SeverityCounts): SeverityCounts => ({
  error: error + warning,
  warning: 0,
  gap,
})
