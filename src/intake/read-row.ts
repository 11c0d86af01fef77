// Reads one row of a sheet into the parts of a payload, and notes the column of each value.

import type { Cell, ColumnValue, Row } from 'lotkeeper-sheets/sheet'
import { type EventKindName, eventKinds, isDeliveryKind } from '../contract/record-kinds.ts'
import { isGiven, stringLengthMax } from '../contract/shape/field.ts'
import { readCellText, type Use, useOf } from './cell-text.ts'
import { type Choices, readCell } from './cell-value.ts'
import type { Conversion } from './conversions.ts'
import { deliveryIdentity, deliveryTime } from './delivery.ts'
import { isExplanation, isNotApplicable, joinCells, useOfJoined } from './foreign-layouts.ts'
import type { PlacedFinding } from './intake-record.ts'
import { columnNamed, type Meaning, type Recognition } from './layout.ts'
import type { NumberSigns } from './number-signs.ts'
import type { Spoiled } from './spoiled-text.ts'
import {
  type Column,
  eventKindOf,
  furtherListsOf,
  linePlacePartsOf,
  locationTable,
  type Parts,
  placePartsOf,
  productPartOf,
  productTable,
} from './template.ts'
import { textHash } from './text-hash.ts'
import { readZipCode, zipFields } from './zip-codes.ts'

export type Fields = Record<string, unknown>

export interface ReadRow {
  readonly row: Row
  readonly parts: Parts
  readonly findings: PlacedFinding[]
  /** Heading of the column of each value, by `part/field` or `part/field/field`. */
  readonly columnAt: ReadonlyMap<string, string>
  /** Set where the row has no time of day: the delivery of that day that it belongs to. */
  readonly delivery?: Delivery
}

/**
 * Says the row and column of a field of a part. A cell that is blank is named by the heading of its
 * column in `headingAt`, and a field without a column by its own name, behind `prefix`.
 */
export const placingBy =
  (headingAt: ReadonlyMap<string, string>) =>
  (
    { row, columnAt }: ReadRow,
    part: string,
    path: readonly string[],
    prefix = '',
  ): Pick<PlacedFinding, 'row' | 'column'> => {
    const fields = path.slice(0, 2)
    const key = [part, ...fields].join('/')
    const column = columnAt.get(key) ?? headingAt.get(key) ?? `${prefix}${fields.join('.')}`
    return { row: row.number, ...(fields.length > 0 && { column }) }
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
  /**
   * Fields of codes that the sheet lacks, such as `shipToLocationCode`, and that are made of the
   * names in it.
   */
  readonly codesByName: ReadonlySet<string>
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
  acceptableSpeciesName,
  scientificName,
}: Fields): string =>
  codeOf([
    ...[itemDescription, brandName, productCommodity, productVariety, packSize, packStyle],
    ...[acceptableSpeciesName, scientificName],
  ])

interface FallbackColumn {
  readonly code: string
  /** Columns that make up the code; findings name the first. */
  readonly from: string
  readonly of: (parts: ReadRow['parts']) => unknown
  readonly says: string
}

interface Fallback extends FallbackColumn {
  /** Whether the sheet has the column that the code is made from. */
  readonly isByName: boolean
}

/**
 * Codes that sheets of other organisations lack, and the substitute of each. Source: decision 0048.
 */
const eventFallbacks = (kind: EventKindName): readonly FallbackColumn[] => [
  ...placePartsOf[kind].map((part) => placeFallback(`${part}LocationCode`, part)),
  ...linePlacePartsOf[kind].map(({ list, field, part }) => placeFallback(`${list}.${field}`, part)),
  {
    code: 'dataProviderVendorId',
    from: 'dataProviderVendorName',
    of: ({ event }) => event.dataProviderVendorName,
    says: "the vendor's name is used",
  },
  ...itemFallbacks('line', 'product', ''),
  ...furtherListsOf[kind].flatMap((list) => itemFallbacks(list, productPartOf(list), `${list}.`)),
  ...Object.entries(eventKinds[kind].lists).flatMap(([list, { lots, hasItems }]) => {
    if (lots !== 'none' || hasItems === false) return []
    return list === 'productList'
      ? unpackedFallbacks('line', 'product', '')
      : unpackedFallbacks(list, productPartOf(list), `${list}.`)
  }),
]

const placeFallback = (code: string, part: string): FallbackColumn => ({
  code,
  from: `${part}.locationName`,
  of: ({ [part]: said = {} }) => placeCode(said) || said.gln,
  says: 'it is made from name and address, or is the GLN',
})

/** Food that is not packed yet is described by its commodity alone. */
const unpackedFallbacks = (lines: string, products: string, prefix: string): readonly FallbackColumn[] => [
  {
    code: `${products}.itemDescription`,
    from: `${products}.productCommodity`,
    of: ({ [products]: product = {} }) => product.productCommodity || product.productVariety,
    says: 'the commodity is used',
  },
  {
    code: `${prefix}vendorItemCode`,
    from: `${prefix}shipQuantity`,
    of: ({ [lines]: line }) => (line?.shipQuantity === undefined ? undefined : 'unnamed food'),
    says: '"unnamed food" is used where nothing names the food',
  },
]

/** Of the lines of a list: their part, that of their products, and how their columns begin. */
const itemFallbacks = (lines: string, products: string, prefix: string): readonly FallbackColumn[] => [
  {
    code: `${products}.itemDescription`,
    from: `${prefix}vendorItemDescription`,
    of: ({ [lines]: line = {}, [products]: product = {} }) =>
      Object.keys(product).length > 0 ? line.vendorItemDescription : undefined,
    says: 'the description of the line is used',
  },
  {
    code: `${products}.itemDescription`,
    from: `${products}.acceptableSpeciesName`,
    of: ({ [products]: product = {} }) => product.acceptableSpeciesName || product.scientificName,
    says: 'the name of the species is used',
  },
  {
    code: `${prefix}vendorItemCode`,
    from: `${prefix}caseGtin`,
    of: ({ [lines]: line }) => line?.caseGtin,
    says: 'caseGtin is used',
  },
  {
    code: `${prefix}vendorItemCode`,
    from: `${prefix}vendorItemDescription`,
    of: ({ [lines]: line, [products]: product = {} }) => itemCode(product) || line?.vendorItemDescription,
    says: 'the description of the product is used',
  },
  {
    code: `${prefix}vendorItemCode`,
    from: `${prefix}caseLotNumber`,
    of: ({ [lines]: line }) => line?.caseLotNumber,
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

/** Receives each change made in a row; `subject` begins the sentence of the report. */
export type Tell = (subject: string, conversion: Conversion, row: number) => void

/** What a sheet's rows are read by. */
export interface RowReading {
  readonly recognition: Recognition
  readonly headings: readonly string[]
  readonly defaults: Defaults
  readonly choices: Choices
  readonly signs: NumberSigns
  /** Separates the cells of the file. */
  readonly separator: () => string | undefined
}

/** Reads rows of one sheet, and reports each change to `tell` with its column. */
export class RowReader {
  readonly #reading: RowReading
  readonly #tell: Tell
  readonly #columnOf: ReturnType<typeof columnNamed>
  readonly #fallbacks: readonly Fallback[]
  /** True below a footnote: texts alone in their rows belong to it. */
  #isBelowTable = false

  constructor(reading: RowReading, tell: Tell) {
    const { layout, meanings, mapped } = reading.recognition
    this.#reading = reading
    this.#tell = tell
    this.#columnOf = columnNamed(layout.table)
    const isMapped = [...mapped.values()].some((column) => column !== null)
    /** In a sheet with a mapping, a blank cell of a column for a code is a mistake. */
    const hasColumn = (name: string) =>
      meanings.some((meaning) => typeof meaning === 'object' && 'column' in meaning && meaning.column === name)
    const kind = eventKindOf(layout.table)
    const all = kind === undefined ? masterFallbacks[layout.table.name] : eventFallbacks(kind)
    this.#fallbacks = (layout.foreign ? (all ?? []) : [])
      .filter(({ code }) => !isMapped || !hasColumn(code))
      .map((fallback) => ({ ...fallback, isByName: !isMapped || hasColumn(fallback.from) }))
  }

  /** Undefined for a row that explains the table. `given` are values for columns that it lacks. */
  read(row: Row, given?: Defaults): ReadRow | undefined {
    if (this.#isExplanation(row)) return undefined
    const findings: PlacedFinding[] = []
    const { said, cells } = this.#valuesOf(row, findings)
    this.#join(said, row, findings)
    const filling = new RowFilling(this.#reading, this.#tell, row, findings)
    for (const [name, { cell, at }] of said) {
      const column = this.#columnOf(name)
      if (column !== undefined) filling.put(column, cell, this.#reading.headings[at] ?? '')
    }
    for (const [name, text] of Object.entries({ ...this.#reading.defaults, ...given })) {
      const column = this.#columnOf(name)
      if (column !== undefined && !said.has(column.name)) filling.put(column, { text, is: 'text' }, name)
    }
    filling.restoreZipCodes()
    for (const fallback of this.#fallbacks) filling.fillCode(fallback, this.#columnOf)
    return filling.end(cells)
  }

  #isExplanation(row: Row): boolean {
    if (!this.#reading.recognition.layout.foreign) return false
    const texts = row.cells.flatMap((cell) => cell?.text.trim() || [])
    const isFootnote = isExplanation(texts)
    this.#isBelowTable = isFootnote || (this.#isBelowTable && texts.length === 1)
    if (!this.#isBelowTable) return false
    const [first = ''] = texts
    const says = `has explanations of the table, such as ${JSON.stringify(first.slice(0, 40))}; they are left out`
    this.#tell('the sheet', { kind: 'explanation', says }, row.number)
    return true
  }

  #tellAt(row: Row, at: number, conversion: Conversion): void {
    this.#tell(`column ${this.#reading.headings[at] ?? ''}`, conversion, row.number)
  }

  /** The strictest use of the columns that a cell fills. */
  #useAt(meaning: Recognition['meanings'][number], text: string): Use {
    if (meaning === undefined || meaning === 'ignored') return 'value'
    const names =
      'column' in meaning ? [meaning.column, ...(meaning.also ?? [])] : Object.keys(meaning.read(text || ' '))
    const uses = names.map((name) => {
      const column = this.#columnOf(name)
      return column === undefined ? useOfJoined(name) : useOf(column)
    })
    return uses.find((use) => use === 'value') ?? uses.find((use) => use === 'code') ?? 'words'
  }

  /** The values of a row, by column of the template, and its cells as they are shown. */
  #valuesOf(row: Row, findings: PlacedFinding[]) {
    const { recognition, headings } = this.#reading
    const said = new Map<string, ColumnValue>()
    const cells = [...row.cells]
    for (const [at, written] of row.cells.entries()) {
      if (written === undefined || written.text.trim() === '') continue
      const meaning = recognition.meanings[at]
      if (meaning === 'ignored') continue
      if (recognition.layout.foreign && isNotApplicable(written.text)) {
        const says = `has ${JSON.stringify(written.text.trim())} and the like, which is imported as blank`
        this.#tellAt(row, at, { kind: 'n/a', says })
        continue
      }
      const { cell, conversions, spoiled } = readCellText(written, this.#useAt(meaning, written.text))
      if (meaning !== undefined && spoiled !== undefined) {
        findings.push({ ...findingOf(spoiled), row: row.number, column: headings[at] ?? '' })
        if ('problem' in spoiled) continue
      }
      for (const conversion of conversions) this.#tellAt(row, at, conversion)
      // Rejected rows are written as texts: a number would lose its displayed form.
      if (written.is === 'number') cells[at] = cell
      if (meaning === undefined)
        findings.push({
          severity: 'error',
          row: row.number,
          message: `${JSON.stringify(cell.text.slice(0, 40))} is in a column without a heading.`,
          remedy: 'Give the column a heading, or empty it.',
        })
      else this.#say(said, meaning, { cell, row, at })
    }
    return { said, cells }
  }

  /** Notes the text of a cell under each column that it fills. */
  #say(
    said: Map<string, ColumnValue>,
    meaning: Exclude<Meaning, 'ignored'>,
    { cell, row, at }: { readonly cell: Cell; readonly row: Row; readonly at: number },
  ): void {
    if ('column' in meaning) {
      for (const name of [meaning.column, ...(meaning.also ?? [])]) said.set(name, { cell, at })
      return
    }
    const isText = cell.is !== 'error' && cell.is !== 'uncomputed'
    const conversion = isText ? meaning.tell?.(cell.text) : undefined
    if (conversion !== undefined) this.#tellAt(row, at, conversion)
    for (const [name, text] of Object.entries(meaning.read(cell.text)))
      if (text !== '') said.set(name, { cell: isText ? { ...cell, text } : cell, at })
  }

  /** In sheets of other programs, replaces cells that have a meaning only together. */
  #join(said: Map<string, ColumnValue>, row: Row, findings: PlacedFinding[]): void {
    const { recognition, headings, defaults } = this.#reading
    const { layout } = recognition
    if (!layout.foreign) return
    const tellAt = (at: number, conversion: Conversion) => this.#tellAt(row, at, conversion)
    for (const { text, at } of joinCells(said, eventKindOf(layout.table), (name) => isGiven(defaults[name]), tellAt))
      findings.push({
        severity: 'error',
        row: row.number,
        column: headings[at] ?? '',
        message: `${JSON.stringify(text.slice(0, 80))} has no field in a ${layout.table.kind.noun}.`,
        remedy: 'The kind of a date is one of packing, harvest, production, best before or use by.',
      })
  }
}

/** The parts of a payload while the values of one row fill them. */
class RowFilling {
  readonly #reading: RowReading
  readonly #tellOfRow: (subject: string, conversion: Conversion) => void
  readonly #row: Row
  readonly #findings: PlacedFinding[]
  readonly #parts: Parts & Record<string, Fields> = { payload: {}, event: {}, line: {}, product: {}, record: {} }
  readonly #columnAt = new Map<string, string>()
  readonly #codesByName = new Set<string>()
  /** The column of a date received or shipped that has no time of day. */
  #deliveryColumn: string | undefined

  constructor(reading: RowReading, tell: Tell, row: Row, findings: PlacedFinding[]) {
    this.#reading = reading
    this.#tellOfRow = (subject, conversion) => tell(subject, conversion, row.number)
    this.#row = row
    this.#findings = findings
  }

  #partOf(name: string): Fields {
    this.#parts[name] ??= {}
    return this.#parts[name]
  }

  /** Puts the value of a cell into its field; `place` is its heading. */
  put(column: Column, cell: Cell, place: string): void {
    const { recognition, choices, signs, separator } = this.#reading
    if (column.form === 'number' && cell.is === 'text') signs.note(place, cell.text)
    const {
      value,
      conversions = [],
      problem,
      doubt,
      isDateOnly,
    } = readCell(column, cell, choices, signs.of(place, separator()))
    const isDelivery = recognition.layout.foreign && isDateOnly === true && column.name === 'eventDateTime'
    if (isDelivery) this.#deliveryColumn = place
    for (const conversion of conversions)
      if (!isDelivery || conversion.kind !== 'time') this.#tellOfRow(`column ${place}`, conversion)
    const at = { row: this.#row.number, column: place }
    if (problem !== undefined) this.#findings.push({ severity: 'error', ...at, message: problem })
    else if (doubt !== undefined) this.#findings.push({ severity: 'warning', ...at, message: doubt })
    const [field, inner] = column.path
    const part = this.#partOf(column.part)
    this.#columnAt.set(`${column.part}/${column.path.join('/')}`, place)
    if (value === undefined) return
    if (inner === undefined) part[field] = value
    else {
      part[field] ??= {}
      ;(part[field] as Fields)[inner] = value
    }
  }

  restoreZipCodes(): void {
    for (const zip of zipFields(this.#parts)) {
      const read = readZipCode(zip.address)
      if (read === undefined) continue
      const column = this.#columnAt.get(zip.place) ?? ''
      const { full, spoiled } = read
      if (full !== undefined && this.#reading.choices.restoreZeros) {
        const says = `lost zeros in front of ZIP codes; they are restored, ${zip.address.postalCode} as ${full}`
        this.#tellOfRow(`column ${column}`, { kind: 'zeros', says })
        zip.put(full)
      } else this.#findings.push({ ...findingOf(spoiled), row: this.#row.number, column })
    }
  }

  /** Fills in a code that the sheet lacks. */
  fillCode({ code, from, of, says, isByName }: Fallback, columnOf: ReturnType<typeof columnNamed>): void {
    const [codeColumn, fromColumn] = [columnOf(code), columnOf(from)]
    if (codeColumn === undefined || fromColumn === undefined) return
    const part = this.#partOf(codeColumn.part)
    const value = of(this.#parts)
    if (isGiven(part[codeColumn.path[0]]) || !isGiven(value)) return
    part[codeColumn.path[0]] = value
    if (isByName) this.#codesByName.add(codeColumn.path[0])
    const place = this.#columnAt.get(`${fromColumn.part}/${fromColumn.path[0]}`) ?? from
    this.#columnAt.set(`${codeColumn.part}/${codeColumn.path[0]}`, place)
    this.#tellOfRow(code, { kind: says, says: `has no column; ${says}` })
  }

  /** The row as it was read, with its cells as they are shown. */
  end(cells: Row['cells']): ReadRow {
    const { choices, recognition } = this.#reading
    const read = {
      row: { ...this.#row, cells },
      parts: this.#parts,
      findings: this.#findings,
      columnAt: this.#columnAt,
    }
    if (this.#deliveryColumn === undefined) return read
    const kind = eventKindOf(recognition.layout.table)
    const delivery = deliveryOf(this.#parts.event, kind, this.#codesByName, choices)
    if (delivery === undefined) return read
    this.#parts.event.eventDateTime = delivery.dateTime(0)
    this.#tellOfRow(`column ${this.#deliveryColumn}`, {
      kind: 'delivery',
      says: `has dates without a time of day; each ${deliveryWords(kind)}, gets its own time, from ${choices.timeOfDay} on`,
    })
    return { ...read, delivery }
  }
}

const deliveryWords = (kind: EventKindName | undefined): string =>
  kind === undefined || isDeliveryKind(kind)
    ? 'delivery of a day, identified by ship-from location and reference documents'
    : 'event of a day, identified by its locations and reference documents'

/** The delivery of a row without a time of day; undefined when its event cannot be determined. */
function deliveryOf(
  event: Fields,
  kind: EventKindName | undefined,
  codesByName: ReadonlySet<string>,
  choices: Choices,
): Delivery | undefined {
  const { eventDateTime: assumed } = event
  if (typeof assumed !== 'string') return undefined
  const identity = deliveryIdentity(event, kind)
  return {
    codesByName,
    key: `${assumed}\u0000${identity}`,
    dateTime: (attempt) => {
      const time = deliveryTime(identity, choices.timeOfDay, attempt)
      return `${assumed.slice(0, 11)}${time}${assumed.slice(19)}`
    },
  }
}
