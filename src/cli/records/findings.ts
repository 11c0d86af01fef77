// Findings for people: place, severity, message and remedy.

import { type Finding, type SeverityCounts, severities as severityOrder } from '../../contract/shape/finding.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { plain, type Terminal, wrapText } from '../../terminal/terminal.ts'
import { type PayloadFile, placesOf } from '../base/payload-file.ts'

const severityStyles = { error: 'red', warning: 'yellow', gap: 'cyan', undecided: 'magenta' } as const

/**
 * Each finding with its place in the file, if it has one. Findings that master data may resolve are
 * marked as undecided.
 */
export function findingsText(
  payload: PayloadFile | undefined,
  findings: readonly Finding[],
  { styled, width }: Terminal,
  mark?: 'undecided',
): string {
  const pointers = findings.map(({ pointer }) => pointer)
  const places = payload && placesOf(payload, pointers)
  return findings
    .map(({ rule, severity, pointer, message, remedy, cites }) => {
      const shown = mark ?? severity
      const place = payload === undefined ? '' : `${styled('bold', places?.get(pointer) ?? payload.file)} `
      const where = pointer === '' ? `the whole ${payload === undefined ? 'record' : 'payload'}` : plain(pointer)
      return `${place}${styled(severityStyles[shown], shown)} ${where}\n${wrapText(plain(message), '  ', width)}${wrapText(`${plain(remedy)} (${rule}, ${cites})`, '    ', width, '  → ')}`
    })
    .join('')
}

/**
 * `2 errors, 1 warning`: the number of all, where `severities` includes those that are not listed.
 */
export function countText(findings: readonly Finding[], severities: SeverityCounts = countsOf(findings)): string {
  const parts = severityOrder.flatMap((severity) => {
    const count = severities[severity]
    return count === 0 ? [] : [pluralize(count, severity)]
  })
  const total = severities.error + severities.warning + severities.gap
  if (total > findings.length) parts.push(`the first ${findings.length} are listed`)
  return parts.join(', ') || 'no findings'
}

function countsOf(findings: readonly Finding[]): SeverityCounts {
  const counts = { error: 0, warning: 0, gap: 0 }
  for (const { severity } of findings) counts[severity]++
  return counts
}
