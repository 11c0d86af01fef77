// Reads the barcode of a case or a pallet into fields of a product line. Source: GS1 General
// Specifications 3.
import { isCalendarDate, lastDayOf } from '../shape/date-and-time.ts'
import { gtin14Of, readGs1Elements } from '../text/gs1-text.ts'
import { hasRightCheckDigit } from '../text/identifiers.ts'

export interface Gs1Label {
  /** 14 digits, with the check digit that they call for. */
  readonly caseGtin?: string
  readonly caseLotNumber?: string
  /** SSCC-18. */
  readonly palletId?: string
  /** Items on a pallet. */
  readonly count?: number
  readonly productionDate?: string
  readonly packagingDate?: string
  readonly bestBeforeDate?: string
  readonly expirationDate?: string
  readonly harvestDate?: string
}

/** The content of a scan: a label, or a barcode that is only a GTIN or an SSCC. */
export function readScan(written: string): Gs1Label | undefined {
  const text = written.trim()
  if (isRightSscc(text)) return { palletId: text }
  const caseGtin = rightGtin(text)
  return caseGtin === undefined ? readGs1Label(text) : { caseGtin }
}

/**
 * Reads an element string with or without brackets, or a Digital Link. Undefined unless a valid
 * check digit proves that the text is a label, because many item codes are digits too.
 */
export function readGs1Label(written: string): Gs1Label | undefined {
  const text = written.trim()
  const elements = readGs1Elements(text)
  if (elements === undefined) return undefined
  const caseGtin = rightGtin(elements.get('01') ?? elements.get('02'))
  const sscc = elements.get('00') ?? ''
  const lotCode = elements.get('10')?.trim() ?? ''
  const count = Number(elements.get('37') ?? '')
  const label: Gs1Label = {
    ...(caseGtin !== undefined && { caseGtin }),
    ...(isRightSscc(sscc) && { palletId: sscc }),
    ...(lotCode !== '' && !lotCode.includes('\u0000') && { caseLotNumber: lotCode }),
    ...(Number.isSafeInteger(count) && count > 0 && { count }),
    ...datesIn(elements),
  }
  const isProved = label.caseGtin !== undefined || label.palletId !== undefined
  // Brackets show that a person or a program knows the meaning.
  return isProved || (text.startsWith('(') && Object.keys(label).length > 0) ? label : undefined
}

const isRightSscc = (text: string): boolean => /^\d{18}$/.test(text) && hasRightCheckDigit(text)

function rightGtin(text = ''): string | undefined {
  const gtin = gtin14Of(text)
  return gtin !== undefined && hasRightCheckDigit(gtin) ? gtin : undefined
}

/** By application identifier; a sell-by date goes where the contract has the best-before date. */
const dateFields = [
  ['11', 'productionDate'],
  ['13', 'packagingDate'],
  ['16', 'bestBeforeDate'],
  ['15', 'bestBeforeDate'],
  ['17', 'expirationDate'],
] as const

function datesIn(elements: ReadonlyMap<string, string>): Partial<Gs1Label> {
  const dates: Record<string, string> = {}
  const put = (field: string, text: string | undefined) => {
    const date = dateOf(text ?? '')
    if (date !== undefined) dates[field] = date
  }
  for (const [ai, field] of dateFields) put(field, elements.get(ai))
  // AI 7007, in scanned data under its first two digits. Of a harvest of several days, the first.
  const scanned = elements.get('70')
  put('harvestDate', (elements.get('7007') ?? (scanned?.startsWith('07') ? scanned.slice(2) : '')).slice(0, 6))
  return dates
}

/**
 * `260320` as 2026-03-20. Day 00 is the last of the month. Labels of food are of this century.
 */
function dateOf(digits: string): string | undefined {
  const [, year, month, day] = /^(\d\d)(0[1-9]|1[0-2])(\d\d)$/.exec(digits) ?? []
  if (year === undefined) return undefined
  const date = day === '00' ? lastDayOf(`20${year}-${month}`) : `20${year}-${month}-${day}`
  return isCalendarDate(date) ? date : undefined
}
