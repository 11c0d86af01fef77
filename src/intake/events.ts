// Groups rows into events: consecutive rows that name the same event are one. Source: §2.4 rule 1;
// decisions 0036, 0047.

import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'
import { type EventKindName, eventKinds, isDeliveryKind, ofEventKinds } from '../contract/record-kinds.ts'
import {
  eventKey,
  identityOf,
  instantText,
  isName,
  isWhole,
  keyHash,
  keyPlaceOf,
  keysWithFewerDocuments,
  normalizeSpaces,
  type OfEvent,
  saysPlace,
  sharedWords,
} from './event-identity.ts'
import type { IntakeRecord, PlacedFinding, RowsOfSheet } from './intake-record.ts'
import { type Fields, placingBy, type ReadRow } from './read-row.ts'
import { furtherListsOf, linePlacePartsOf, placePartsOf, productPartOf } from './template.ts'
import { textHash } from './text-hash.ts'

/**
 * Most rows that one event is read from. It bounds memory; the contract's own limit is lower, so
 * that a rule reports it.
 */
const rowsMax = 5_001

/**
 * Locations and products of the same file, for events that name them by code only. Keyed by vendor
 * and code.
 */
export interface MasterSheets {
  readonly locations: Map<string, MasterEntry>
  readonly products: Map<string, MasterEntry>
}

interface MasterEntry {
  readonly entry: Fields
  /** Where it is from. */
  readonly from: RowsOfSheet
}

export const masterKey = (vendor: unknown, code: unknown): string => `${vendor}\u0000${code}`

/** Parts of a payload that all rows of one event share. */
const sharedParts = ofEventKinds((kind) => ['payload', 'event', ...placePartsOf[kind]])

/**
 * Most keys of events that are kept. Each takes eight bytes of data, and about fifty of memory. A
 * receiving event has one key; a shipping event has up to eight, for its documents.
 */
const keysMax = 5_000_000

/**
 * Most rows kept that do not identify their event. With more of them, no event of the file counts
 * as whole.
 */
const looseRowsMax = 10_000

/** Most rows compared with one event. */
const comparedMax = 1_000

/** A row that does not identify its event, with its other statements about it. */
interface LooseRow {
  readonly number: number
  readonly said: ReadonlyMap<string, string>
}

/**
 * The result of a first pass over a file, before any event is sent: which events are in several
 * places, and which rows do not identify their event. Keys are hashes of 53 bits. Two events whose
 * hashes collide are treated as one event in two places; the opposite error cannot happen.
 */
export class EventSurvey {
  readonly #kind: EventKindName
  readonly #seen = new Set<number>()
  /** Keys with fewer documents than an event of the file. */
  readonly #fewer = new Set<number>()
  readonly #apart = new Map<number, number>()
  /** Events in several places of which rows were read. */
  readonly #readApart = new Set<number>()
  /** Deliveries of the current sheet, and deliveries found in several sheets. */
  readonly #ofSheet = new Set<number>()
  readonly #inSheets = new Set<number>()
  /** By which of the four texts of an identity are stated, as bits, and by their values. */
  readonly #loose = new Map<number, LooseRow[]>()
  readonly #masks = new Set<number>()
  #looseRows = 0
  #last: string | undefined
  #length = 0

  constructor(kind: EventKindName) {
    this.#kind = kind
  }

  /** Takes the next row of a sheet. */
  row(read: ReadRow, isOwn: (field: string) => boolean): void {
    const { row } = read
    const identity = identityOf(this.#kind, read)
    if (isWhole(identity)) {
      const key = eventKey(this.#kind, read)
      const goesOn = key === this.#last && this.#length < rowsMax
      this.#length = goesOn ? this.#length + 1 : 1
      if (!goesOn) {
        this.#block(keyHash(identity), row.number, { isDelivery: read.delivery !== undefined })
        for (const fewer of this.#fewerOf(read)) this.#fewer.add(fewer)
      }
      this.#last = key
      return
    }
    this.#last = undefined
    const said = this.#fieldsOf(read)
    // A title or a total states nothing about an event, even when the defaults do.
    if (![...said.keys()].some(isOwn)) return
    if (++this.#looseRows > looseRowsMax) return
    const mask = maskOf(identity)
    const known = signature(mask, identity)
    this.#masks.add(mask)
    this.#loose.set(known, [...(this.#loose.get(known) ?? []), { number: row.number, said }])
  }

  /** Takes a payload that holds a whole event. */
  payload(event: Fields, number: number): void {
    const identity = identityOf(this.#kind, { parts: { event } })
    if (isWhole(identity)) this.#block(keyHash(identity), number)
  }

  sheetEnds(): void {
    this.#last = undefined
    this.#ofSheet.clear()
  }

  #block(key: number, number: number, { isDelivery = false } = {}): void {
    if (this.#seen.has(key)) {
      if (!this.#apart.has(key)) this.#apart.set(key, number)
      if (isDelivery && !this.#ofSheet.has(key)) this.#inSheets.add(key)
      return
    }
    if (isDelivery) this.#ofSheet.add(key)
    if (this.#seen.size + this.#fewer.size >= keysMax)
      throw new UnreadableFile('The file holds more events than one import can compare. Split it.')
    this.#seen.add(key)
  }

  /** Row or line where an event occurs again after others; undefined when all of it is together. */
  comesAgainAt(one: OfEvent): number | undefined {
    return this.#apart.get(keyHash(identityOf(this.#kind, one)))
  }

  /** True for rows of an event that began further up; asked once for each block of rows. */
  isContinued(one: OfEvent): boolean {
    const key = keyHash(identityOf(this.#kind, one))
    if (!this.#apart.has(key)) return false
    const isKnown = this.#readApart.has(key)
    this.#readApart.add(key)
    return isKnown
  }

  /**
   * True for a shipping event when others of the file agree with it in everything, but have more or
   * fewer documents: their rows may be rows of this event.
   */
  mayLackDocuments(row: ReadRow): boolean {
    return (
      this.#fewer.has(keyHash(identityOf(this.#kind, row))) || this.#fewerOf(row).some((key) => this.#seen.has(key))
    )
  }

  /** Rows of a delivery always state its documents. */
  #fewerOf(row: ReadRow): readonly number[] {
    return this.#kind === 'shippingEvent' && row.delivery === undefined ? keysWithFewerDocuments(row) : []
  }

  /**
   * True for a row of a delivery whose rows are apart within one sheet: each states its whole
   * event, so they can be combined.
   */
  canGather(row: ReadRow): boolean {
    if (row.delivery === undefined) return false
    const key = keyHash(identityOf(this.#kind, row))
    return this.#apart.has(key) && !this.#inSheets.has(key)
  }

  /**
   * Number of a row anywhere in the file that does not identify its event and may belong to this
   * one.
   */
  looseRowOf(row: ReadRow): number | 'too many' | undefined {
    if (this.#looseRows > looseRowsMax) return 'too many'
    if (this.#looseRows === 0) return undefined
    const identity = identityOf(this.#kind, row)
    const said = this.#fieldsOf(row)
    for (const mask of this.#masks) {
      const alike = this.#loose.get(signature(mask, identity)) ?? []
      if (alike.length > comparedMax) return 'too many'
      const found = alike.find((loose) => [...loose.said].every(([path, value]) => (said.get(path) ?? value) === value))
      if (found !== undefined) return found.number
    }
    return undefined
  }

  /**
   * The statements of a row about its event in its key and in these fields, as far as they can be
   * read.
   */
  #fieldsOf(one: OfEvent): ReadonlyMap<string, string> {
    const [vendor, place, occasion] = identityOf(this.#kind, one)
    const instant = one.delivery === undefined ? instantText(one) : undefined
    const said = new Map<string, string>()
    for (const [name, value] of Object.entries({ vendor, place, occasion, instant }))
      if (value !== undefined) said.set(name === 'place' ? keyPlaceOf(this.#kind) : (keyFields[name] ?? name), value)
    for (const field of tellingFields) {
      const value = one.parts.event[field]
      if (isName(value) && (field !== 'shipFromLocationCode' || saysPlace(one, 'shipFrom')))
        said.set(field, normalizeSpaces(value))
    }
    return said
  }
}

/** Which entries are present, one bit each. */
const maskOf = (identity: readonly (string | undefined)[]): number =>
  identity.reduce((mask, one, i) => (one === undefined ? mask : mask | (1 << i)), 0)

const signature = (mask: number, identity: readonly (string | undefined)[]): number =>
  textHash(`${mask}\u0000${identity.map((one, i) => (mask & (1 << i) ? one : '')).join('\u0000')}`)

/**
 * Fields that distinguish deliveries. Any text is valid in them; a wrong GLN or date would state
 * nothing.
 */
const tellingFields = [
  'shipFromLocationCode',
  'purchaseOrderNumber',
  'billOfLadingNumber',
  'asnNumber',
  'eventId',
] as const

/** Fields of the event that the parts of a key come from. */
const keyFields: Readonly<Record<string, string>> = {
  vendor: 'dataProviderVendorId',
  instant: 'eventDateTime',
}

/** Most rows kept to be combined with others of their delivery. */
const gatheredMax = 20_000

/** The sheet that events are read from. */
interface EventSheet {
  readonly kind: EventKindName
  readonly name: string
  readonly headings: readonly string[]
  /** By part and fields: a blank cell is named by its heading too. */
  readonly headingAt: ReadonlyMap<string, string>
}

/**
 * Combines the rows of a sheet into events. An event is held back until the row after it shows that
 * it is whole.
 */
export class EventRows {
  #rows: ReadRow[] = []
  #key: string | undefined
  /** Number of the row before the first of `#rows`, when that row does not identify its event. */
  #looseBefore: number | undefined
  /** By event, in the order of their first rows. */
  readonly #gathered = new Map<string, ReadRow[]>()
  #gatheredRows = 0
  readonly #sheet: EventSheet
  readonly #master: MasterSheets
  readonly #survey: EventSurvey

  constructor(sheet: EventSheet, master: MasterSheets, survey: EventSurvey) {
    this.#sheet = sheet
    this.#master = master
    this.#survey = survey
  }

  /** Takes the next row. Returns the event before it when the row begins another. */
  push(row: ReadRow): Omit<IntakeRecord, 'number'> | undefined {
    const key = eventKey(this.#sheet.kind, row)
    if (key !== undefined && this.#gatheredRows < gatheredMax && this.#survey.canGather(row)) {
      this.#gatheredRows++
      const together = this.#gathered.get(key)
      if (together === undefined) this.#gathered.set(key, [row])
      else together.push(row)
      return this.#close(undefined)
    }
    const same = key !== undefined && key === this.#key && this.#rows.length < rowsMax
    const before = same ? undefined : this.#close(key === undefined ? row.row.number : undefined)
    this.#rows.push(row)
    this.#key = key
    return before
  }

  end(): Omit<IntakeRecord, 'number'> | undefined {
    const last = this.#close(undefined)
    this.#looseBefore = undefined
    return last
  }

  /**
   * The deliveries whose rows are apart, after all others. With too many of them, each is rejected:
   * it may not be whole.
   */
  *gathered(): Generator<Omit<IntakeRecord, 'number'>> {
    const isWhole = this.#gatheredRows < gatheredMax
    for (const rows of this.#gathered.values()) {
      const [first] = rows
      if (first !== undefined) yield this.#eventOf(rows, first, this.#doubts(first, undefined, { isGathered: isWhole }))
    }
    this.#gathered.clear()
  }

  #eventOf(rows: readonly ReadRow[], first: ReadRow, doubts: readonly PlacedFinding[]): Omit<IntakeRecord, 'number'> {
    const findings = [...rows.flatMap(({ findings }) => findings), ...doubts]
    for (const row of rows.slice(1)) findings.push(...disagreements(first, row, this.#sheet.kind))
    return eventOf({ rows, first, findings }, this.#master, this.#sheet)
  }

  #close(looseAfter: number | undefined): Omit<IntakeRecord, 'number'> | undefined {
    const rows = this.#rows
    const key = this.#key
    const looseBefore = this.#looseBefore
    this.#rows = []
    this.#key = undefined
    const [first] = rows
    if (first === undefined) return undefined
    this.#looseBefore = key === undefined ? first.row.number : undefined
    if (key === undefined) return { ...this.#eventOf(rows, first, []), part: 'loose' }
    const event = this.#eventOf(rows, first, this.#doubts(first, looseBefore ?? looseAfter))
    return this.#survey.isContinued(first) ? { ...event, part: 'continued' } : event
  }

  /** Why these rows may not be their whole event. Source: §2.4 rule 1, an event is stored whole. */
  #doubts(read: ReadRow, beside: number | undefined, { isGathered = false } = {}): readonly PlacedFinding[] {
    const { row } = read
    const { kind } = this.#sheet
    const doubt = (message: string, remedy: string) => ({
      severity: 'error' as const,
      row: row.number,
      message,
      remedy,
    })
    const again = isGathered ? undefined : this.#survey.comesAgainAt(read)
    if (again !== undefined)
      return [
        doubt(
          `The rows of this event are not together: ${again === row.number ? 'others are further up' : `they continue in row ${again}`}, with the same ${sharedWords[kind]}.`,
          'Put all rows of one event directly below each other, e.g. by sorting. An event has at most 5,000 rows.',
        ),
      ]
    if (this.#survey.mayLackDocuments(read))
      return [
        doubt(
          'Other rows agree with this shipping event in vendor, locations and event date time, but have more or fewer reference documents. They may belong to it.',
          'Write all reference documents of a shipping event into each of its rows. If these are two shipments, give each its own event date time.',
        ),
      ]
    const loose = beside ?? this.#survey.looseRowOf(read)
    if (loose === undefined) return []
    return loose === 'too many'
      ? [
          doubt(
            'The event of too many rows in the file cannot be read, and some of them may belong to this event.',
            `Correct the ${sharedWords[kind]} of those rows first.`,
          ),
        ]
      : [
          {
            ...doubt(
              `Row ${loose} may belong to this event, because its own event cannot be read. An event is imported whole.`,
              `Correct row ${loose} (${looseWords[kind] ?? eventKinds[kind].alike}), or delete it if it is not a product line. Then import both together.`,
            ),
            because: loose,
          },
        ]
  }
}

/** The identity of the event of a row, as a list. */
const looseWords: Partial<Record<EventKindName, string>> = {
  receivingEvent:
    'vendor, ship-to location, event date time; in a sheet without times also ship-from location and documents',
}

/** Where a row contradicts the first row of its event. A blank is no contradiction. */
function disagreements(first: ReadRow, row: ReadRow, kind: EventKindName): PlacedFinding[] {
  return sharedParts[kind].flatMap((part) =>
    Object.entries(row.parts[part] ?? {}).flatMap(([field, value]) => {
      const before = first.parts[part]?.[field]
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
          message: `${short(value)} differs from ${before === undefined ? 'the first row of the event, where it is blank' : `${short(before)} in the first row of the event`}, row ${first.row.number}.`,
          remedy:
            'All rows of one event must have the same values for the event. If these are two deliveries, give each its own event date time.',
        },
      ]
    }),
  )
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60)

function eventOf(
  {
    rows,
    first,
    findings,
  }: { readonly rows: readonly ReadRow[]; readonly first: ReadRow; readonly findings: readonly PlacedFinding[] },
  { locations, products }: MasterSheets,
  { kind, name, headings, headingAt }: EventSheet,
): Omit<IntakeRecord, 'number'> {
  const { payload, event } = first.parts
  const { delivery } = first
  const vendor = event.dataProviderVendorId
  const more = [...findings]
  const leansOn = new Set<RowsOfSheet>()
  const leanOn = (known: MasterEntry | undefined): Fields | undefined => {
    if (known !== undefined) leansOn.add(known.from)
    return known?.entry
  }
  const place = (code: unknown, said: Fields = {}): Fields => ({
    ...(code !== undefined && { locationCode: code }),
    ...leanOn(locations.get(masterKey(vendor, code))),
    ...said,
  })
  const items = new Map<string, { readonly entry: Fields; readonly row: ReadRow; readonly part: string }>()
  for (const { row, part, code, said } of itemsIn(rows, kind)) {
    const known = items.get(code)
    if (known === undefined) {
      const entry = { ...leanOn(products.get(masterKey(vendor, code))), ...said }
      if (Object.keys(entry).length > 0) items.set(code, { entry: { itemCode: code, ...entry }, row, part })
    } else
      for (const [field, value] of Object.entries(said))
        if (known.entry[field] !== value)
          more.push({
            severity: 'error',
            row: row.row.number,
            column: row.columnAt.get(`${part}/${field}`) ?? field,
            message: `${short(value)} differs from ${short(known.entry[field])}, the value for the same item ${code} in row ${known.row.row.number}.`,
            remedy: 'Use the same values for one item in all rows of an event.',
          })
  }
  const entries = [...items.values()]
  const lists = linesIn(rows, kind)
  const codes = placesIn(rows, first, kind, (finding) => more.push(finding))
  const locationMasterList = codes.map(({ code, said }) => place(code, said))
  const eventList = {
    ...event,
    ...Object.fromEntries(Object.entries(lists).map(([list, lines]) => [list, lines.map(({ fields }) => fields)])),
  }
  const whole = {
    ...payload,
    productMasterDataList: entries.map(({ entry }) => entry),
    locationMasterList,
    eventList,
  }
  return {
    is: 'record',
    kind: eventKinds[kind],
    payload: whole,
    ...(delivery && {
      atOtherTime: (attempt: number) => ({
        ...whole,
        eventList: { ...eventList, eventDateTime: delivery.dateTime(attempt) },
      }),
    }),
    lines: lists.productList?.length ?? 0,
    from: {
      sheet: name,
      headings,
      rows: rows.map(({ row }) => row),
      ...(leansOn.size > 0 && { leansOn: [...leansOn] }),
    },
    findings: more,
    breaches: [],
    locate: (pointer) => locate(pointer, { lists, places: codes, first, entries, headingAt }),
  }
}

/** A line of a list, and the row it comes from. */
interface LineOfRow {
  readonly row: ReadRow
  readonly fields: Fields
}
type Lists = Readonly<Record<string, readonly LineOfRow[]>>

/**
 * The lines of each list. A row of a kind with several lists may have a line of each. Sheets such
 * as FDA's pair each lot used with each lot made, so lines of such rows that are alike are one.
 */
function linesIn(rows: readonly ReadRow[], kind: EventKindName): Lists {
  const further = furtherListsOf[kind]
  if (further.length === 0) return { productList: rows.map((row) => ({ row, fields: row.parts.line })) }
  const lists: Record<string, LineOfRow[]> = { productList: [] }
  const paired = new Set<string>()
  for (const row of rows) {
    const filled = [
      ['productList', row.parts.line] as const,
      ...further.map((list) => [list, row.parts[list]] as const),
    ]
      .map(([list, fields = {}]) => ({ list, fields }))
      .filter(({ fields }) => Object.keys(fields).length > 0)
    for (const { list, fields } of filled) {
      const key = `${list} ${JSON.stringify(fields)}`
      if (filled.length > 1 && paired.has(key)) continue
      if (filled.length > 1) paired.add(key)
      lists[list] ??= []
      lists[list].push({ row, fields })
    }
  }
  return lists
}

/** The item of each line, and what its row says of the product. */
function* itemsIn(rows: readonly ReadRow[], kind: EventKindName) {
  for (const row of rows) {
    const { line, product } = row.parts
    if (typeof line.vendorItemCode === 'string')
      yield { row, part: 'product', code: line.vendorItemCode, said: product }
    // Without a product line, the product of the row is that of its other line.
    let isTaken = typeof line.vendorItemCode === 'string'
    for (const list of furtherListsOf[kind]) {
      const code = row.parts[list]?.vendorItemCode
      if (typeof code !== 'string') continue
      const own = productPartOf(list)
      const part = isTaken || Object.keys(row.parts[own] ?? {}).length > 0 ? own : 'product'
      isTaken ||= part !== own
      yield { row, part, code, said: row.parts[part] ?? {} }
    }
  }
}

/** A location of an event, and where it is read from. */
interface PlaceOfEvent {
  readonly code: unknown
  readonly row: ReadRow
  /** The part that has its code, and the one that describes it. */
  readonly list: string
  readonly part: string
  readonly said: Fields
}

/** The locations of an event and of its lines, each code once; a delivery has both in any case. */
function placesIn(
  rows: readonly ReadRow[],
  first: ReadRow,
  kind: EventKindName,
  find: (finding: PlacedFinding) => void,
): readonly PlaceOfEvent[] {
  const placeIn = (row: ReadRow, list: string, part: string): PlaceOfEvent => ({
    code: row.parts[list]?.[`${part}LocationCode`],
    row,
    list,
    part,
    said: { ...row.parts[part] },
  })
  const own = placePartsOf[kind].map((part) => placeIn(first, 'event', part))
  if (isDeliveryKind(kind)) return own
  const ofLines = rows.flatMap((row) => linePlacePartsOf[kind].map(({ list, part }) => placeIn(row, list, part)))
  const byCode = new Map<unknown, PlaceOfEvent>()
  for (const one of [...own, ...ofLines]) {
    const known = byCode.get(one.code)
    if (one.code === undefined) findNameless(one, find)
    else if (known === undefined) byCode.set(one.code, one)
    else addTo(known, one, find)
  }
  return [...byCode.values()]
}

/** The event requires its own codes; a line may leave out a location, but not describe it then. */
function findNameless({ row, list, part, said }: PlaceOfEvent, find: (finding: PlacedFinding) => void): void {
  const [field] = Object.keys(said)
  if (list === 'event' || field === undefined) return
  find({
    severity: 'error',
    row: row.row.number,
    column: row.columnAt.get(`${part}/${field}`) ?? `${part}.${field}`,
    message: `${short(said[field])} describes a location that has no code in this row.`,
    remedy: `Write the code of the location into ${list}.${part}LocationCode.`,
  })
}

/** What another part says of the same location. */
function addTo(known: PlaceOfEvent, { row, part, said }: PlaceOfEvent, find: (finding: PlacedFinding) => void): void {
  for (const [field, value] of Object.entries(said))
    if (known.said[field] === undefined) known.said[field] = value
    else if (JSON.stringify(known.said[field]) !== JSON.stringify(value))
      find({
        severity: 'error',
        row: row.row.number,
        column: row.columnAt.get(`${part}/${field}`) ?? `${part}.${field}`,
        message: `${short(value)} differs from ${short(known.said[field])}, the value for the same location ${short(known.code)} in row ${known.row.row.number}.`,
        remedy: 'Use the same values for one location in all rows of an event.',
      })
}

interface Located {
  readonly lists: Lists
  readonly places: readonly PlaceOfEvent[]
  readonly first: ReadRow
  readonly entries: readonly { readonly row: ReadRow; readonly part: string }[]
  readonly headingAt: ReadonlyMap<string, string>
}

function locate(
  pointer: string,
  { lists, places, first, entries, headingAt }: Located,
): Pick<PlacedFinding, 'row' | 'column'> {
  const [list = '', ...path] = pointer.slice(1).split('/')
  const at = placingBy(headingAt)
  if (list === 'eventList') {
    const [name = '', index, ...fields] = path
    const isLines = Object.hasOwn(lists, name) && index !== undefined
    if (!isLines) return at(first, 'event', path)
    const { row = first } = lists[name]?.[Number(index)] ?? {}
    return name === 'productList' ? at(row, 'line', fields) : at(row, name, fields, `${name}.`)
  }
  if (list === 'locationMasterList') {
    const { part = '', list: ofCode = 'event', row = first } = places[Number(path[0])] ?? {}
    if (part === '' || path[1] === 'locationCode')
      return at(row, ofCode, [`${part}LocationCode`], ofCode === 'event' ? '' : `${ofCode}.`)
    return at(row, part, path.slice(1), `${part}.`)
  }
  if (list === 'productMasterDataList') {
    const { row, part } = entries[Number(path[0])] ?? { row: first, part: 'product' }
    return at(row, part, path.slice(1), `${part}.`)
  }
  return at(first, 'payload', list === '' ? [] : [list])
}
