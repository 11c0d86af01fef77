// Workbooks as XML, with what programs write and libraries do not: number formats, styles, hidden
// rows and columns.
import { strToU8, zipSync } from 'fflate'

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A number with its format, a cell as XML, or a text. */
export type RawCell = string | { readonly value: number | string; readonly format: string } | { readonly xml: string }

export interface RawSheet {
  readonly rows: readonly (readonly RawCell[])[]
  /** Attributes of the rows, by number. */
  readonly rowAttributes?: Readonly<Record<number, string>>
  /** XML in front of the rows, such as `<cols>`. */
  readonly before?: string
  /** XML behind the rows. */
  readonly after?: string
  /** In place of the styles that the formats of the cells give. */
  readonly styles?: string
  readonly workbookPr?: string
}

export function rawWorkbook({
  rows,
  rowAttributes = {},
  before = '',
  after = '',
  styles,
  workbookPr = '',
}: RawSheet): Uint8Array {
  const formats: string[] = ['General']
  const styleOf = (format: string) => {
    if (!formats.includes(format)) formats.push(format)
    return formats.indexOf(format)
  }
  const cellXml = (cell: RawCell): string => {
    if (typeof cell === 'string')
      return cell === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
    if ('xml' in cell) return cell.xml
    const style = styleOf(cell.format)
    return typeof cell.value === 'number'
      ? `<c s="${style}"><v>${cell.value}</v></c>`
      : `<c s="${style}" t="inlineStr"><is><t>${escaped(cell.value)}</t></is></c>`
  }
  const sheet = rows
    .map((cells, at) => `<row r="${at + 1}" ${rowAttributes[at + 1] ?? ''}>${cells.map(cellXml).join('')}</row>`)
    .join('')
  const ids = formats.map((format, at) => (/^#\d+$/.test(format) ? Number(format.slice(1)) : 164 + at))
  const declared = formats.map((format, at) =>
    format.startsWith('#') && /^#\d+$/.test(format)
      ? ''
      : `<numFmt numFmtId="${ids[at]}" formatCode="${escaped(format)}"/>`,
  )
  const files: Record<string, string> = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml': `<workbook ${main} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${workbookPr}<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet ${main}>${styles ?? `<numFmts>${declared.join('')}</numFmts><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs>${ids.map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs>`}</styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}>${before}<sheetData>${sheet}</sheetData>${after}</worksheet>`,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)])))
}
