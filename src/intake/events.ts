// Rows into receiving events: those that follow each other with the same vendor, ship-to location and event date time are one.
// Source: §2.4 rule 1; decision 0036.
import { instantOf, isDateTime } from '../contract/date-and-time.ts'
import { receivingEvent } from '../contract/record-kinds.ts'
import type { IntakeRecord, PlacedFinding } from './intake-record.ts'
import type { Fields, ReadRow } from './read-row.ts'

/** Rows one event is read from. The contract's own limit is lower, so that a rule says it; this one bounds memory. */
const rowsMax = 5_001

/** Locations and products of the same file, for events that name them by code only. Keyed by vendor and code. */
export interface MasterSheets {
  readonly locations: Map<string, Fields>
  readonly products: Map<string, Fields>
}

export const masterKey = (vendor: unknown, code: unknown): string => `${vendor}\u0000${code}`

/** What the rows of one event have in common. */
const keyFields = ['dataProviderVendorId', 'shipToLocationCode', 'eventDateTime'] as const

/** One spelling for one event; undefined when its vendor, place or time is missing. */
export function eventKey(event: Fields): string | undefined {
  const [vendor, shipTo, dateTime] = keyFields.map((field) => event[field])
  if (typeof vendor !== 'string' || typeof shipTo !== 'string' || typeof dateTime !== 'string') return undefined
  return `${vendor}\u0000${shipTo}\u0000${isDateTime(dateTime) ? instantOf(dateTime) : dateTime}`
}

/** Events seen so far, 53 bits of each. Two that share them by chance are told as one event twice: never the other way round. */
export class SeenEvents {
  readonly #seen = new Set<number>()

  /** True when it was there before. */
  has(key: string): boolean {
    const hash = hashOf(key)
    if (this.#seen.has(hash)) return true
    this.#seen.add(hash)
    return false
  }
}

/** Not for secrets: two multiplications per character, 53 bits. */
function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2_654_435_761)
    b = Math.imul(b ^ code, 1_597_334_677)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & b) + (a >>> 0)
}

export class EventRows {
  #rows: ReadRow[] = []
  #key: string | undefined
  readonly #sheet: string
  readonly #headings: readonly string[]
  readonly #master: MasterSheets
  readonly #seen: SeenEvents

  constructor(sheet: string, headings: readonly string[], master: MasterSheets, seen: SeenEvents) {
    this.#sheet = sheet
    this.#headings = headings
    this.#master = master
    this.#seen = seen
  }

  /** Takes the next row; returns the event before it, when the row begins another. */
  push(row: ReadRow): Omit<IntakeRecord, 'number'> | undefined {
    const key = eventKey(row.parts.event)
    const same = key !== undefined && key === this.#key && this.#rows.length < rowsMax
    const before = same ? undefined : this.end()
    this.#rows.push(row)
    this.#key = key
    return before
  }

  end(): Omit<IntakeRecord, 'number'> | undefined {
    const rows = this.#rows
    const key = this.#key
    this.#rows = []
    this.#key = undefined
    const [first] = rows
    if (first === undefined) return undefined
    const findings = rows.flatMap(({ findings }) => findings)
    if (key !== undefined && this.#seen.has(key))
      findings.push({
        severity: 'error',
        row: first.row.number,
        message:
          'Earlier rows, with others between, are the same event: same vendor, ship-to location and event date time.',
        remedy: 'Put all rows of one event one below the other, e.g. by sorting; an event is imported whole.',
      })
    for (const row of rows.slice(1)) findings.push(...disagreements(first, row))
    return eventOf(rows, first, findings, this.#master, { sheet: this.#sheet, headings: this.#headings })
  }
}

const sharedParts = ['payload', 'event', 'shipFrom', 'shipTo'] as const

/** What a row says of its event that its first row says otherwise. Blank is no contradiction. */
function disagreements(first: ReadRow, row: ReadRow): PlacedFinding[] {
  return sharedParts.flatMap((part) =>
    Object.entries(row.parts[part]).flatMap(([field, value]) => {
      const before = first.parts[part][field]
      // Two spellings of one instant are one event date time.
      if (field === 'eventDateTime' || JSON.stringify(before) === JSON.stringify(value)) return []
      return [
        {
          severity: 'error' as const,
          row: row.row.number,
          column:
            row.columnAt.get(`${part}/${field}`) ??
            row.columnAt.get(`${part}/${field}/${Object.keys(value as object)[0]}`) ??
            field,
          message: `${short(value)} differs from ${before === undefined ? 'the first row of the event, which leaves it blank' : `${short(before)} in the first row of the event`}, row ${first.row.number}.`,
          remedy:
            'Rows of one event agree on all that is said of the event. If these are two deliveries, give each its own event date time.',
        },
      ]
    }),
  )
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60)

function eventOf(
  rows: readonly ReadRow[],
  first: ReadRow,
  findings: readonly PlacedFinding[],
  { locations, products }: MasterSheets,
  { sheet, headings }: { readonly sheet: string; readonly headings: readonly string[] },
): Omit<IntakeRecord, 'number'> {
  const { payload, event, shipFrom, shipTo } = first.parts
  const vendor = event.dataProviderVendorId
  const more = [...findings]
  const place = (code: unknown, said: Fields): Fields => ({
    ...(code !== undefined && { locationCode: code }),
    ...locations.get(masterKey(vendor, code)),
    ...said,
  })
  const items = new Map<string, { readonly entry: Fields; readonly row: ReadRow }>()
  for (const row of rows) {
    const code = row.parts.line.vendorItemCode
    if (typeof code !== 'string') continue
    const known = items.get(code)
    const said = row.parts.product
    if (known === undefined) {
      const entry = { ...products.get(masterKey(vendor, code)), ...said }
      if (Object.keys(entry).length > 0) items.set(code, { entry: { itemCode: code, ...entry }, row })
    } else
      for (const [field, value] of Object.entries(said))
        if (known.entry[field] !== value)
          more.push({
            severity: 'error',
            row: row.row.number,
            column: row.columnAt.get(`product/${field}`) ?? field,
            message: `${short(value)} differs from ${short(known.entry[field])}, which row ${known.row.row.number} says of the same item ${code}.`,
            remedy: 'Say the same of one item in all rows of an event.',
          })
  }
  const entries = [...items.values()]
  return {
    is: 'record',
    kind: receivingEvent,
    payload: {
      ...payload,
      productMasterDataList: entries.map(({ entry }) => entry),
      locationMasterList: [place(event.shipFromLocationCode, shipFrom), place(event.shipToLocationCode, shipTo)],
      eventList: { ...event, productList: rows.map(({ parts }) => parts.line) },
    },
    lines: rows.length,
    from: { sheet, headings, rows: rows.map(({ row }) => row) },
    findings: more,
    breaches: [],
    locate: (pointer) => locate(pointer, rows, first, entries),
  }
}

const columnIn = (row: ReadRow, part: string, path: readonly string[]) =>
  row.columnAt.get([part, ...path].join('/')) ?? path.join('.')

function locate(
  pointer: string,
  rows: readonly ReadRow[],
  first: ReadRow,
  entries: readonly { readonly row: ReadRow }[],
): Pick<PlacedFinding, 'row' | 'column'> {
  const [list = '', ...path] = pointer.slice(1).split('/')
  const at = (row: ReadRow, part: string, fields: readonly string[], prefix = '') => ({
    row: row.row.number,
    ...(fields.length > 0 && {
      column: row.columnAt.get([part, ...fields.slice(0, 2)].join('/')) ?? `${prefix}${fields.slice(0, 2).join('.')}`,
    }),
  })
  if (list === 'eventList') {
    if (path[0] === 'productList' && path[1] !== undefined)
      return at(rows[Number(path[1])] ?? first, 'line', path.slice(2))
    return at(first, 'event', path)
  }
  if (list === 'locationMasterList') {
    const part = path[0] === '1' ? 'shipTo' : 'shipFrom'
    if (path[1] === 'locationCode')
      return { row: first.row.number, column: columnIn(first, 'event', [`${part}LocationCode`]) }
    return at(first, part, path.slice(1), `${part}.`)
  }
  if (list === 'productMasterDataList')
    return at(entries[Number(path[0])]?.row ?? first, 'product', path.slice(1), 'product.')
  return at(first, 'payload', list === '' ? [] : [list])
}
