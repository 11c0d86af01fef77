// An XLSX workbook, made while it is read: sheets in, bytes out, one batch of rows in memory at a
// time.
//
// Text is in the cells themselves and never in a table of shared strings, which would have to
// be kept to the end. There are no formulas: whatever text says, it is a text cell. Source:
// ECMA-376 part 1, SpreadsheetML.
import { columnLetters } from './sheet.ts'
import { type Packing, type ZipEntry, zip } from './write-zip.ts'

type CellStyle = 'text' | 'title' | 'heading' | 'wrapped' | 'gap'

/**
 * Text unchanged (at most 32,767 characters), a number, a calendar date (`yyyy-MM-dd`), or a value
 * with a style; undefined is an empty cell.
 */
export type WrittenCell =
  | string
  | number
  | { readonly date: string }
  | { readonly style: CellStyle; readonly text?: string }
  | undefined

export interface WrittenSheet {
  /** At most 31 characters. */
  readonly name: string
  /** Width of each column, in characters. */
  readonly widths: readonly number[]
  /** Rows that stay visible while the others scroll. */
  readonly frozenRows?: number
  /** Number of columns, from the first, with a filter. */
  readonly filteredColumns?: number
  readonly rows: Iterable<readonly WrittenCell[]> | AsyncIterable<Iterable<readonly WrittenCell[]>>
  /** True for a sheet that may take more than 4 GiB of XML. */
  readonly large?: boolean
  /** True where text that a person types into an empty cell stays text. */
  readonly isText?: boolean
}

export interface WorkbookProperties {
  readonly title: string
  /** The program that created it. */
  readonly creator: string
  readonly madeAt: Date
  /** Index of the sheet shown first. */
  readonly openAt: number
}

const xmlStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaging = 'http://schemas.openxmlformats.org/package/2006'

/** The parts of the archive. The same sheets, properties and time give the same bytes. */
export function workbook(
  sheets: readonly WrittenSheet[],
  properties: WorkbookProperties,
  packing: Packing,
): AsyncGenerator<Uint8Array> {
  return zip(workbookParts(sheets, properties), properties.madeAt, packing)
}

function* workbookParts(sheets: readonly WrittenSheet[], properties: WorkbookProperties): Generator<ZipEntry> {
  const part = (name: string, xml: string): ZipEntry => ({ name, parts: [xmlStart, xml] })
  const sheetPath = (index: number) => `worksheets/sheet${index + 1}.xml`
  yield part('[Content_Types].xml', contentTypes(sheets.map((_, index) => `/xl/${sheetPath(index)}`)))
  yield part(
    '_rels/.rels',
    relationships([
      [`${relations}/officeDocument`, 'xl/workbook.xml'],
      [`${packaging}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    ]),
  )
  yield part('docProps/core.xml', coreProperties(properties))
  yield part(
    'xl/_rels/workbook.xml.rels',
    relationships([
      ...sheets.map((_, index): [string, string] => [`${relations}/worksheet`, sheetPath(index)]),
      [`${relations}/styles`, 'styles.xml'],
    ]),
  )
  yield part('xl/styles.xml', styles)
  const rowCounts: number[] = []
  for (const [index, sheet] of sheets.entries())
    yield {
      name: `xl/${sheetPath(index)}`,
      parts: sheetXml(sheet, index === properties.openAt, (count) => rowCounts.push(count)),
      ...(sheet.large && { large: true }),
    }
  yield part('xl/workbook.xml', workbookXml(sheets, properties.openAt, rowCounts))
}

// Sheets

async function* sheetXml(sheet: WrittenSheet, shown: boolean, counted: (rows: number) => void): AsyncGenerator<string> {
  const { widths, frozenRows = 0, filteredColumns, isText, rows } = sheet
  const columnStyle = isText ? ` style="${styleIndex.text}"` : ''
  const pane =
    frozenRows > 0
      ? `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/>`
      : ''
  yield `${xmlStart}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"${shown ? ' tabSelected="1"' : ''}>${pane}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>` +
    `<cols>${widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}"${columnStyle} customWidth="1"/>`).join('')}</cols><sheetData>`
  let number = 0
  let xml = ''
  for await (const batch of inBatches(rows)) {
    for (const row of batch) xml += rowXml(row, ++number, widths)
    if (xml.length < partLengthMin) continue
    yield xml
    xml = ''
  }
  yield xml
  counted(number)
  const filter =
    filteredColumns === undefined ? '' : `<autoFilter ref="A1:${columnLetters(filteredColumns)}${number}"/>`
  yield `</sheetData>${filter}<pageMargins left="0.5" right="0.5" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup orientation="landscape"/></worksheet>`
}

/** Each call of the compressor costs time, so small batches are combined. */
const partLengthMin = 65_536

const inBatches = (
  rows: WrittenSheet['rows'],
): Iterable<Iterable<readonly WrittenCell[]>> | AsyncIterable<Iterable<readonly WrittenCell[]>> =>
  Symbol.asyncIterator in rows ? rows : [rows]

function rowXml(row: readonly WrittenCell[], number: number, widths: readonly number[]): string {
  let [xml, lines] = ['', 1]
  for (let i = 0; i < row.length; i++) {
    const cell = row[i]
    if (cell === undefined) continue
    xml += cellXml(cell, `${columnLetters(i + 1)}${number}`)
    if (typeof cell === 'object' && 'style' in cell && cell.text !== undefined)
      lines = Math.max(lines, linesOf(cell.text, cell.style === 'title' ? Number.POSITIVE_INFINITY : (widths[i] ?? 10)))
  }
  const height = Math.min(lines * lineHeight, heightMax)
  return `<row r="${number}"${lines > 1 ? ` ht="${height}" customHeight="1"` : ''}>${xml}</row>`
}

/**
 * In points. Not every program measures wrapped text when it opens a file, so rows state their
 * height.
 */
const lineHeight = 15
const heightMax = 405

/**
 * Number of lines of wrapped text in a column; bold text is wider than the digits that widths are
 * counted in.
 */
const linesOf = (text: string, width: number): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil((1.15 * line.length) / width)), 0)

function cellXml(cell: WrittenCell & {}, at: string): string {
  if (typeof cell === 'string') return textXml(cell, at, styleIndex.text)
  if (typeof cell === 'number') return `<c r="${at}" s="${numberStyle}"><v>${cell}</v></c>`
  if ('style' in cell)
    return cell.text === undefined
      ? `<c r="${at}" s="${styleIndex[cell.style]}"/>`
      : textXml(cell.text, at, styleIndex[cell.style])
  const serial = dateSerial(cell.date)
  return serial === undefined
    ? textXml(shownDate(cell.date), at, styleIndex.text)
    : `<c r="${at}" s="${dateStyle}"><v>${serial}</v></c>`
}

const textXml = (text: string, at: string, style: number): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`

/** A date as its cell shows it: `mm/dd/yyyy`. */
export function shownDate(date: string): string {
  const [year, month, day] = date.split('-')
  return `${month}/${day}/${year}`
}

const millisecondsPerDay = 86_400_000
const dayZero = Date.UTC(1899, 11, 30)
/**
 * Before this day the day counts of spreadsheets are wrong or negative, since they count 1900 as a
 * leap year.
 */
const firstSerial = 61

/** The day count of a date in spreadsheets, or undefined where theirs is wrong. */
function dateSerial(date: string): number | undefined {
  const serial = (Date.parse(`${date}T00:00:00Z`) - dayZero) / millisecondsPerDay
  return serial >= firstSerial ? serial : undefined
}

const needsEscape = /[&<>_\p{Cc}\p{Cs}\uFFFE\uFFFF]/u

/**
 * Text in XML. Characters that XML 1.0 cannot contain, and a carriage return, which it would
 * change, become `_xHHHH_`, as spreadsheets write and read it; text that looks like such an escape
 * has its underscore escaped.
 */
function escapeXml(text: string): string {
  if (!needsEscape.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(
      xmlForbidden,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/**
 * Characters that XML cannot contain, and underscores that would begin an escape, whether in the
 * text or created here.
 */
const xmlForbidden = /[^\P{Cc}\t\n]|[\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}(?:_|[^\P{Cc}\t\n]|[\uFFFE\uFFFF]))/gu

const attribute = (text: string): string => escapeXml(text).replaceAll('"', '&quot;')

// The parts around the sheets

const contentTypes = (sheetPaths: readonly string[]): string => {
  const base = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const override = (path: string, type: string) => `<Override PartName="${path}" ContentType="${type}"/>`
  return (
    `<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>${override('/xl/workbook.xml', `${base}.sheet.main+xml`)}` +
    `${override('/xl/styles.xml', `${base}.styles+xml`)}${sheetPaths.map((path) => override(path, `${base}.worksheet+xml`)).join('')}` +
    `${override('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml')}</Types>`
  )
}

const relationships = (all: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${packaging}/relationships">${all
    .map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const coreProperties = ({ title, creator, madeAt }: WorkbookProperties): string =>
  `<cp:coreProperties xmlns:cp="${packaging}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
  `<dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(creator)}</dc:creator>` +
  `<dcterms:created xsi:type="dcterms:W3CDTF">${madeAt.toISOString().slice(0, 19)}Z</dcterms:created></cp:coreProperties>`

function workbookXml(sheets: readonly WrittenSheet[], openAt: number, rowCounts: readonly number[]): string {
  const filters = sheets.flatMap(({ name, filteredColumns }, i) =>
    filteredColumns === undefined
      ? []
      : [
          `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">${escapeXml(quoteName(name))}!$A$1:$${columnLetters(filteredColumns)}$${rowCounts[i] ?? 1}</definedName>`,
        ],
  )
  return (
    `<workbook xmlns="${main}" xmlns:r="${relations}"><bookViews><workbookView activeTab="${openAt}"/></bookViews>` +
    `<sheets>${sheets.map(({ name }, i) => `<sheet name="${attribute(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets>` +
    `${filters.length > 0 ? `<definedNames>${filters.join('')}</definedNames>` : ''}</workbook>`
  )
}

const quoteName = (name: string): string => `'${name.replaceAll("'", "''")}'`

/** Indexes into `cellXfs` below. */
const numberStyle = 1
const dateStyle = 2
const styleIndex: Readonly<Record<CellStyle, number>> = { text: 3, heading: 4, gap: 5, wrapped: 6, title: 7 }

/** Format 49 is text, and the quote prefix keeps it text when a person edits the cell. */
const styles =
  `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="mm/dd/yyyy"/></numFmts>` +
  `<fonts count="3"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font>` +
  `<font><b/><sz val="16"/><name val="Calibri"/><family val="2"/></font></fonts>` +
  `<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>` +
  `<fill><patternFill patternType="solid"><fgColor rgb="FFDCE6F1"/><bgColor indexed="64"/></patternFill></fill>` +
  `<fill><patternFill patternType="solid"><fgColor rgb="FFFFD966"/><bgColor indexed="64"/></patternFill></fill></fills>` +
  `<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>` +
  `<border><left style="thin"><color rgb="FFB7B7B7"/></left><right style="thin"><color rgb="FFB7B7B7"/></right><top/><bottom style="medium"><color rgb="FF7F7F7F"/></bottom><diagonal/></border></borders>` +
  `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="8">` +
  `<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
  `<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
  `<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
  `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/>` +
  `<xf numFmtId="49" fontId="1" fillId="2" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>` +
  `<xf numFmtId="49" fontId="0" fillId="3" borderId="0" xfId="0" applyNumberFormat="1" applyFill="1"/>` +
  `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1" quotePrefix="1"><alignment vertical="top" wrapText="1"/></xf>` +
  `<xf numFmtId="49" fontId="2" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
  `</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
