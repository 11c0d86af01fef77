// Reads one row of a sheet into the parts of a payload, and notes the column of each value.

import type { Cell, ColumnValue, Row } from 'lotkeeper-sheets/sheet'
import { isGiven, stringLengthMax } from '../contract/shape/field.ts'
import { readCellText, type Use, useOf } from './cell-text.ts'
import { type Choices, readCell } from './cell-value.ts'
import type { Conversion } from './conversions.ts'
import { deliveryIdentity, deliveryTime } from './delivery.ts'
import { isExplanation, isNotApplicable, joinCells, useOfJoined } from './foreign-layouts.ts'
import type { PlacedFinding } from './intake-record.ts'
import { columnNamed, type Recognition } from './layout.ts'
import type { NumberSigns } from './number-signs.ts'
import type { Spoiled } from './spoiled-text.ts'
import { type Column, eventKindOf, locationTable, type Part, productTable } from './template.ts'
import { textHash } from './text-hash.ts'
import { readZipCode, type ZipAddress } from './zip-codes.ts'

export type Fields = Record<string, unknown>

export interface ReadRow {
  readonly row: Row
  readonly parts: Readonly<Record<Part, Fields>>
  readonly findings: PlacedFinding[]
  /** Heading of the column of each value, by `part/field` or `part/field/field`. */
  readonly columnAt: ReadonlyMap<string, string>
  /** Set where the row has no time of day: the delivery of that day that it belongs to. */
  readonly delivery?: Delivery
}

export interface Delivery {
  /**
   * Date and identity: the same text for all rows of one delivery, and for no other delivery of a
   * vendor to a place.
   */
  readonly key: string
  /**
   * Its event date time. Each attempt gives another, for when the one before belongs to another
   * delivery.
   */
  readonly dateTime: (attempt: number) => string
}

/** Values of columns that a file lacks or leaves blank in a row. */
export type Defaults = Readonly<Record<string, string>>

/** The values with this one; an empty text is none. */
export function withDefault(defaults: Defaults, name: string, value: string): Defaults {
  const { [name]: _, ...others } = defaults
  return value === '' ? others : { ...others, [name]: value }
}

/**
 * A code made of the texts that distinguish one place or item from others, no longer than a field.
 */
function codeOf(texts: readonly unknown[]): string {
  const code = texts.filter(isGiven).join(', ')
  const characters = [...code]
  if (characters.length <= stringLengthMax) return code
  const mark = ` #${textHash(code).toString(36)}`
  return `${characters.slice(0, stringLengthMax - mark.length).join('')}${mark}`
}

/**
 * A company may operate many places, so its name alone identifies a place only where the sheet has
 * nothing else.
 */
const placeCode = ({ locationName, address }: Fields): string => {
  const { streetAddress1, streetAddress2, city, state, postalCode } = (address ?? {}) as Fields
  return codeOf([locationName, streetAddress1, streetAddress2, city, state, postalCode])
}

const itemCode = ({
  itemDescription,
  brandName,
  productCommodity,
  productVariety,
  packSize,
  packStyle,
}: Fields): string => codeOf([itemDescription, brandName, productCommodity, productVariety, packSize, packStyle])

interface FallbackColumn {
  readonly code: string
  /** Columns that make up the code; findings name the first. */
  readonly from: string
  readonly of: (parts: ReadRow['parts']) => unknown
  readonly says: string
}

/**
 * Codes that sheets of other organisations lack, and the substitute of each. Source: decision 0048.
 */
const eventFallbacks: readonly FallbackColumn[] = [
  ...(['shipFrom', 'shipTo'] as const).map(
    (part): FallbackColumn => ({
      code: `${part}LocationCode`,
      from: `${part}.locationName`,
      of: (parts) => placeCode(parts[part]) || parts[part].gln,
      says: 'it is made from name and address',
    }),
  ),
  {
    code: 'dataProviderVendorId',
    from: 'dataProviderVendorName',
    of: ({ event }) => event.dataProviderVendorName,
    says: "the vendor's name is used",
  },
  {
    code: 'product.itemDescription',
    from: 'vendorItemDescription',
    of: ({ line, product }) => (Object.keys(product).length > 0 ? line.vendorItemDescription : undefined),
    says: 'the description of the line is used',
  },
  { code: 'vendorItemCode', from: 'caseGtin', of: ({ line }) => line.caseGtin, says: 'caseGtin is used' },
  {
    code: 'vendorItemCode',
    from: 'vendorItemDescription',
    of: ({ product, line }) => itemCode(product) || line.vendorItemDescription,
    says: 'the description of the product is used',
  },
  {
    code: 'vendorItemCode',
    from: 'caseLotNumber',
    of: ({ line }) => line.caseLotNumber,
    says: 'the lot code is used where nothing describes the product',
  },
]

const masterFallbacks: Readonly<Record<string, readonly FallbackColumn[]>> = {
  [locationTable.name]: [
    {
      code: 'locationCode',
      from: 'locationName',
      of: ({ record }) => record.locationName,
      says: 'locationName is used',
    },
  ],
  [productTable.name]: [
    { code: 'itemCode', from: 'gtin', of: ({ record }) => record.gtin, says: 'gtin is used' },
    {
      code: 'itemCode',
      from: 'itemDescription',
      of: ({ record }) => record.itemDescription,
      says: 'itemDescription is used',
    },
  ],
}

const findingOf = (spoiled: NonNullable<Spoiled>): Pick<PlacedFinding, 'severity' | 'message'> =>
  'problem' in spoiled
    ? { severity: 'error', message: spoiled.problem }
    : { severity: 'warning', message: spoiled.doubt }

interface ZipField {
  /** Where it is, as in `columnAt`. */
  readonly place: string
  readonly address: ZipAddress
  readonly put: (postalCode: string) => void
}

/** The postal codes of a row, each with state and country beside it. */
function zipFields(parts: Record<Part, Fields>): readonly ZipField[] {
  const { line } = parts
  const { tlcSourcePostalCode, tlcSourceState, tlcSourceCountry } = line
  const ofPlaces = (['shipFrom', 'shipTo', 'record'] as const).map((part) => ({
    place: `${part}/address/postalCode`,
    address: (parts[part].address ?? {}) as ZipAddress,
    put: (postalCode: string) => Object.assign(parts[part].address as Fields, { postalCode }),
  }))
  const ofSource = {
    place: 'line/tlcSourcePostalCode',
    address: { postalCode: tlcSourcePostalCode, state: tlcSourceState, country: tlcSourceCountry },
    put: (postalCode: string) => Object.assign(line, { tlcSourcePostalCode: postalCode }),
  }
  return [...ofPlaces, ofSource]
}

/** Receives each change made in a row; `subject` begins the sentence of the report. */
export type Tell = (subject: string, conversion: Conversion, row: number) => void

/**
 * Reads rows of one sheet, and reports each change to `tell` with its column. Returns undefined for
 * a row that explains the table.
 */
export function rowReader(
  { layout, meanings, mapped }: Recognition,
  headings: readonly string[],
  defaults: Defaults,
  choices: Choices,
  tell: Tell,
  signs: NumberSigns,
  separator: () => string | undefined,
): (row: Row) => ReadRow | undefined {
  const columnOf = columnNamed(layout.table)
  const kind = eventKindOf(layout.table)
  const isMapped = [...mapped.values()].some((column) => column !== null)
  /** In a sheet with a mapping, a blank cell of a column for a code is a mistake. */
  const hasColumn = (name: string) =>
    meanings.some((meaning) => typeof meaning === 'object' && 'column' in meaning && meaning.column === name)
  const fallbacks = (kind === undefined ? masterFallbacks[layout.table.name] : eventFallbacks)?.filter(
    ({ code }) => !isMapped || !hasColumn(code),
  )

  /** The strictest use of the columns that a cell fills. */
  const useAt = (meaning: Recognition['meanings'][number], text: string): Use => {
    if (meaning === undefined || meaning === 'ignored') return 'value'
    const names =
      'column' in meaning ? [meaning.column, ...(meaning.also ?? [])] : Object.keys(meaning.read(text || ' '))
    const uses = names.map((name) => {
      const column = columnOf(name)
      return column === undefined ? useOfJoined(name) : useOf(column)
    })
    return uses.find((use) => use === 'value') ?? uses.find((use) => use === 'code') ?? 'words'
  }

  /** The values of a row, by column of the template, and its cells as they are shown. */
  const valuesOf = (row: Row, findings: PlacedFinding[]) => {
    const said = new Map<string, ColumnValue>()
    const cells = [...row.cells]
    for (const [at, written] of row.cells.entries()) {
      if (written === undefined || written.text.trim() === '') continue
      const meaning = meanings[at]
      if (meaning === 'ignored') continue
      const tellHere = (conversion: Conversion) => tell(`column ${headings[at] ?? ''}`, conversion, row.number)
      if (layout.foreign && isNotApplicable(written.text)) {
        tellHere({
          kind: 'n/a',
          says: `has ${JSON.stringify(written.text.trim())} and the like, which is imported as blank`,
        })
        continue
      }
      const { cell, conversions, spoiled } = readCellText(written, useAt(meaning, written.text))
      if (meaning !== undefined && spoiled !== undefined) {
        findings.push({ ...findingOf(spoiled), row: row.number, column: headings[at] ?? '' })
        if ('problem' in spoiled) continue
      }
      for (const conversion of conversions) tellHere(conversion)
      // Rejected rows are written as texts: a number would lose its displayed form.
      if (written.is === 'number') cells[at] = cell
      if (meaning === undefined)
        findings.push({
          severity: 'error',
          row: row.number,
          message: `${JSON.stringify(cell.text.slice(0, 40))} is in a column without a heading.`,
          remedy: 'Give the column a heading, or empty it.',
        })
      else if ('column' in meaning)
        for (const name of [meaning.column, ...(meaning.also ?? [])]) said.set(name, { cell, at })
      else {
        const isText = cell.is !== 'error' && cell.is !== 'uncomputed'
        const conversion = isText ? meaning.tell?.(cell.text) : undefined
        if (conversion !== undefined) tellHere(conversion)
        for (const [name, text] of Object.entries(meaning.read(cell.text)))
          if (text !== '') said.set(name, { cell: isText ? { ...cell, text } : cell, at })
      }
    }
    return { said, cells }
  }

  /** True below a footnote: texts alone in their rows belong to it. */
  let isBelowTable = false

  return (row) => {
    const texts = layout.foreign ? row.cells.flatMap((cell) => cell?.text.trim() || []) : []
    const isFootnote = layout.foreign && isExplanation(texts)
    isBelowTable = isFootnote || (isBelowTable && texts.length === 1)
    if (isFootnote || isBelowTable) {
      const [first = ''] = texts
      const says = `has explanations of the table, such as ${JSON.stringify(first.slice(0, 40))}; they are left out`
      tell('the sheet', { kind: 'explanation', says }, row.number)
      return undefined
    }
    const findings: PlacedFinding[] = []
    const parts: Record<Part, Fields> = {
      payload: {},
      event: {},
      line: {},
      shipFrom: {},
      shipTo: {},
      product: {},
      record: {},
    }
    const columnAt = new Map<string, string>()
    const { said, cells } = valuesOf(row, findings)
    if (layout.foreign) {
      const tellAt = (at: number, conversion: Conversion) =>
        tell(`column ${headings[at] ?? ''}`, conversion, row.number)
      for (const { text, at } of joinCells(said, kind, (name) => isGiven(defaults[name]), tellAt))
        findings.push({
          severity: 'error',
          row: row.number,
          column: headings[at] ?? '',
          message: `${JSON.stringify(text.slice(0, 80))} has no field in a ${layout.table.kind.noun}.`,
          remedy: 'The kind of a date is one of packing, harvest, production, best before or use by.',
        })
    }
    const deliveryDate = { isDateOnly: false, column: '' }
    const put = (column: Column, cell: Cell, place: string) => {
      if (column.form === 'number' && cell.is === 'text') signs.note(place, cell.text)
      const {
        value,
        conversions = [],
        problem,
        doubt,
        isDateOnly,
      } = readCell(column, cell, choices, signs.of(place, separator()))
      const isDelivery = layout.foreign && isDateOnly === true && column.name === 'eventDateTime'
      if (isDelivery) Object.assign(deliveryDate, { isDateOnly: true, column: place })
      for (const conversion of conversions)
        if (!isDelivery || conversion.kind !== 'time') tell(`column ${place}`, conversion, row.number)
      if (problem !== undefined) findings.push({ severity: 'error', row: row.number, column: place, message: problem })
      else if (doubt !== undefined)
        findings.push({ severity: 'warning', row: row.number, column: place, message: doubt })
      const [field, inner] = column.path
      const part = parts[column.part]
      columnAt.set(`${column.part}/${column.path.join('/')}`, place)
      if (value === undefined) return
      if (inner === undefined) part[field] = value
      else {
        part[field] ??= {}
        ;(part[field] as Fields)[inner] = value
      }
    }
    for (const [name, { cell, at }] of said) {
      const column = columnOf(name)
      if (column !== undefined) put(column, cell, headings[at] ?? '')
    }
    for (const [name, text] of Object.entries(defaults)) {
      const column = columnOf(name)
      if (column !== undefined && !said.has(column.name)) put(column, { text, is: 'text' }, name)
    }
    for (const zip of zipFields(parts)) {
      const read = readZipCode(zip.address)
      if (read === undefined) continue
      const column = columnAt.get(zip.place) ?? ''
      const { full, spoiled } = read
      if (full !== undefined && choices.restoreZeros) {
        const says = `lost zeros in front of ZIP codes; they are restored, ${zip.address.postalCode} as ${full}`
        tell(`column ${column}`, { kind: 'zeros', says }, row.number)
        zip.put(full)
      } else findings.push({ ...findingOf(spoiled), row: row.number, column })
    }
    if (layout.foreign)
      for (const { code, from, of, says } of fallbacks ?? []) {
        const [codeColumn, fromColumn] = [columnOf(code), columnOf(from)]
        if (codeColumn === undefined || fromColumn === undefined) continue
        const part = parts[codeColumn.part]
        const value = of(parts)
        if (isGiven(part[codeColumn.path[0]]) || !isGiven(value)) continue
        part[codeColumn.path[0]] = value
        const place = columnAt.get(`${fromColumn.part}/${fromColumn.path[0]}`) ?? from
        columnAt.set(`${codeColumn.part}/${codeColumn.path[0]}`, place)
        tell(code, { kind: says, says: `has no column; ${says}` }, row.number)
      }
    const read = { row: { ...row, cells }, parts, findings, columnAt }
    if (!deliveryDate.isDateOnly) return read
    const delivery = deliveryOf(parts.event, choices)
    if (delivery === undefined) return read
    parts.event.eventDateTime = delivery.dateTime(0)
    tell(
      `column ${deliveryDate.column}`,
      {
        kind: 'delivery',
        says: `has dates without a time of day; each delivery of a day, identified by ship-from location and reference documents, gets its own time, from ${choices.timeOfDay} on`,
      },
      row.number,
    )
    return { ...read, delivery }
  }
}

/** The delivery of a row without a time of day; undefined when its event cannot be determined. */
function deliveryOf(event: Fields, choices: Choices): Delivery | undefined {
  const { eventDateTime: assumed } = event
  if (typeof assumed !== 'string') return undefined
  const identity = deliveryIdentity(event)
  return {
    key: `${assumed}\u0000${identity}`,
    dateTime: (attempt) => {
      const time = deliveryTime(identity, choices.timeOfDay, attempt)
      return `${assumed.slice(0, 11)}${time}${assumed.slice(19)}`
    },
  }
}
