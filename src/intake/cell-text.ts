// The text of a cell as the sheet shows it, without the marks by which a spreadsheet keeps text.
// Every change is a conversion for the report, and an uncertain text is a problem.
import { groupedWithDecimals } from 'lotkeeper-sheets/number-format'
import type { Cell } from 'lotkeeper-sheets/sheet'
import type { Conversion } from './conversions.ts'
import { errorIn, type Spoiled, spoiledCode, spoiledWords } from './spoiled-text.ts'
import type { Column } from './template.ts'

/** The values of a column: codes, words, or values such as quantities and dates. */
export type Use = 'code' | 'words' | 'value'

/** Texts that people read and nobody looks up: `3/4` or `'t Zand` in them is no accident. */
const wordFields =
  /(?:name|description|address\d|city|state|country|uom|method|payment|category|style|size|commodity|variety|type|market|region|assignedBy|businessUnit|other|url)$/i

export const useOf = ({ form, path }: Column): Use =>
  form !== 'text' ? 'value' : wordFields.test(path.at(-1) ?? '') ? 'words' : 'code'

export interface CellText {
  /** The cell with its text. */
  readonly cell: Cell
  readonly conversions: readonly Conversion[]
  readonly spoiled: Spoiled
}

const unchanged = (cell: Cell): CellText => ({ cell, conversions: [], spoiled: undefined })

export function readCellText(cell: Cell, use: Use): CellText {
  if (cell.is === 'error' || cell.is === 'uncomputed') return unchanged(cell)
  if (cell.is === 'text') return readText(cell, use)
  return use === 'value' ? readHeld(cell) : readShown(cell)
}

/** A number or date in a column of values: the stored value counts. */
function readHeld(cell: Cell): CellText {
  const { text, is, shown, unsure } = cell
  if (is !== 'number') return unchanged(cell)
  // `000040` shows the same number as `40`, and a label's date `091203` lacks nothing.
  if (/^\d+$/.test(shown ?? '')) return unchanged({ ...cell, text: shown ?? '' })
  const isSame = unsure === undefined ? Number(shown ?? text) === Number(text) : unsure === groupedWithDecimals
  if (isSame) return unchanged(cell)
  const says = `shows numbers in another way than it holds them; ${text} is imported, and the cell ${unsure ?? `shows ${shown}`}`
  return { cell, conversions: [{ kind: 'held', says }], spoiled: undefined }
}

/** A number, date or truth in a column of texts. */
function readShown(cell: Cell): CellText {
  const { text, is, shown, unsure, isGrouped } = cell
  const refuse = (problem: string): CellText => ({ cell, conversions: [], spoiled: { problem } })
  const remedy = 'Format the column as text, and write the code as it is printed.'
  if (is === 'boolean') return refuse(`The cell holds ${text.toUpperCase()} as a truth value, not as text. ${remedy}`)
  if (is === 'date' && shown === undefined)
    return refuse(`The cell holds the date ${text}, which a spreadsheet may have made of a code. ${remedy}`)
  if (unsure !== undefined) return refuse(`The cell holds the number ${text} and ${unsure}. ${remedy}`)
  const conversions: Conversion[] = []
  if (shown !== undefined)
    conversions.push({
      kind: 'shown',
      says: `shows its numbers in a format, ${text} as ${shown}; they are imported as they are shown`,
    })
  if (isGrouped)
    conversions.push({
      kind: 'separators',
      says: `shows its numbers with thousands separators; they are left out, and ${shown ?? text} is imported`,
    })
  return { cell: asTextCell(cell, shown ?? text), conversions, spoiled: undefined }
}

const asTextCell = ({ formula }: Cell, text: string): Cell => ({
  text,
  is: 'text',
  isMarked: true,
  ...(formula && { formula }),
})

function readText(cell: Cell, use: Use): CellText {
  const { shown, unsure } = cell
  if (unsure !== undefined && use !== 'value')
    return {
      cell,
      conversions: [],
      spoiled: {
        problem: `The cell holds ${quoted(cell.text)} and ${unsure}. Remove the number format from the column.`,
      },
    }
  const conversions: Conversion[] = []
  let text = cell.text
  if (shown !== undefined && use !== 'value') {
    conversions.push({
      kind: 'shown',
      says: `shows its texts in a format, ${text} as ${shown}; they are imported as they are shown`,
    })
    text = shown
  }
  const around = blanksAround(text)
  const hidden = hiddenBlank.test(around)
  // A number or a date is the same with plain blanks around it.
  if (hidden || (around !== '' && use !== 'value')) {
    text = text.trim()
    const blanks = hidden ? 'tabs or non-breaking blanks' : 'blanks'
    conversions.push({ kind: blanks, says: `has ${blanks} around its texts, such as ${text}; they are left out` })
  }
  const mark = readMark(text, use)
  // In a cell that is formatted as text nothing is computed: the text may be meant as it is.
  if (mark !== undefined && 'problem' in mark)
    return { cell, conversions: [], spoiled: cell.isMarked ? { doubt: mark.problem } : mark }
  if (mark !== undefined) {
    conversions.push({
      kind: 'text mark',
      says: `has the marks with which a spreadsheet keeps a text, ${text.slice(0, 40)} for ${mark.text.slice(0, 40)}; they are left out`,
    })
    return { cell: asTextCell(cell, mark.text), conversions, spoiled: undefined }
  }
  const spoiled = spoiledIn(text.trim(), use, cell)
  return { cell: text === cell.text ? cell : { ...cell, text }, conversions, spoiled }
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40))

/** A tab, or a blank that a spreadsheet does not remove. */
const hiddenBlank = /[\t\u00a0\u2007\u202f\u3000\ufeff]/

/** The characters that `trim` removes from a text. */
const blanksAround = (text: string): string =>
  text.slice(0, text.length - text.trimStart().length) + text.slice(text.trimEnd().length)

function spoiledIn(text: string, use: Use, { isMarked = false }: Pick<Cell, 'isMarked'>): Spoiled {
  const error = errorIn(text)
  if (error !== undefined) return { problem: error }
  if (use === 'value') return undefined
  const spoiled = use === 'code' ? spoiledCode(text) : spoiledWords(text)
  // A person marked it as text, perhaps after a spreadsheet had changed it.
  return isMarked && spoiled !== undefined && 'problem' in spoiled ? { doubt: spoiled.problem } : spoiled
}

/** `="0042"`, also with the quotation marks of a text program. */
const formulaMark = /^=\s*["“”„]([^"“”]*(?:""[^"“”]*)*)["“”]$/
/** Quotation marks that a program wrote twice. */
const quotationMark = /^["“”„]([^"“”„]+)["“”]$/
/** An apostrophe, also as other keyboards and text programs write it. */
const apostropheMark = /^['’‘`´ʼ′＇](.+)$/s
const anApostrophe = /['’‘`´ʼ′＇]/
/** Texts that a spreadsheet takes for a number, a date or a formula without the apostrophe. */
const needsMark = /^(?:[=@\t\r+-]|[\d.,/:() +-]+$)/

/** The text without the mark in front of it, undefined without a mark, or why that is not clear. */
function readMark(text: string, use: Use): { readonly text: string } | { readonly problem: string } | undefined {
  const formula = formulaMark.exec(text)?.[1]
  if (formula !== undefined) return { text: formula.replaceAll('""', '"') }
  const inQuotes = use === 'code' ? quotationMark.exec(text)?.[1] : undefined
  if (inQuotes !== undefined) return { text: inQuotes }
  if (use !== 'value' && text.startsWith('='))
    return { problem: `The cell holds the formula ${quoted(text)} and not its value. Write the value.` }
  const marked = apostropheMark.exec(text)?.[1]
  if (marked === undefined) return undefined
  if (needsMark.test(marked)) return { text: marked }
  if (use !== 'code') return undefined
  return anApostrophe.test(marked)
    ? {
        problem: `${quoted(text)} has apostrophes at both ends or within, so it is not clear which belong to the code. Write the code alone.`,
      }
    : { text: marked }
}
