// Findings for people: where, how grave, what was found, what to do about it.
import type { Finding, Severity } from '../contract/finding.ts'
import { plain, type Terminal, wrapText } from '../terminal/terminal.ts'
import { type PayloadFile, placesOf } from './payload-file.ts'

const severityStyles = { error: 'red', warning: 'yellow', gap: 'cyan', undecided: 'magenta' } as const

/**
 * Each finding with its place in the file, where they are of one. What may be explained by master
 * data is marked as undecided.
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

/** `2 errors, 1 warning`; `total` counts those that are not listed too. */
export function countText(findings: readonly Finding[], total = findings.length): string {
  const parts = (['error', 'warning', 'gap'] as const satisfies readonly Severity[]).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  if (total > findings.length) parts.push(`${total - findings.length} more that are not listed`)
  return parts.join(', ') || 'no findings'
}
