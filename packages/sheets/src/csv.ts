// CSV as spreadsheets write it (RFC 4180), from text that arrives in pieces. The delimiter is the
// one that gives most cells in one of the first lines, unless the first line names it, such as
// `sep=;`.
import type { Cell, Row } from './sheet.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** Most characters and most cells of one row: a longer one is not a table. */
const rowLengthMax = 1_000_000
const cellsMax = 2_000

const delimiters = [',', ';', '\t', '|'] as const

/** Lines and characters that determine the delimiter. */
const linesLookedAt = 20
const charactersLookedAt = 16_384

/** The line that Excel writes and reads above the first row without showing it. */
const delimiterLine = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/i

/** Rows in batches, counted from 1. */
export async function* csvRows(
  pieces: AsyncIterable<string>,
  noteDelimiter: (delimiter: string) => void = () => undefined,
): AsyncGenerator<readonly Row[]> {
  const reader = new CsvReader(noteDelimiter)
  for await (const piece of pieces) {
    const rows = reader.push(piece)
    if (rows.length > 0) yield rows
  }
  const rows = reader.end()
  if (rows.length > 0) yield rows
}

class CsvReader {
  #rest = ''
  #line = 1
  #row = 1
  #delimiter: string | undefined
  readonly #noteDelimiter: (delimiter: string) => void

  constructor(noteDelimiter: (delimiter: string) => void) {
    this.#noteDelimiter = noteDelimiter
  }

  push(piece: string): Row[] {
    this.#rest += piece
    if (this.#delimiter === undefined) {
      const isEnough = this.#rest.length >= charactersLookedAt || this.#rest.split('\n').length > linesLookedAt
      if (!isEnough) return []
      this.#begin()
    }
    return this.#read(false)
  }

  end(): Row[] {
    if (this.#delimiter === undefined) this.#begin()
    return this.#read(true)
  }

  #begin(): void {
    const [line, named] = delimiterLine.exec(this.#rest) ?? []
    if (line !== undefined) {
      this.#rest = this.#rest.slice(line.length)
      this.#line++
    }
    this.#delimiter = named ?? delimiterOf(this.#rest)
    this.#noteDelimiter(this.#delimiter)
  }

  /** Reads every complete row; with the last piece, all. */
  #read(last: boolean): Row[] {
    const text = this.#rest
    const delimiter = this.#delimiter ?? ','
    const rows: Row[] = []
    let at = 0
    for (;;) {
      const row = this.#readRow(text, at, { delimiter, last })
      if (row === undefined) break
      if (row.cells.length > cellsMax) throw new UnreadableFile(`Row ${this.#row} has more than ${cellsMax} cells.`)
      rows.push({ number: this.#row++, cells: row.cells })
      this.#line = row.nextLine
      at = row.end
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > rowLengthMax)
      throw new UnreadableFile(
        `The row that begins on line ${this.#line} has more than ${rowLengthMax} characters. The cause may be a quotation mark that is never closed.`,
      )
    return rows
  }

  /** The row that begins at `start`, or undefined when its end has not arrived. */
  #readRow(text: string, start: number, { delimiter, last }: { readonly delimiter: string; readonly last: boolean }) {
    if (start >= text.length) return undefined
    const cells: (Cell | undefined)[] = []
    let line = this.#line
    for (let at = start; ; ) {
      let value: string
      if (text[at] === '"') {
        const end = closingQuote(text, at + 1)
        // A closing quotation mark at the very end may be the first of two.
        if (end === -1 || (end + 1 >= text.length && !last)) {
          if (!last) return undefined
          if (end === -1) throw new UnreadableFile(`A quotation mark on line ${line} is never closed.`)
        }
        const between = text.slice(at + 1, end)
        value = between.includes('"') ? between.replaceAll('""', '"') : between
        if (between.includes('\n')) line += between.split('\n').length - 1
        at = end + 1
        const next = text[at]
        if (next !== undefined && next !== delimiter && next !== '\r' && next !== '\n')
          throw new UnreadableFile(
            `On line ${line}, text follows a closing quotation mark. Double the quotation marks inside quoted text.`,
          )
      } else {
        const from = at
        while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
        if (at >= text.length && !last) return undefined
        value = text.slice(from, at)
      }
      cells.push(value === '' ? undefined : { text: value, is: 'text' })
      if (text[at] === delimiter) {
        at++
        continue
      }
      // A carriage return at the end of a piece may have its line feed in the next.
      if (text[at] === '\r' && at + 1 >= text.length && !last) return undefined
      const end = text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1
      return { cells, nextLine: line + 1, end }
    }
  }
}

/** The position of the quotation mark that ends the cell, or -1. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  return -1
}

function delimiterOf(text: string): string {
  const lines = text
    .slice(0, charactersLookedAt)
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r\n|\r|\n/)
    .slice(0, linesLookedAt)
  const count = (delimiter: string) => Math.max(...lines.map((line) => line.split(delimiter).length))
  return [...delimiters].sort((a, b) => count(b) - count(a))[0] ?? ','
}

/** One row as text; quoted where it has to be. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
