// One row of comma-separated values, as RFC 4180 has it, and safe to open in a spreadsheet.

/** Stands before the first row, so that a spreadsheet reads what follows as UTF-8. */
export const byteOrderMark = '\uFEFF'

/** What a spreadsheet would run, or strip, when it opens the file. */
const isExecuted = (text: string): boolean =>
  /^[=@\t\r]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d\s().\-/]*$/.test(text))

/**
 * Text a spreadsheet would take for a formula gets an apostrophe in front: what begins with `=`,
 * `@`, a tab or a carriage return, and what begins with `+` or `-` and is not a number or phone
 * number. All other text stands exactly as it is.
 */
export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(text: string): string {
  const safe = isExecuted(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
