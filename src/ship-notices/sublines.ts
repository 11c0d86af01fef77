// Parts of a line (SLN) that have lots of their own: each becomes a line.

import { errorAt, type X12Finding } from 'lotkeeper-x12/finding'
import { type Placed, pairsOf, placed } from 'lotkeeper-x12/segment-values'
import type { Segment } from 'lotkeeper-x12/segments'
import { codesOf } from './notice-elements.ts'

const lots = new Set(codesOf('SLN', 'productList.caseLotNumber'))

interface DividedLine {
  readonly lots: readonly Placed[]
  readonly quantity: Placed | undefined
  readonly unit: Placed | undefined
}

interface Part {
  readonly lot: Placed
  readonly quantity: Placed | undefined
  readonly unit: Placed | undefined
}

/**
 * The line, or a line for each part where their quantities are all of the line's. Otherwise the
 * lots are those of the line: several are refused, as their shares are unknown.
 */
export function linesOfParts<Line extends DividedLine>(
  line: Line,
  segments: readonly Segment[],
  findings: X12Finding[],
): readonly Line[] {
  const parts = segments.flatMap((sln): Part[] => {
    const lot = sln.id === 'SLN' ? pairsOf(sln).find(({ qualifier }) => lots.has(qualifier)) : undefined
    return lot === undefined ? [] : [{ lot, quantity: placed(sln, 4), unit: placed(sln, 5) }]
  })
  const [first] = parts
  if (first === undefined) return [line]
  const unit = first.unit?.text ?? line.unit?.text
  const isCounted = parts.every(
    ({ quantity, unit: stated }) =>
      /^\d{1,15}(?:\.\d{0,6})?$/.test(quantity?.text ?? '') && (stated?.text ?? line.unit?.text) === unit,
  )
  const sum = parts.reduce((total, { quantity }) => total + Number(quantity?.text ?? Number.NaN), 0)
  // A lot of the line itself that no part has: its share is unknown.
  const lotsOfParts = new Set(parts.map(({ lot }) => lot.text))
  const own = new Set(segments.map(({ number }) => number))
  const isNamed = line.lots.every(({ text, segment }) => lotsOfParts.has(text) || !own.has(segment))
  const isSameUnit = line.unit === undefined || unit === line.unit.text
  const isWhole =
    (line.quantity === undefined && line.lots.length === 0) ||
    (isSameUnit && Math.abs(sum - Number(line.quantity?.text)) <= differenceMax)
  if (isCounted && isWhole && isNamed)
    return parts.map(({ lot, quantity, unit: stated }) => ({
      ...line,
      lots: [lot],
      quantity,
      unit: stated ?? line.unit,
    }))
  if (isCounted && isSameUnit && !isWhole)
    findings.push(
      errorAt(first.quantity ?? first.lot, {
        message: `The parts of the line (SLN04) are ${sum} together, but its quantity (SN102) is ${line.quantity?.text}.`,
        remedy: 'Have the sender send parts whose quantities are that of the line.',
        code: '7',
      }),
    )
  const named = new Map<string, Placed>(
    [...line.lots, ...parts.map(({ lot }) => lot)].map((lot) => [lot.text, lot] as const),
  )
  return [{ ...line, lots: [...named.values()] }]
}

const differenceMax = 1e-6
