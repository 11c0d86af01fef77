// Rows of comma-separated values: RFC 4180, in which no cell is run by a spreadsheet.

/** One row with its line end. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** Quoted where it must be. What a spreadsheet would take for a formula gets an apostrophe in front; a phone number is none. */
function cellOf(text: string): string {
  const safe = /^[=@\t\r]|^[+-](?![\d\s().+-]*$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
