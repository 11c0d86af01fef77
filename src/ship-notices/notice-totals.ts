// Quantities that a notice states twice: of a level above its lines, and at its end (CTT). Where
// the two disagree, a finding says so, and the lines count.

import { quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import type { Level } from 'lotkeeper-x12/hierarchy'
import { type Placed, placed } from 'lotkeeper-x12/segment-values'
import type { Segment } from 'lotkeeper-x12/segments'

/** SN102 and SN103. */
export interface Quantity {
  readonly number: Placed
  readonly unit: string
}

interface Sum {
  total: number
  readonly units: Set<string>
}

const differenceMax = 1e-6

const numberIn = ({ text }: Placed): number => (/^\d{0,15}\.?\d{0,6}$/.test(text) ? Number(text) : Number.NaN)

/** Quantities of levels above lines, each compared with the sum of its lines in the same unit. */
export function checkTotals(
  lines: readonly Level[],
  quantities: ReadonlyMap<Level, Quantity>,
): { readonly totals: readonly Placed[]; readonly findings: readonly X12Finding[] } {
  const sums = new Map<Level, Sum>()
  for (const line of lines) {
    const own = quantities.get(line)
    for (let above = line.parent; above !== undefined; above = above.parent) {
      if (!quantities.has(above)) continue
      const sum = sums.get(above) ?? { total: 0, units: new Set<string>() }
      sums.set(above, sum)
      sum.total += own === undefined ? Number.NaN : numberIn(own.number)
      sum.units.add(own?.unit ?? '')
    }
  }
  const totals: Placed[] = []
  const findings: X12Finding[] = []
  for (const [level, { total, units }] of sums) {
    const { number, unit } = quantities.get(level) as Quantity
    if (units.size > 1 || !units.has(unit) || Number.isNaN(total)) continue
    totals.push(number)
    if (Math.abs(numberIn(number) - total) <= differenceMax) continue
    findings.push(
      warningAt(number, {
        message: `SN102 is ${quoted(number.text)}, but the lines below this level have ${total} together. The quantities of the lines are stored.`,
        remedy: 'Ask the sender which is right.',
        code: '7',
      }),
    )
  }
  return { totals, findings }
}

/** CTT: programs count levels or lines, and sum up the quantities of lines or of all SN1. */
export function checkCounts(
  segments: readonly Segment[],
  levels: number,
  lines: readonly Level[],
  quantities: ReadonlyMap<Level, Quantity>,
): readonly X12Finding[] {
  const ctt = segments.find(({ id }) => id === 'CTT')
  const [count, hash] = [placed(ctt, 1), placed(ctt, 2)]
  const findings: X12Finding[] = []
  const items = new Set(lines.map((line) => (line.parent?.code === 'I' ? line.parent : line))).size
  if (count !== undefined && ![levels, lines.length, items].includes(numberIn(count)))
    findings.push(
      warningAt(count, {
        message: `CTT01 is ${quoted(count.text)}, but the notice has ${levels} levels and ${lines.length} lines. All of them were read.`,
        remedy: 'Ask the sender whether lines are missing.',
        code: '7',
      }),
    )
  const sumOf = (all: readonly (Quantity | undefined)[]) =>
    all.reduce((sum, one) => sum + (one === undefined ? 0 : numberIn(one.number)), 0)
  const sums = [sumOf(lines.map((line) => quantities.get(line))), sumOf([...quantities.values()])]
  if (hash !== undefined && sums.every((sum) => Math.abs(numberIn(hash) - sum) > differenceMax))
    findings.push(
      warningAt(hash, {
        message: `CTT02 is ${quoted(hash.text)}, but the quantities of the lines are ${sums[0]} together. Those of the lines are stored.`,
        remedy: 'Ask the sender which is right.',
        code: '7',
      }),
    )
  return findings
}
