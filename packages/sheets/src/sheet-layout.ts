// The layout of a sheet besides its rows: merged areas, hidden columns, and where conditional
// formats apply. Source: ECMA-376 part 1, 18.3.1.
import { attribute, XmlReader } from './read-xml.ts'
import type { Archive } from './read-zip.ts'
import type { Area } from './sheet.ts'

/** Most bytes of one sheet. */
export const sheetLengthMax = 4_096 * 1024 * 1024

const areasMax = 10_000

/** Column of a reference such as `AB12`, counted from 0. */
export function columnOf(reference: string): number {
  let column = 0
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

/**
 * Merged areas follow the rows in the file but are needed before them, so this scans the sheet for
 * them only.
 */
export async function mergedIn(archive: Archive, part: string): Promise<readonly Area[]> {
  const areas = new Map<string, Area>()
  let rest = ''
  for await (const text of archive.text(part, sheetLengthMax)) {
    const looked = rest + text
    if (looked.includes('mergeCell '))
      for (const [, attributes = ''] of looked.matchAll(/<(?:\w+:)?mergeCell( [^<>]*)>/g)) {
        const [name, from, to] = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(attribute(attributes, 'ref') ?? '') ?? []
        if (name !== undefined && areas.size < areasMax)
          areas.set(name, { name, firstRow: Number(from), lastRow: Number(to) })
      }
    rest = looked.slice(-200)
  }
  return [...areas.values()]
}

/** First and last of columns that are hidden or have no width, counted from 1. */
export async function hiddenColumnsIn(
  archive: Archive,
  part: string,
): Promise<readonly (readonly [first: number, last: number])[]> {
  const hidden: (readonly [number, number])[] = []
  let isBeforeRows = true
  const reader = new XmlReader({
    open(name, attributes) {
      if (name === 'sheetData') isBeforeRows = false
      if (name !== 'col' || !isBeforeRows || hidden.length >= areasMax) return
      const isHidden =
        /^(?:1|true)$/.test(attribute(attributes, 'hidden') ?? '') || Number(attribute(attributes, 'width') ?? 1) === 0
      if (isHidden) hidden.push([Number(attribute(attributes, 'min')), Number(attribute(attributes, 'max'))])
    },
    text: () => undefined,
    close: () => undefined,
  })
  for await (const text of archive.text(part, sheetLengthMax)) {
    reader.push(text)
    if (!isBeforeRows) break
  }
  return hidden
}

/** Rows and columns, counted from 1. */
export interface CellArea {
  readonly rows: readonly [first: number, last: number]
  readonly columns: readonly [first: number, last: number]
}

export const isIn = ({ rows, columns }: CellArea, row: number, column: number): boolean =>
  rows[0] <= row && row <= rows[1] && columns[0] <= column && column <= columns[1]

/**
 * Where conditional formats of these numbers apply. They follow the rows too; hardly any workbook
 * has one that changes the number format.
 */
export async function conditionalAreas(
  archive: Archive,
  part: string,
  formats: ReadonlySet<number>,
): Promise<readonly CellArea[]> {
  const areas: CellArea[] = []
  if (formats.size === 0) return areas
  let range = ''
  const reader = new XmlReader({
    open(name, attributes) {
      if (name === 'conditionalFormatting') range = attribute(attributes, 'sqref') ?? ''
      else if (name === 'cfRule' && formats.has(Number(attribute(attributes, 'dxfId') ?? -1)))
        for (const reference of range.split(' ').slice(0, areasMax - areas.length)) areas.push(areaOf(reference))
    },
    text: () => undefined,
    close: () => undefined,
  })
  for await (const text of archive.text(part, sheetLengthMax)) reader.push(text)
  return areas
}

/** `A2:B9`, `A2`; also `A:B` and `2:9`, whole columns or rows. */
function areaOf(reference: string): CellArea {
  const [first = '', last = first] = reference.replaceAll('$', '').split(':')
  const rowOf = (text: string, otherwise: number) => Number(/^[A-Z]*(\d+)$/.exec(text)?.[1] ?? otherwise)
  const columnAt = (text: string, otherwise: number) => (/^[A-Z]/.test(text) ? columnOf(text) + 1 : otherwise)
  return {
    rows: [rowOf(first, 1), rowOf(last, Number.POSITIVE_INFINITY)],
    columns: [columnAt(first, 1), columnAt(last, Number.POSITIVE_INFINITY)],
  }
}
