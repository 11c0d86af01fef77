// Rows of the table, and their text in Markdown, which reads as well in a terminal.

/** What to reach: at least or at most the bar, and better the aim. */
export interface Goal {
  readonly better: 'more' | 'less'
  readonly bar: number
  readonly aim: number
  readonly unit?: string
}

type Verdict = 'aim' | 'met' | 'missed' | 'failed' | ''

export interface Row {
  readonly figure: string
  readonly value: string
  readonly p50?: string
  readonly p99?: string
  readonly floor?: string
  readonly ratio?: string
  readonly bar?: string
  readonly aim?: string
  readonly verdict?: Verdict
}

/** Cells of a row that is held against a goal. */
export function judged(reached: number, { better, bar, aim, unit = '' }: Goal): Pick<Row, 'bar' | 'aim' | 'verdict'> {
  const sign = better === 'more' ? '≥' : '≤'
  const reaches = (goal: number) => (better === 'more' ? reached >= goal : reached <= goal)
  return {
    bar: `${sign} ${bar}${unit}`,
    aim: `${sign} ${aim}${unit}`,
    verdict: reaches(aim) ? 'aim' : reaches(bar) ? 'met' : 'missed',
  }
}

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`

export const milliseconds = (value: number | undefined): string =>
  value === undefined ? '' : `${value < 100 ? value.toPrecision(2) : Math.round(value)} ms`

export const ratio = (value: number): string => value.toFixed(2)

/** A Markdown table, its columns aligned for reading as it is. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const columns = ['figure', 'value', 'p50', 'p99', 'floor', 'ratio', 'bar', 'aim', 'verdict'] as const

export const figureTable = (rows: readonly Row[]): string =>
  markdownTable(
    columns,
    rows.map((row) => columns.map((column) => row[column] ?? '')),
  )
