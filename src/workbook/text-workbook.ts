// An XLSX workbook of text cells, made while it is read: for templates and rejected rows. Every cell is text, so that no
// program takes zeros from a code or runs what begins with "=". Source: ECMA-376 part 1; APPNOTE.TXT 6.3.10.
import { transformed } from './transformed.ts'

export interface TextSheet {
  /** At most 31 characters. */
  readonly name: string
  /** First the headings. */
  readonly rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>
  /** Widths of the columns, in characters. */
  readonly widths?: readonly number[]
}

const xmlStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaging = 'http://schemas.openxmlformats.org/package/2006'

/** Style 1 is bold, for headings; both are text (format 49). */
const styles = `${xmlStart}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`

/** The bytes of the workbook; a sheet's rows are asked for when its turn comes. */
export async function* workbookBytes(sheets: readonly TextSheet[]): AsyncGenerator<Uint8Array> {
  const number = sheets.map((sheet, i) => ({ sheet, id: i + 1 }))
  const list = (one: (entry: (typeof number)[number]) => string) => number.map(one).join('')
  const parts: (readonly [name: string, text: Iterable<string> | AsyncIterable<string>])[] = [
    [
      '[Content_Types].xml',
      [
        `${xmlStart}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${list(({ id }) => `<Override PartName="/xl/worksheets/sheet${id}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)}</Types>`,
      ],
    ],
    [
      '_rels/.rels',
      [
        `${xmlStart}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ],
    ],
    [
      'xl/workbook.xml',
      [
        `${xmlStart}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${list(({ sheet, id }) => `<sheet name="${escaped(sheet.name)}" sheetId="${id}" r:id="rId${id}"/>`)}</sheets></workbook>`,
      ],
    ],
    [
      'xl/_rels/workbook.xml.rels',
      [
        `${xmlStart}<Relationships xmlns="${packaging}/relationships">${list(({ id }) => `<Relationship Id="rId${id}" Type="${relations}/worksheet" Target="worksheets/sheet${id}.xml"/>`)}<Relationship Id="rId${sheets.length + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
      ],
    ],
    ['xl/styles.xml', [styles]],
    ...number.map(({ sheet, id }) => [`xl/worksheets/sheet${id}.xml`, sheetText(sheet)] as const),
  ]
  yield* archiveBytes(parts)
}

async function* sheetText({ rows, widths = [] }: TextSheet): AsyncGenerator<string> {
  const columns = widths.map(
    (width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" style="0" customWidth="1"/>`,
  )
  yield `${xmlStart}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>`
  let number = 0
  for await (const cells of rows) {
    const style = ++number === 1 ? ' s="1"' : ''
    yield `<row r="${number}">${cells
      .map((cell) =>
        cell === '' ? '<c/>' : `<c${style} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`,
      )
      .join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text in XML; characters that XML cannot hold are written as spreadsheets write them, `_x0001_`. */
const escaped = (text: string): string =>
  text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
    .replaceAll(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones XML cannot hold
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    )

const encoder = new TextEncoder()

/** Sizes follow each entry (bit 3); names are UTF-8 (bit 11). */
const flags = 0x0808
/** 1 January 1980, the first day an archive can name: the same rows make the same bytes. */
const date = 0x0021

async function* archiveBytes(
  parts: readonly (readonly [name: string, text: Iterable<string> | AsyncIterable<string>])[],
): AsyncGenerator<Uint8Array> {
  const written: { name: Uint8Array; crc: number; compressed: number; size: number; offset: number }[] = []
  let offset = 0
  const counted = (bytes: Uint8Array) => {
    offset += bytes.length
    return bytes
  }
  for (const [partName, text] of parts) {
    const entry = { name: encoder.encode(partName), crc: 0, compressed: 0, size: 0, offset }
    yield counted(
      fields(
        [4, 0x04034b50],
        [2, 20],
        [2, flags],
        [2, 8],
        [2, 0],
        [2, date],
        [4, 0],
        [4, 0],
        [4, 0],
        [2, entry.name.length],
        [2, 0],
      ),
    )
    yield counted(entry.name)
    let crc = 0xffff_ffff
    const bytes = async function* () {
      for await (const piece of batched(text)) {
        const encoded = encoder.encode(piece)
        crc = crcAfter(crc, encoded)
        entry.size += encoded.length
        yield encoded
      }
    }
    for await (const piece of transformed(bytes(), new CompressionStream('deflate-raw'))) {
      entry.compressed += piece.length
      yield counted(piece)
    }
    entry.crc = (crc ^ 0xffff_ffff) >>> 0
    yield counted(fields([4, 0x08074b50], [4, entry.crc], [4, entry.compressed], [4, entry.size]))
    written.push(entry)
  }
  const start = offset
  for (const { name, crc, compressed, size, offset: at } of written) {
    yield counted(
      fields(
        [4, 0x02014b50],
        [2, 20],
        [2, 20],
        [2, flags],
        [2, 8],
        [2, 0],
        [2, date],
        [4, crc],
        [4, compressed],
        [4, size],
        [2, name.length],
        [2, 0],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, at],
      ),
    )
    yield counted(name)
  }
  yield fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, written.length],
    [2, written.length],
    [4, offset - start],
    [4, start],
    [2, 0],
  )
}

/** Small pieces together: each call of the compressor costs. */
async function* batched(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let batch = ''
  for await (const piece of pieces) {
    batch += piece
    if (batch.length < 65_536) continue
    yield batch
    batch = ''
  }
  yield batch
}

/** Numbers of so many bytes each, the lowest first. */
function fields(...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(numbers.reduce((sum, [length]) => sum + length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [length, value] of numbers) {
    if (length === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += length
  }
  return bytes
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
  return crc
})

function crcAfter(before: number, bytes: Uint8Array): number {
  let crc = before
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return crc
}
