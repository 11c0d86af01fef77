// Findings for people: where, how grave, what was found, what to do about it.
import type { Finding, Severity } from '../contract/finding.ts'
import { type PayloadFile, placesOf } from './payload-file.ts'
import { plain, type Terminal, wrapped } from './terminal.ts'

const severityStyles = { error: 'red', warning: 'yellow', gap: 'cyan', undecided: 'magenta' } as const

/** Each finding with its place in the file. What may be explained by master data is marked as undecided. */
export function findingsText(
  payload: PayloadFile,
  findings: readonly Finding[],
  { styled, width }: Terminal,
  mark?: 'undecided',
): string {
  const places = placesOf(
    payload,
    findings.map(({ pointer }) => pointer),
  )
  return findings
    .map(({ rule, severity, pointer, message, remedy, cites }) => {
      const shown = mark ?? severity
      const head = `${styled('bold', places.get(pointer) ?? payload.file)} ${styled(severityStyles[shown], shown)}`
      const where = pointer === '' ? 'the whole payload' : plain(pointer)
      return `${head} ${where}\n${wrapped(plain(message), '  ', width)}${wrapped(`${plain(remedy)} (${rule}, ${cites})`, '    ', width, '  → ')}`
    })
    .join('')
}

/** `2 errors, 1 warning`; `total` counts those that are not listed too. */
export function countText(findings: readonly Finding[], total = findings.length): string {
  const parts = (['error', 'warning', 'gap'] as const satisfies readonly Severity[]).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  if (total > findings.length) parts.push(`${total - findings.length} more that are not listed`)
  return parts.join(', ') || 'no findings'
}
