// Files in, payloads out: recognises the kind of a file, reads it as a stream, and knows the place
// of everything in it.

import { csvRows } from 'lotkeeper-sheets/csv'
import { type ImportFile, textOf } from 'lotkeeper-sheets/import-file'
import { openWorkbook } from 'lotkeeper-sheets/read-workbook'
import { type Area, isBlank, type Row, type Sheet } from 'lotkeeper-sheets/sheet'
import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'
import { readJsonObject } from '../contract/json/json-text.ts'
import {
  type EventKind,
  type EventKindName,
  eventKindNames,
  eventKinds,
  isEventKind,
  ofEventKinds,
  type RecordKind,
  recordKindOf,
  shippingEvent,
} from '../contract/record-kinds.ts'
import type { Choices } from './cell-value.ts'
import { comparedRowsMax, meaningfulIn, meansEvents } from './column-matches.ts'
import { type Conversion, Conversions } from './conversions.ts'
import { sharedWords } from './event-identity.ts'
import { EventRows, EventSurvey, type MasterSheets, masterKey } from './events.ts'
import { recognise } from './file-form.ts'
import { foreignLayouts } from './foreign-layouts.ts'
import type { Intake, IntakeRecord, PlacedFinding, RowsOfSheet, SheetColumns } from './intake-record.ts'
import {
  headingsByField,
  isMostlyOurs,
  isReasonHeading,
  lackingIn,
  type Mapping,
  mappedIn,
  ownLayouts,
  type Recognition,
  recogniseLayout,
  titlesOf,
} from './layout.ts'
import { type Line, linesOf } from './lines.ts'
import { lotColumnsOf, rowsOfLots } from './lots-in-cell.ts'
import { type Mends, SheetMends } from './mending/mends.ts'
import { NumberSigns } from './number-signs.ts'
import { type Defaults, type Fields, placingBy, type ReadRow, RowReader, type Tell } from './read-row.ts'
import { allColumns, columnsInQuestion, problemsOf, valuesBelow } from './sheet-columns.ts'
import {
  eventKindOf,
  eventTables,
  helpHeadings,
  locationTable,
  productTable,
  reasonHeadings,
  type Table,
} from './template.ts'

export interface IntakeOptions extends Choices {
  readonly mapping: Mapping | undefined
  readonly defaults: Defaults
  /** Names of the sheets to read, hidden ones too. Without it, all that are not hidden. */
  readonly sheets?: readonly string[] | undefined
  /**
   * Kind of events to import. Sheets that say another kind are left out. Without it, a sheet or
   * payload that does not say its kind has receiving events.
   */
  readonly kind?: EventKindName | undefined
  /** Cells of sheets that a person corrected. */
  readonly mends?: Mends | undefined
  /** Reads the first rows of each sheet alone, and hands each of them on as it is read. */
  readonly first?: FirstRowsAsked
}

interface FirstRowsAsked {
  readonly count: number
  readonly take: (row: ReadRow, sheet: Pick<RowsOfSheet, 'sheet' | 'headings'>) => void
}

/** The defaults. */
export const plainOptions: IntakeOptions = {
  dates: 'mdy',
  utcOffset: undefined,
  timeOfDay: '12:00:00',
  restoreZeros: false,
  mapping: undefined,
  defaults: {},
}

type Unnumbered = Intake | Omit<IntakeRecord, 'number'>

/**
 * Everything in a file, in order, read on demand. Ends with `unreadable` when the file cannot be
 * read to its end.
 */
export async function* readIntake(file: ImportFile, options: IntakeOptions): AsyncGenerator<Intake> {
  let number = 0
  try {
    for await (const one of contentOf(file, options)) yield one.is === 'record' ? { ...one, number: ++number } : one
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    yield { is: 'unreadable', text: error.message }
  }
}

async function* contentOf(file: ImportFile, options: IntakeOptions): AsyncGenerator<Unnumbered> {
  const { form, encoding } = await recognise(file)
  const sheets = form === 'xlsx' ? await openWorkbook(file) : []
  if (!file.name.toLowerCase().endsWith(`.${form}`) && !(form === 'ndjson' && /\.jsonl?$/i.test(file.name)))
    yield {
      is: 'note',
      text: `The file is named ${file.name}, but its content is ${form.toUpperCase()}. It is read as ${form.toUpperCase()}.`,
    }
  if (form === 'ndjson') yield* readPayloads(() => textOf(file, encoding), options.kind)
  else if (form === 'csv') yield* readSheets([csvSheet(() => textOf(file, encoding))], options)
  else yield* readSheets(yield* shownSheets(sheets, options), options)
}

function csvSheet(pieces: () => AsyncIterable<string>): Sheet {
  let delimiter: string | undefined
  const rows = () =>
    csvRows(pieces(), (found) => {
      delimiter = found
    })
  return { name: '', rows, merged: async () => [], delimiter: () => delimiter }
}

// Payloads as they are, one per line

/** Reads the text twice, to know the events that are on several lines before the first is sent. */
async function* readPayloads(
  pieces: () => AsyncIterable<string>,
  stated: EventKindName | undefined,
): AsyncGenerator<Unnumbered> {
  const surveys = new Surveys()
  let lines = 0
  for await (const batch of payloadLines(pieces(), stated)) {
    for (const { line, kind, payload } of batch) {
      lines++
      const found = payload && recordKindOf(payload, kind)
      if (payload === undefined || found === undefined || !isEventKind(found.name)) continue
      for (const event of subjectsIn(payload, found)) surveys.of(found.name).payload(event, line.number)
    }
    yield { is: 'surveying', rows: lines }
  }
  yield { is: 'surveyed', rows: lines }
  for await (const batch of payloadLines(pieces(), stated)) for (const one of batch) yield readPayloadLine(one, surveys)
}

/** A line that may be a payload. */
interface PayloadLine {
  readonly line: Line
  readonly read: ReturnType<typeof readJsonObject>
  /** Without the reason; undefined when the line is no JSON object. */
  readonly payload: Fields | undefined
  /** The kind of its events, where it is stated. */
  readonly kind: EventKind | undefined
}

/**
 * The lines, without those that only have the reason for rejecting the next. Reasons state the kind
 * of events where nothing else does.
 */
async function* payloadLines(
  pieces: AsyncIterable<string>,
  stated: EventKindName | undefined,
): AsyncGenerator<readonly PayloadLine[]> {
  let next: EventKindName | undefined
  for await (const batch of linesOf(pieces))
    yield batch.flatMap((line) => {
      const read = readJsonObject(line.text)
      const whole: Fields = 'defect' in read ? {} : read.value
      const reasons = eventKindNames.filter((kind) => whole[reasonHeadings[kind]] !== undefined)
      const payload = Object.fromEntries(Object.entries(whole).filter(([name]) => !isReasonHeading(name)))
      const said = reasons.length > 0 ? reasons.find((kind) => kind !== 'receivingEvent') : next
      const isReasonOnly = reasons.length > 0 && Object.keys(payload).length === 0
      next = isReasonOnly ? said : undefined
      if (isReasonOnly) return []
      const name = stated ?? said
      const kind = name && eventKinds[name]
      return [{ line, read, payload: 'defect' in read ? undefined : payload, kind }]
    })
}

function readPayloadLine({ line, read, payload, kind: stated }: PayloadLine, surveys: Surveys): Unnumbered {
  const fault = (text: string): Intake => ({ is: 'fault', text, from: line, kind: stated?.name })
  if ('defect' in read) return fault(`${read.defect} (column ${read.column})`)
  const kind = payload && recordKindOf(payload, stated)
  if (payload === undefined || kind === undefined)
    return fault('This is not a payload: it has neither eventList, locationMasterList nor productMasterDataList.')
  const subjects = subjectsIn(payload, kind)
  const { name } = kind
  return {
    is: 'record',
    kind,
    payload,
    lines: subjects.reduce((sum, { productList }) => sum + (Array.isArray(productList) ? productList.length : 0), 0),
    from: line,
    findings: isEventKind(name) ? repetitions(subjects, line, name, surveys) : [],
    breaches: read.inexactNumbers.map(({ pointer, written }) => ({
      rule: 'shape/number' as const,
      pointer,
      message: `${written.slice(0, 40)} is a number that cannot be stored exactly.`,
    })),
    locate: (pointer) => ({ row: line.number, column: pointer }),
  }
}

/** An error when another line holds one of these events. */
function repetitions(
  events: readonly Fields[],
  { number }: Line,
  kind: EventKindName,
  surveys: Surveys,
): readonly PlacedFinding[] {
  const again = events.map((event) => surveys.of(kind).comesAgainAt({ parts: { event } })).find(Boolean)
  if (again === undefined) return []
  return [
    {
      severity: 'error',
      row: number,
      message: `${again === number ? 'An earlier line' : `Line ${again}`} holds the same event: same ${sharedWords[kind]}.`,
      remedy: 'Keep one payload per event: the last one would overwrite the others.',
    },
  ]
}

/** A survey of the events of each kind: those of two kinds are never the same. */
class Surveys {
  readonly #byKind = ofEventKinds((kind) => new EventSurvey(kind))

  of(kind: EventKindName): EventSurvey {
    return this.#byKind[kind]
  }
}

/** The records of a payload, in any shape. */
function subjectsIn(payload: Fields, { subject }: Pick<RecordKind, 'subject'>): readonly Fields[] {
  const subjects = payload[subject]
  return (Array.isArray(subjects) ? subjects : [subjects]).filter(isFields)
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Sheets

/** Most rows above the headings: titles and empty rows. */
const headingRowsMax = 20

interface UnderstoodSheet extends Recognition {
  readonly sheet: Sheet
  readonly columns: SheetColumns
  readonly headings: readonly string[]
  readonly headingRow: number
  readonly merged: readonly Area[]
  readonly signs: NumberSigns
}

/** Master data is read first, wherever it is: events may refer to it by code. */
const order: readonly Table[] = [locationTable, productTable, ...Object.values(eventTables)]

/** The sheets to read: those named, else all visible ones. */
function* shownSheets(
  sheets: readonly Sheet[],
  { sheets: named }: IntakeOptions,
): Generator<Unnumbered, readonly Sheet[]> {
  if (named !== undefined) {
    const missing = named.find((name) => !sheets.some((sheet) => sheet.name === name))
    if (missing !== undefined)
      throw new UnreadableFile(
        `There is no sheet ${missing}. The workbook has: ${sheets.map(({ name }) => name).join(', ')}.`,
      )
    return sheets.filter(({ name }) => named.includes(name))
  }
  for (const { name } of sheets.filter(({ isHidden }) => isHidden))
    yield {
      is: 'note',
      text: `Sheet ${name} is hidden in the workbook and was not read. To import it, unhide it, or name it as a sheet to read.`,
    }
  return sheets.filter(({ isHidden }) => !isHidden)
}

async function* readSheets(sheets: readonly Sheet[], options: IntakeOptions): AsyncGenerator<Unnumbered> {
  const understood: UnderstoodSheet[] = []
  const unknown: string[] = []
  let canBeMatched = false
  for (const sheet of sheets) {
    const looked = await understand(sheet, options, { isOnly: sheets.length === 1 })
    if (looked === 'help') continue
    if (!('is' in looked)) understood.push(looked)
    else if (sheets.length > 1 && looked.is === 'fault' && looked.columns === undefined) unknown.push(sheet.name)
    else {
      canBeMatched ||= looked.is === 'fault' && looked.columns !== undefined
      yield looked
    }
  }
  if (unknown.length > 0)
    yield {
      is: 'note',
      text: `${unknown.length === 1 ? 'Sheet' : 'Sheets'} ${unknown.join(', ')} ${unknown.length === 1 ? 'was' : 'were'} not read: ${unknown.length === 1 ? 'its' : 'their'} headings do not match a table that can be imported.`,
    }
  if (understood.length === 0) {
    yield {
      is: 'unreadable',
      text: canBeMatched
        ? 'To import the file, match its columns with fields. Or use the headings of the template.'
        : 'Nothing in the file can be imported. The template has the known headings.',
    }
    return
  }
  const inOrder = order.flatMap((table) => understood.filter(({ layout }) => layout.table === table))
  const surveys = new Surveys()
  yield* surveySheets(inOrder, options, surveys)
  const master: MasterSheets = { locations: new Map(), products: new Map() }
  for (const one of inOrder) yield* readSheet(one, options, master, surveys)
}

/**
 * Reads all rows once before returning the first: an event whose rows are apart is sent neither
 * whole nor in part.
 */
async function* surveySheets(
  sheets: readonly UnderstoodSheet[],
  options: IntakeOptions,
  surveys: Surveys,
): AsyncGenerator<Unnumbered> {
  let rows = 0
  const foreign = new Set<string>()
  for (const one of sheets) {
    const { layout, headings } = one
    const kind = eventKindOf(layout.table)
    const survey = kind && surveys.of(kind)
    for await (const batch of rowsOf(one, options, () => undefined)) {
      rows += batch.length
      if (survey !== undefined) for (const row of batch) survey.row(row, (field) => saysItself(row, field, headings))
      if (kind !== undefined && layout.foreign && batch.length > 0) foreign.add(kind)
      yield { is: 'surveying', rows }
    }
    survey?.sheetEnds()
  }
  yield { is: 'surveyed', rows }
  const { dataProviderVendorId: vendor } = options.defaults
  if (foreign.size > 1 && vendor !== undefined)
    yield {
      is: 'note',
      text: `Receiving and shipping events both get the vendor ${vendor}. If they have different vendors, import one kind at a time.`,
    }
}

/** True when a cell of the row, and not a default, sets the field of the event. */
function saysItself({ columnAt, row }: ReadRow, field: string, headings: readonly string[]): boolean {
  const heading = columnAt.get(`event/${field}`)
  return heading !== undefined && Boolean(row.cells[headings.indexOf(heading)]?.text.trim())
}

const hiddenRows: Conversion = {
  kind: 'hidden rows',
  says: 'has rows that are hidden, by hand or by a filter; they are imported like the others. Unhide them to see them, or delete those that are not to be imported',
}

const splitLots: Conversion = {
  kind: 'split lots',
  says: 'has cells with several lot codes and the quantity of each; each lot code is imported as a line of its own',
}

/** The rows below the headings of a sheet, parsed, in batches. */
async function* rowsOf(
  { sheet, headings, headingRow, merged, signs, ...recognition }: UnderstoodSheet,
  options: IntakeOptions,
  tell: Tell,
): AsyncGenerator<readonly ReadRow[]> {
  const reader = new RowReader(
    {
      ...{ recognition, headings, signs, defaults: options.defaults, choices: options },
      separator: () => sheet.delimiter?.(),
    },
    tell,
  )
  const lotColumns = lotColumnsOf(recognition)
  const mends = new SheetMends(options.mends ?? {}, sheet.name, headings)
  let left = options.first?.count ?? Number.POSITIVE_INFINITY
  for await (const batch of sheet.rows()) {
    const below = batch.filter((row) => row.number > headingRow && !isBlank(row)).slice(0, left)
    left -= below.length
    yield below
      .flatMap((row) => mends.mended(row) ?? [])
      .flatMap((whole) => {
        const rows = lotColumns === undefined ? [whole] : rowsOfLots(whole, lotColumns)
        if (rows.length > 1) tell(`column ${headings[lotColumns?.lot ?? 0]}`, splitLots, whole.number)
        return rows
      })
      .flatMap((row) => {
        const one = reader.read(row, mends.given(row.number))
        if (one === undefined) return []
        if (row.isHidden) tell('the sheet', hiddenRows, row.number)
        for (const { name } of merged.filter((area) => area.firstRow <= row.number && row.number <= area.lastRow))
          one.findings.push({
            severity: 'error',
            row: row.number,
            message: `The row is part of the merged cells ${name}, where only the first cell has a value.`,
            remedy: 'Unmerge them and write the value into each row.',
          })
        return one
      })
    if (left === 0) return
  }
}

/** Finds the headings of a sheet and their meanings. */
async function understand(
  sheet: Sheet,
  options: IntakeOptions,
  { isOnly }: { readonly isOnly: boolean },
): Promise<UnderstoodSheet | Intake | 'help'> {
  const { mapping, kind, defaults } = options
  const called = sheet.name === '' ? 'The file' : `Sheet ${sheet.name}`
  const looked: Row[] = []
  for await (const batch of sheet.rows()) {
    looked.push(...batch.filter((row) => !isBlank(row)))
    if (looked.length >= headingRowsMax + comparedRowsMax) break
  }
  const above = looked.slice(0, headingRowsMax)
  for (const row of above) {
    const recognition = recogniseLayout(headingTexts(row), [...ownLayouts, ...foreignLayouts], {
      ...{ sheet: sheet.name, mapping, kind, defaults },
    })
    if (recognition === undefined || isOfEvents(recognition)) continue
    const found = eventKindOf(recognition.layout.table)
    if (kind !== undefined && found !== undefined && found !== kind)
      return {
        is: 'note',
        text: `${called} was not read: it holds ${eventKinds[found].nouns}, and ${eventKinds[kind].nouns} were chosen.`,
      }
    const columns = columnsInQuestion(recognition, valuesBelow(row, looked), sheet.name, options)
    const problems = problemsOf(recognition, columns)
    if (problems.length > 0) return { is: 'fault', text: `${called}: ${problems.join('\n  ')}`, columns }
    return {
      ...{ ...recognition, sheet, columns, headings: recognition.titles, headingRow: row.number },
      merged: await sheet.merged(),
      signs: new NumberSigns(),
    }
  }
  // The sheet of our own template that explains the others.
  if (above.some((row) => headingTexts(row).join('\n') === helpHeadings.join('\n'))) return 'help'
  const first = likelyHeadings(above, mapping)
  if (first === undefined) return { is: 'note', text: `${called} is empty.` }
  const isMapped = mappedIn(headingTexts(first), mapping) > 0
  return {
    is: 'fault',
    text: `${called} was not read: ${isMapped || isMostlyOurs(headingTexts(first)) ? lacking(first, options) : unknownTable}`,
    // One of several sheets may only hold explanations.
    ...((isOnly || isMapped) && { columns: allColumns(valuesBelow(first, looked), sheet.name, options) }),
  }
}

/**
 * True for a sheet of events of another program that has the headings of a table of locations or
 * products, such as "Item code" and "Item description", among others.
 */
const isOfEvents = ({ layout, unknown, titles }: Recognition): boolean =>
  eventKindOf(layout.table) === undefined && unknown.length > 0 && meansEvents(titles)

const unknownTable = 'its headings do not match a known table.'

const headingTexts = (row: Row) => Array.from(row.cells, (cell) => cell?.text)

/** The row that a mapping names most headings of, or that has most headings of the trade. */
function likelyHeadings(rows: readonly Row[], mapping: Mapping | undefined): Row | undefined {
  const scores = rows.map((row) => {
    const texts = headingTexts(row)
    return mappedIn(texts, mapping) * 1_000 + meaningfulIn(titlesOf(texts))
  })
  return rows[scores.indexOf(Math.max(...scores))]
}

/** Why a sheet with a mapping, or with headings of ours, cannot be read. */
function lacking(headings: Row, { mapping, defaults }: IntakeOptions): string {
  const columns = lackingIn(headingTexts(headings), mapping, defaults)
  const named = mapping?.name === undefined ? 'the mapping' : `the mapping ${mapping.name}`
  if (columns.length === 0)
    return mapping === undefined ? unknownTable : `${named} does not make its headings those of a known table.`
  const what = mapping === undefined ? 'no heading means' : `${named} maps no heading to`
  return `${what} ${columns.join(mapping === undefined ? ' or ' : ' or to ')}. Map a heading to ${columns.length === 1 ? 'it' : 'each'}, or give all rows one value for ${columns.length === 1 ? 'it' : 'each'}.`
}

async function* readSheet(
  understood: UnderstoodSheet,
  options: IntakeOptions,
  master: MasterSheets,
  surveys: Surveys,
): AsyncGenerator<Unnumbered> {
  const { sheet, layout, headings, meanings, isOpen, columns } = understood
  if (columns.columns.length > 0) yield columns
  const called = sheet.name === '' ? '' : `Sheet ${sheet.name}: `
  const conversions = new Conversions()
  const left = headings.filter((_, at) => meanings[at] === 'ignored')
  const without = left.length > 0 ? `, without its columns ${left.join(', ')}` : ''
  const fitsBoth =
    isOpen && options.kind === undefined
      ? `. Its headings also fit ${shippingEvent.nouns}: choose the kind if the goods were shipped, not received`
      : ''
  yield {
    is: 'note',
    text: `${called}read as ${layout.name}${without}${layout.note ? `; ${layout.note}` : ''}${fitsBoth}.`,
  }
  const hidden = (await sheet.hiddenColumns?.()) ?? []
  const hiddenTitles = headings.filter(
    (title, at) =>
      title !== '' && meanings[at] !== 'ignored' && hidden.some(([first, last]) => first <= at + 1 && at + 1 <= last),
  )
  if (hiddenTitles.length > 0)
    yield {
      is: 'note',
      text: `${called}hidden columns are imported like the others: ${hiddenTitles.join(', ')}. To leave one out, delete it or leave it out in the mapping.`,
    }
  const tell: Tell = (subject, conversion, row) => conversions.add(`${called}${subject}`, conversion, row)
  let rows = 0
  const kind = eventKindOf(layout.table)
  const headingAt = headingsByField(understood, headings)
  const events = kind && new EventRows({ kind, name: sheet.name, headings, headingAt }, master, surveys.of(kind))
  for await (const batch of rowsOf(understood, options, tell))
    for (const row of batch) {
      rows++
      options.first?.take(row, { sheet: sheet.name, headings })
      const record = events
        ? events.push(row)
        : masterRecord(row, { table: layout.table, sheet: sheet.name, headings, headingAt }, master)
      if (record !== undefined) yield record
    }
  if (rows === 0) {
    yield { is: 'note', text: `${called}there are headings but no rows.` }
    return
  }
  const last = events?.end()
  if (last !== undefined) yield last
  if (events !== undefined) yield* events.gathered()
  for (const text of conversions.lines()) yield { is: 'note', text }
}

interface MasterSheet {
  readonly table: Table
  readonly sheet: string
  readonly headings: readonly string[]
  readonly headingAt: ReadonlyMap<string, string>
}

/** A row of the locations or products, which is a record of its own. */
function masterRecord(
  read: ReadRow,
  { table, sheet, headings, headingAt }: MasterSheet,
  master: MasterSheets,
): Omit<IntakeRecord, 'number'> {
  const { record } = read.parts
  const { dataProviderVendorId: vendor, dataProviderVendorName: _, ...entry } = record
  const known = table === locationTable ? master.locations : master.products
  const key = masterKey(vendor, table === locationTable ? entry.locationCode : entry.itemCode)
  const repeated: PlacedFinding[] = known.has(key)
    ? [
        {
          severity: 'error',
          row: read.row.number,
          message: 'An earlier row has the same vendor and code.',
          remedy: 'Keep one row per vendor and code.',
        },
      ]
    : []
  const from: RowsOfSheet = { sheet, headings, rows: [read.row] }
  if (!known.has(key)) known.set(key, { entry, from })
  const { kind } = table
  return {
    is: 'record',
    kind,
    payload: { [kind.subject]: record },
    lines: 0,
    from,
    findings: [...read.findings, ...repeated],
    breaches: [],
    locate: (pointer) => {
      const [, ...path] = pointer.slice(1).split('/')
      return placingBy(headingAt)(read, 'record', path)
    },
  }
}
