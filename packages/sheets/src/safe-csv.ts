// One row of comma-separated values in the form of RFC 4180 that is safe to open in a spreadsheet.

/** Precedes the first row, so that a spreadsheet reads the file as UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Text that a spreadsheet would run, or strip, when it opens the file. */
const isExecuted = (text: string): boolean =>
  /^[=@\t\r]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d\s().\-/]*$/.test(text))

/**
 * Text that a spreadsheet would read as a formula gets an apostrophe in front: text that begins
 * with `=`, `@`, a tab or a carriage return, or with `+` or `-` without being a number or phone
 * number. All other text is unchanged.
 */
export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(text: string): string {
  const safe = isExecuted(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
