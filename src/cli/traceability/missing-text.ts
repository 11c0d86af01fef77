// The gaps of lines, in a cell of a table.

/** Most kinds of gap in a row of a table. */
const lackedShown = 3

export const missingText = (missing: readonly { readonly kde: string; readonly lines: number }[]): string =>
  missing
    .slice(0, lackedShown)
    .map(({ kde, lines }) => `${kde} (${lines})`)
    .join(', ') + (missing.length > lackedShown ? `, and ${missing.length - lackedShown} more` : '')
