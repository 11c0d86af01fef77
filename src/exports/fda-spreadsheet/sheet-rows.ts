// From the lines of an event to its rows. A row of most sheets is a line. A row of a transformation
// pairs a lot used with a lot made, and one of initial packing food received with a lot packed,
// since all may be in all: whoever filters a sheet by one lot sees all of the other side. Source:
// 21 CFR 1.1330, 1.1350(a); decision 0029.
import type { AnyExportedEvent } from '../exported-event.ts'
import { type EventLine, type ExportFilters, eventLines, lineNameOf } from './event-lines.ts'
import type { KindSheet } from './kind-sheets.ts'

/** A row: a line, or a line of each of two lists. */
export type SheetRow = readonly [EventLine, ...EventLine[]]

/**
 * Most pairs of one event. The lines of a larger one are in rows of their own, so that 5,000 lots
 * used and 5,000 made are no 25 million rows.
 */
export const pairsMax = 1_000

/** The rows of an event that match the filters: of a pair, one of its lines does. */
export function sheetRows(event: AnyExportedEvent, filters: ExportFilters, sheet: KindSheet): readonly SheetRow[] {
  const { takes = () => true, hasNoLots, lists } = sheet
  const ofEvent = eventLines(event, filters)
  if (ofEvent.length === 0) return []
  if (hasNoLots)
    return eventLines(event, {})
      .filter(takes)
      .map((line) => [line])
  const chosen = ofEvent.filter(takes)
  const [list, otherList] = lists
  if (list === undefined || otherList === undefined || chosen.length === 0) return chosen.map((line) => [line])
  const all = eventLines(event, {}).filter(takes)
  const isChosen = new Set(chosen.map(lineNameOf))
  const involved = (list: string) => {
    const isOtherChosen = chosen.some((line) => line.list !== list)
    return all.filter((line) => line.list === list && (isOtherChosen || isChosen.has(lineNameOf(line))))
  }
  const [ones, others] = [involved(list), involved(otherList)]
  const [first, second] = [distinct(ones, sheet), distinct(others, sheet)]
  const pairs = first.lines.length * second.lines.length
  if (pairs === 0 || pairs > pairsMax) return [...ones, ...others].map((line) => [line])
  return [
    ...first.lines.flatMap((one) =>
      second.lines
        .filter((other) => isChosen.has(lineNameOf(one)) || isChosen.has(lineNameOf(other)))
        .map((other): SheetRow => [one, other]),
    ),
    // Read back, lines that are alike in pairs are one. So a second pallet of a lot has a row.
    ...[...first.repeated, ...second.repeated].map((line): SheetRow => [line]),
  ]
}

/** The first of those lines that no cell tells apart, and the others. */
function distinct(lines: readonly EventLine[], { columns }: KindSheet) {
  const known = new Set<string>()
  const repeated: EventLine[] = []
  const first = lines.filter((line) => {
    const cells = JSON.stringify(columns.filter(({ list }) => list === line.list).map(({ cell }) => cell(line)))
    if (!known.has(cells)) return Boolean(known.add(cells))
    repeated.push(line)
    return false
  })
  return { lines: first, repeated }
}

/** The lines of rows, each once. */
export const linesOfRows = (rows: readonly SheetRow[]): readonly EventLine[] => [...new Set(rows.flat())]

/** Most rows that an event with so many lines can have in a sheet. */
export const rowsAtMost = ({ lists }: KindSheet, lines: number): number =>
  lists.length < 2 ? lines : Math.max(lines, Math.min(Math.floor(lines ** 2 / 4), pairsMax + lines))
