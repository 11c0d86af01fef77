// An XLSX workbook, read while it is decompressed: its sheets row by row, in constant memory except
// for its shared texts. Cells keep what the file has: text, number, date, and whether a formula
// computed it. Source: ECMA-376 part 1, SpreadsheetML.
import type { ImportFile } from './import-file.ts'
import { type NumberFormat, numberFormat, type Shown } from './number-format.ts'
import { attribute, type XmlEvents, XmlReader } from './read-xml.ts'
import { type Archive, openArchive } from './read-zip.ts'
import { dateOfSerial } from './serial-date.ts'
import type { Cell, Row, Sheet } from './sheet.ts'
import {
  type CellArea,
  columnOf,
  conditionalAreas,
  hiddenColumnsIn,
  isIn,
  mergedIn,
  sheetLengthMax,
} from './sheet-layout.ts'
import { UnreadableFile } from './unreadable-file.ts'

const megabyte = 1024 * 1024
const smallPartMax = 32 * megabyte
const sharedTextsMax = 256 * megabyte
const sharedTextCountMax = 5_000_000

/** Limits of spreadsheet programs. */
const rowsMax = 1_048_576
const columnsMax = 16_384

/** Most characters shown of a formula without a value. */
const formulaKept = 100

interface Looks {
  readonly sharedTexts: readonly string[]
  readonly styles: readonly CellStyle[]
  /** Conditional formats that change the number format, by their number. */
  readonly conditional: ReadonlySet<number>
  readonly countsFrom1904: boolean
}

interface CellStyle {
  readonly format: NumberFormat
  /** True when a person marked the cell as text. */
  readonly isText: boolean
}

export async function openWorkbook(file: ImportFile): Promise<readonly Sheet[]> {
  const archive = await openArchive(file)
  if (!archive.has('xl/workbook.xml')) throw new UnreadableFile(`The file is ${otherArchive(archive)}`)
  const { sheets, countsFrom1904 } = await readSheetList(archive)
  const targets = await readTargets(archive)
  const looks: Looks = {
    sharedTexts: await readSharedTexts(archive),
    ...(await readStyles(archive)),
    countsFrom1904,
  }
  return sheets.flatMap(({ name, relation, isHidden }) => {
    const part = targets.get(relation)
    if (part === undefined || !part.includes('worksheets/')) return []
    return [
      {
        name,
        isHidden,
        rows: () => rowsOf(archive, part, looks, name),
        merged: () => mergedIn(archive, part),
        hiddenColumns: () => hiddenColumnsIn(archive, part),
      },
    ]
  })
}

/** The kind of an archive that is no XLSX workbook, and the remedy. */
function otherArchive(archive: Archive): string {
  const others = [
    ['content.xml', 'an OpenDocument file (.ods). Open it in a spreadsheet program and save it as XLSX.'],
    ['xl/workbook.bin', 'a binary workbook (.xlsb). Open it in Excel and save it as "Excel Workbook (.xlsx)".'],
    ['word/document.xml', 'a Word document. Copy its table into a spreadsheet and save it as XLSX.'],
    ['Index/Document.iwa', 'a document of Numbers or Pages. Export it to Excel (.xlsx).'],
  ] as const
  return (
    others.find(([part]) => archive.has(part))?.[1] ??
    'a ZIP archive, not an XLSX workbook. Unpack it, and import what is in it.'
  )
}

async function readPart(archive: Archive, part: string, bytesMax: number, events: XmlReader): Promise<void> {
  for await (const text of archive.text(part, bytesMax)) events.push(text)
}

const ignore = () => undefined

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

async function readSheetList(archive: Archive) {
  const sheets: { readonly name: string; readonly relation: string; readonly isHidden: boolean }[] = []
  let countsFrom1904 = false
  const open = (name: string, attributes: string) => {
    if (name === 'workbookPr') countsFrom1904 = isTrue(attribute(attributes, 'date1904'))
    if (name !== 'sheet') return
    sheets.push({
      name: attribute(attributes, 'name') ?? '',
      // `r:id`; sheetId has another name.
      relation: attribute(attributes, 'r:id') ?? attribute(attributes, 'id') ?? '',
      isHidden: /^(hidden|veryHidden)$/.test(attribute(attributes, 'state') ?? ''),
    })
  }
  await readPart(archive, 'xl/workbook.xml', smallPartMax, new XmlReader({ open, text: ignore, close: ignore }))
  return { sheets, countsFrom1904 }
}

/** Names of the parts, by the id of their relation. */
async function readTargets(archive: Archive): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>()
  const open = (name: string, attributes: string) => {
    const target = attribute(attributes, 'Target')
    if (name !== 'Relationship' || target === undefined) return
    targets.set(
      attribute(attributes, 'Id') ?? '',
      target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`,
    )
  }
  const part = 'xl/_rels/workbook.xml.rels'
  await readPart(archive, part, smallPartMax, new XmlReader({ open, text: ignore, close: ignore }))
  return targets
}

async function readSharedTexts(archive: Archive): Promise<readonly string[]> {
  const part = 'xl/sharedStrings.xml'
  const texts: string[] = []
  if (!archive.has(part)) return texts
  let text = ''
  let inText = false
  let phonetic = false
  const reader = new XmlReader({
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic = true
      else if (name === 't') inText = !phonetic
    },
    text(more) {
      if (inText) text += more
    },
    close(name) {
      if (name === 'si' && texts.push(text) > sharedTextCountMax)
        throw new UnreadableFile(`The workbook has more than ${sharedTextCountMax} texts. Split it, or import CSV.`)
      if (name === 'rPh') phonetic = false
      else if (name === 't') inText = false
    },
  })
  await readPart(archive, part, sharedTextsMax, reader)
  return texts
}

/** The style of each cell format, in the order in which cells refer to them. */
async function readStyles(archive: Archive): Promise<Pick<Looks, 'styles' | 'conditional'>> {
  const part = 'xl/styles.xml'
  const conditional = new Set<number>()
  if (!archive.has(part)) return { styles: [], conditional }
  const codes = new Map<number, string>()
  const xfs = { cellXfs: [] as string[], cellStyleXfs: [] as string[] }
  let list: string[] | undefined
  let dxf = -1
  const reader = new XmlReader({
    open(name, attributes) {
      if (name === 'dxf') dxf++
      else if (name === 'numFmt' && dxf >= 0) conditional.add(dxf)
      else if (name === 'numFmt')
        codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
      else if (name === 'cellXfs' || name === 'cellStyleXfs') list = xfs[name]
      else if (name === 'xf') list?.push(attributes)
    },
    text: ignore,
    close(name) {
      if (name === 'cellXfs' || name === 'cellStyleXfs') list = undefined
    },
  })
  await readPart(archive, part, smallPartMax, reader)
  const formats = new Map<number, NumberFormat>()
  const formatOf = (id: number) => {
    const format = formats.get(id) ?? numberFormat(id, codes.get(id))
    formats.set(id, format)
    return format
  }
  const styles = xfs.cellXfs.map((attributes) => {
    // A cell format without a number format has that of its cell style.
    const parent = xfs.cellStyleXfs[Number(attribute(attributes, 'xfId') ?? -1)] ?? ''
    const id = Number(attribute(attributes, 'numFmtId') ?? attribute(parent, 'numFmtId') ?? 0)
    return {
      format: formatOf(id),
      isText: (codes.get(id) ?? (id === 49 ? '@' : '')) === '@' || attribute(attributes, 'quotePrefix') === '1',
    }
  })
  return { styles, conditional }
}

async function* rowsOf(archive: Archive, part: string, looks: Looks, sheet: string): AsyncGenerator<readonly Row[]> {
  const rows = new SheetRows(looks, await conditionalAreas(archive, part, looks.conditional), sheet)
  const reader = new XmlReader(rows)
  for await (const text of archive.text(part, sheetLengthMax)) {
    reader.push(text)
    const read = rows.take()
    if (read.length > 0) yield read
  }
}

/** The rows of a sheet from the elements of its XML. */
class SheetRows implements XmlEvents {
  readonly #looks: Looks
  readonly #conditional: readonly CellArea[]
  readonly #sheet: string
  #rows: Row[] = []
  #cells: (Cell | undefined)[] = []
  #number = 0
  #isHidden = false
  #column = -1
  #type: string | undefined
  #style = 0
  #formula: string | undefined
  #value = ''
  #inValue = false
  #inFormula = false
  #inPhonetic = false

  constructor(looks: Looks, conditional: readonly CellArea[], sheet: string) {
    this.#looks = looks
    this.#conditional = conditional
    this.#sheet = sheet
  }

  /** The rows that ended since the last call. */
  take(): readonly Row[] {
    const rows = this.#rows
    if (rows.length > 0) this.#rows = []
    return rows
  }

  open(name: string, attributes: string): void {
    if (name === 'c') this.#openCell(attributes)
    else if (name === 'v' || name === 't') this.#inValue = !this.#inPhonetic
    else if (name === 'row') this.#openRow(attributes)
    else if (name === 'f') {
      this.#formula = '='
      this.#inFormula = true
    } else if (name === 'rPh') this.#inPhonetic = true
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text
    else if (this.#inFormula && this.#formula !== undefined && this.#formula.length < formulaKept) this.#formula += text
  }

  close(name: string): void {
    if (name === 'c') this.#closeCell()
    else if (name === 'v' || name === 't') this.#inValue = false
    else if (name === 'row')
      this.#rows.push({ number: this.#number, cells: this.#cells, ...(this.#isHidden && { isHidden: true }) })
    else if (name === 'f') this.#inFormula = false
    else if (name === 'rPh') this.#inPhonetic = false
  }

  #openRow(attributes: string): void {
    const written = attribute(attributes, 'r')
    this.#number = written === undefined ? this.#number + 1 : Number(written)
    if (!(this.#number >= 1 && this.#number <= rowsMax)) throw this.#impossible('row', written ?? this.#number)
    this.#isHidden = isTrue(attribute(attributes, 'hidden')) || Number(attribute(attributes, 'ht') ?? 1) === 0
    this.#cells = []
    this.#column = -1
  }

  #openCell(attributes: string): void {
    const reference = attribute(attributes, 'r')
    this.#column = reference === undefined ? this.#column + 1 : columnOf(reference)
    if (!(this.#column >= 0 && this.#column < columnsMax)) throw this.#impossible('cell', reference ?? this.#column)
    this.#type = attribute(attributes, 't')
    this.#style = Number(attribute(attributes, 's') ?? 0)
    this.#formula = undefined
    this.#value = ''
  }

  #closeCell(): void {
    const read = cellOf(this.#type, this.#style, this.#value, this.#looks)
    const cell =
      read?.is === 'number' && this.#conditional.some((area) => isIn(area, this.#number, this.#column + 1))
        ? { ...read, unsure: 'has a conditional format that may show another text' }
        : read
    const formula = this.#formula
    // A formula may compute an empty text; one without a value was never computed.
    if (cell === undefined && (formula === undefined || this.#type === 'str')) return
    while (this.#cells.length < this.#column) this.#cells.push(undefined)
    this.#cells[this.#column] =
      cell === undefined
        ? { text: formula ?? '', is: 'uncomputed' }
        : formula === undefined
          ? cell
          : { ...cell, formula: true }
  }

  #impossible(what: string, named: string | number): UnreadableFile {
    return new UnreadableFile(`Sheet ${this.#sheet} has a ${what} ${named}, which a spreadsheet cannot have.`)
  }
}

function cellOf(type: string | undefined, style: number, value: string, looks: Looks): Cell | undefined {
  switch (type) {
    case 's':
      return textCell(looks.sharedTexts[Number(value)] ?? '', looks.styles[style])
    case 'str':
    case 'inlineStr':
      return textCell(value, looks.styles[style])
    case 'b':
      return { text: value === '1' ? 'true' : 'false', is: 'boolean' }
    case 'e':
      return { text: value, is: 'error' }
    case 'd':
      return { text: value, is: 'date' }
    default: {
      if (value === '') return undefined
      const number = Number(value)
      return Number.isFinite(number)
        ? numberCell(value, number, looks.styles[style]?.format ?? general, looks)
        : { text: value, is: 'text' }
    }
  }
}

const general = numberFormat(0, undefined)

function textCell(value: string, style: CellStyle | undefined): Cell | undefined {
  if (value === '') return undefined
  const text = plain(value)
  return {
    text,
    is: 'text',
    ...(style?.isText && { isMarked: true }),
    ...(style !== undefined && differing(style.format.ofText(text), text)),
  }
}

function numberCell(value: string, number: number, format: NumberFormat, { countsFrom1904 }: Looks): Cell {
  if (format.isDate) {
    const text = dateOfSerial(number, { countsFrom1904 })
    const shown = format.ofDate(text)
    return { text, is: 'date', ...(shown !== undefined && { shown }) }
  }
  const text = Number.isSafeInteger(number) ? String(number) : shortest(value, number)
  return {
    ...{ text, is: 'number', ...differing(format.ofNumber(number), text) },
    ...(countsFrom1904 && { countsFrom1904 }),
  }
}

/** The displayed text of a cell, where it differs from the stored one. */
function differing(shown: Shown, text: string): Pick<Cell, 'shown' | 'isGrouped' | 'unsure'> {
  if ('unsure' in shown) return { unsure: shown.unsure }
  return { ...(shown.text !== text && { shown: shown.text }), ...(shown.isGrouped && { isGrouped: true }) }
}

/** Text with the characters that spreadsheets write as `_x000D_`. */
const plain = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/**
 * As written, unless that is only how a double is printed in full: 0.1 is saved as
 * 0.10000000000000001.
 */
const shortest = (written: string, number: number): string => {
  const rounded = Number(number.toPrecision(15))
  return /e/i.test(written) && Math.abs(number) >= 1e15 ? written : String(rounded)
}
