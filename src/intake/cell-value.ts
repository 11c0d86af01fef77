// From the text of a cell to a value of the contract. Reports the changes of a spreadsheet, and
// every change that is made here.

import type { Cell } from 'lotkeeper-sheets/sheet'
import { isDateTime } from '../contract/shape/date-and-time.ts'
import { hasRightCheckDigit, isDigits } from '../contract/text/identifiers.ts'
import type { Conversion } from './conversions.ts'
import { localOffset } from './local-time.ts'
import { type Decide, plainNumber, readWrittenNumber, type WrittenNumber } from './number-signs.ts'
import type { Column } from './template.ts'
import { type DateForm, type DateOrder, readWrittenDate } from './written-date.ts'

/** The choices of the user where the file states nothing. */
export interface Choices {
  /** How `03/04/2026` is read: month first, or day first. */
  readonly dates: DateOrder
  /** `Z`, or e.g. `-08:00`: the offset at the receiver, for times that have none. */
  readonly utcOffset: string | undefined
  /**
   * Time zone of the receiver, e.g. `America/New_York`: each date gets the offset of that zone on
   * that date. Takes precedence over `utcOffset`.
   */
  readonly timeZone?: string | undefined
  /**
   * `HH:mm:ss` for events that have only a date. Several deliveries of a day get times from this
   * one on.
   */
  readonly timeOfDay: string
  /**
   * Restores leading zeros of GTIN, GLN and SSCC that a spreadsheet removed, where the check digit
   * proves them.
   */
  readonly restoreZeros: boolean
}

export interface Read {
  readonly value?: unknown
  /** The changes or choices by which it was read. */
  readonly conversions?: readonly Conversion[]
  /** True for a date and time of which the cell holds the date only. */
  readonly isDateOnly?: boolean
  /** Why it cannot be read, and the remedy. */
  readonly problem?: string
  /** A suspicious value that is imported as it is. */
  readonly doubt?: string
}

export function readCell(column: Column, cell: Cell, choices: Choices, decide: Decide): Read {
  if (cell.is === 'error')
    return { problem: `The cell holds the error ${cell.text}. Correct the formula, or write the value.` }
  if (cell.is === 'uncomputed')
    return {
      problem: `The cell holds the formula ${cell.text.slice(0, 40)} without a value: the program that wrote the file did not compute it. Open the file in a spreadsheet program and save it again, or write the value.`,
    }
  const read = readText(column, cell, choices, decide)
  return cell.formula && read.problem === undefined
    ? { ...read, conversions: [...(read.conversions ?? []), formula] }
    : read
}

const formula: Conversion = {
  kind: 'formula',
  says: 'has formulas; the values that were computed when the file was saved are imported',
}

function readText(column: Column, cell: Cell, choices: Choices, decide: Decide): Read {
  const { text } = cell
  if (cell.countsFrom1904 && (column.form === 'date' || column.form === 'dateTime'))
    return {
      problem: `The cell holds the number ${text}, and the workbook counts its days from 1904. Format the cell as a date.`,
    }
  switch (column.form) {
    case 'number':
      return readNumber(cell, decide)
    case 'boolean':
      return readBoolean(text)
    case 'date':
      return readDate(text.trim(), choices)
    case 'dateTime':
      return readDateTime(text.trim(), choices)
    case 'list':
      return { value: text.split(';').map((part) => part.trim()) }
    case 'pairs':
      return { value: text.split('|').map((pair) => pair.split(';').map((part) => part.trim())) }
    case 'text':
      return readCode(column, cell, choices)
  }
}

/** A spreadsheet keeps so many digits of a number; those behind become zeros. */
const digitsKept = 15

/** `1.06E+13`, as a spreadsheet shows a number that is too long for its cell. */
const shortened = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{2,}$/
const exponentForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d+$/i

/** `40 cases` has its unit with it; `forty`, `(40)` and `1/2` have none. */
const numberRemedy = (text: string): string =>
  /\d\s*\p{L}/u.test(text)
    ? 'Move the text to the unit column, and write the number like 1234.5.'
    : 'Write it in digits, like 1234.5.'

function readNumber({ text, is }: Cell, decide: Decide): Read {
  const trimmed = text.trim()
  if (exponentForm.test(trimmed) || shortened.test(trimmed))
    return is === 'text' && shortened.test(trimmed)
      ? { problem: `${trimmed} is a number that a spreadsheet shortened, so digits may be lost. Write it in full.` }
      : exactNumber(trimmed, trimmed)
  const number = readWrittenNumber(trimmed)
  if (number === undefined)
    return { problem: `${JSON.stringify(trimmed.slice(0, 40))} is not a number. ${numberRemedy(trimmed)}` }
  const { ambiguous } = number
  const meaning = ambiguous === undefined || is === 'number' ? 'decimal' : decide(ambiguous, trimmed)
  if (meaning === undefined)
    return {
      problem: `${trimmed} can mean two different numbers, and no other number of the file shows which sign separates decimals. Write it without thousands separators and with a decimal point, e.g. 1234.5.`,
    }
  const decided = ambiguous === undefined ? number : { ...number, [meaning]: ambiguous }
  const plain = plainNumber(decided)
  const read = exactNumber(trimmed, plain)
  return read.problem !== undefined || is === 'number'
    ? read
    : { ...read, conversions: signConversions(decided, trimmed, plain) }
}

function exactNumber(written: string, plain: string): Read {
  const digits = plain
    .replace(/e[\s\S]*/i, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '')
  const significant = [...digits].reverse().join('').replace(/^0+/, '')
  const value = Number(plain)
  // A number with more digits is exact if it prints with all of them, as in our own sheets.
  if (!Number.isFinite(value) || (significant.length > digitsKept && String(value) !== plain))
    return { problem: `${written} has more than ${digitsKept} digits. It cannot be read exactly.` }
  return { value }
}

const signWords = { '.': 'point', ',': 'comma', ' ': 'blank', "'": 'apostrophe' } as const

function signConversions(number: WrittenNumber, written: string, plain: string): readonly Conversion[] {
  const { decimal, thousands, ambiguous, isForeign } = number
  const told = (sign: keyof typeof signWords, meaning: string): Conversion => ({
    kind: `${signWords[sign]} as ${meaning}`,
    says: `has numbers such as ${written}; the ${signWords[sign]} is read as ${meaning}, ${written} as ${plain}`,
  })
  return [
    ...(decimal !== undefined && (decimal !== '.' || ambiguous !== undefined)
      ? [told(decimal, 'the decimal sign')]
      : []),
    ...(thousands === undefined ? [] : [told(thousands, 'the thousands separator')]),
    ...(isForeign ? [{ kind: 'digits', says: `has digits of another script; ${written} is read as ${plain}` }] : []),
  ]
}

function readBoolean(text: string): Read {
  const word = text.trim().toLowerCase()
  if (['true', 'yes', 'y', '1'].includes(word)) return { value: true }
  if (['false', 'no', 'n', '0'].includes(word)) return { value: false }
  return { problem: `${JSON.stringify(text.slice(0, 40))} is neither yes nor no. Write true or false.` }
}

/** Lengths of the codes that end with a GS1 check digit. */
const codeLengths: Readonly<Record<string, readonly number[]>> = {
  gtin: [14],
  caseGtin: [14],
  gln: [13],
  tlcSourceReferenceGln: [13],
  palletId: [18],
  itemUpc: [8, 12, 13],
  innerPackUpc: [8, 12, 13, 14],
}

/** Lengths of GTINs other than GTIN-14: a code of such a length has lost nothing. */
const shorterGtins = [8, 12, 13] as const

function readCode({ path }: Column, { text }: Cell, { restoreZeros }: Choices): Read {
  const lengths = codeLengths[path.at(-1) ?? '']
  if (lengths === undefined) return { value: text }
  const digits = text.trim()
  if (lengths.length === 1 && lengths[0] === 14 && isDigits(digits, shorterGtins) && hasRightCheckDigit(digits))
    return {
      value: text,
      doubt: `${digits} is a complete GTIN-${digits.length}, as on consumer packages, but the field is the GTIN-14 of the case. Write the number on the case. If the case has this number, write it with 14 digits, ${digits.padStart(14, '0')}.`,
    }
  const full = withZeros(digits, lengths)
  if (full === undefined) return { value: text }
  return restoreZeros
    ? {
        value: full,
        conversions: [
          {
            kind: 'zeros',
            says: `lost leading zeros; they are restored where the check digit proves them, ${digits} as ${full}`,
          },
        ],
      }
    : {
        value: text,
        doubt: `${digits} has ${digits.length} digits; with leading zeros it would be ${full}, whose check digit is right. Spreadsheets remove leading zeros. Correct the number, or import with restored zeros.`,
      }
}

/**
 * The code with the leading zeros that a spreadsheet removed: when it is too short without them,
 * and its check digit is right with them.
 */
function withZeros(text: string, lengths: readonly number[]): string | undefined {
  if (!/^\d+$/.test(text) || isDigits(text, lengths)) return undefined
  const length = lengths.find((one) => one > text.length)
  // Padding never changes the check digit, so the digits that are left prove it. Few digits prove
  // little.
  return length !== undefined && length - text.length <= 6 && hasRightCheckDigit(text)
    ? text.padStart(length, '0')
    : undefined
}

/** A date as written, and the decisions needed to read it. */
function readParts(text: string, { dates }: Choices) {
  const read = readWrittenDate(text, dates)
  return 'problem' in read ? read : { ...read, conversions: conversionsOf(read) }
}

function conversionsOf({ form, dateText, date }: { form?: DateForm; dateText: string; date: string }): Conversion[] {
  switch (form) {
    case undefined:
      return []
    case 'serial':
      return [
        {
          kind: form,
          says: `has numbers such as ${dateText} where dates should be; they are read as days since 1900, ${dateText} as ${date}`,
        },
      ]
    case 'named month':
      return [{ kind: form, says: `has dates such as ${dateText}; they are read as dates, ${dateText} as ${date}` }]
    default:
      return [{ kind: form, says: `has dates such as ${dateText}; they are read ${form}, ${dateText} as ${date}` }]
  }
}

function readDate(text: string, choices: Choices): Read {
  const parts = readParts(text, choices)
  if ('problem' in parts) return parts
  if (parts.time !== undefined && parts.time !== '00:00:00')
    return { problem: `${text} has a time of day, but the field is a date. Write ${parts.date}.` }
  return { value: parts.date, conversions: parts.conversions }
}

function readDateTime(text: string, choices: Choices): Read {
  if (isDateTime(text)) return { value: text }
  const parts = readParts(text, choices)
  if ('problem' in parts) return parts
  const conversions = [...parts.conversions]
  const isDateOnly = parts.time === undefined
  const time = parts.time ?? choices.timeOfDay
  if (isDateOnly)
    conversions.push({ kind: 'time', says: `has dates without a time of day; ${choices.timeOfDay} is assumed` })
  const offset = parts.offset ?? offsetOf(parts.date, time, choices, conversions)
  if (offset === undefined)
    return {
      problem: `${text} has no offset from UTC. Write it, e.g. 2026-03-04T09:30:00-08:00, or choose the time zone of the receiver for the whole file.`,
    }
  const value = `${parts.date}T${time}${offset}`
  if (!isDateTime(value))
    return { problem: `${text} would be ${value}, which is not a real time with an offset of whole hours.` }
  return { value, conversions, isDateOnly }
}

/** The offset that was chosen for the file, at this date and time. */
function offsetOf(
  date: string,
  time: string,
  { timeZone, utcOffset }: Choices,
  conversions: Conversion[],
): string | undefined {
  if (timeZone === undefined) {
    if (utcOffset !== undefined)
      conversions.push({ kind: 'offset', says: `has times without an offset from UTC; ${utcOffset} is assumed` })
    return utcOffset
  }
  const { offset, occurs } = localOffset(timeZone, date, time)
  conversions.push({
    kind: 'zone',
    says: `has times without an offset from UTC; those of ${timeZone} on each date are assumed`,
  })
  if (occurs === 'twice')
    conversions.push({
      kind: 'twice',
      says: `has times that occur twice because clocks are put back, e.g. ${date} ${time}; the first is assumed, ${offset}`,
    })
  if (occurs === 'never')
    conversions.push({
      kind: 'never',
      says: `has times that do not occur because clocks are put forward, e.g. ${date} ${time}; the offset before the change is assumed, ${offset}`,
    })
  return offset
}
