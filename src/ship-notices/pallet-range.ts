// Marks in sequence (MAN02 to MAN03): the numbers from the first to the last.

import { quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import type { Mark, Placed } from 'lotkeeper-x12/segment-values'
import { withCheckDigit } from '../contract/text/identifiers.ts'

/** Most numbers of a range that a message lists. */
const listedMax = 20

/** The last number of a range, where it is another than the first. */
export const endOfRange = ({ text, last }: Mark): Placed | undefined =>
  last === undefined || last.text === text ? undefined : last

/** A line has one pallet, and a range does not say how much is on which. */
export function rangeFinding(mark: Mark, last: Placed): X12Finding {
  const numbers = numbersOf(mark.text, last.text)
  const named = numbers ?? `${quoted(mark.text)} to ${quoted(last.text)}, which cannot be counted`
  return warningAt(last, {
    message: `MAN02 and MAN03 are a range of marks: ${named}. A line has one pallet, so none of them is stored.`,
    remedy: 'Have the sender send a level with its own MAN and quantity for each pallet.',
  })
}

/** SSCCs count without their last digit, which is a check digit. */
function numbersOf(first: string, last: string): string | undefined {
  if (first.length !== last.length || !/^(?:00)?\d{18}$/.test(first) || !/^(?:00)?\d{18}$/.test(last)) return undefined
  const [from, to] = [BigInt(first.slice(0, -1)), BigInt(last.slice(0, -1))]
  if (to < from) return undefined
  const count = to - from + 1n
  const numberAt = (at: bigint): string => withCheckDigit(String(from + at).padStart(first.length - 1, '0'))
  if (numberAt(0n) !== first || numberAt(count - 1n) !== last) return undefined
  const shown = count > listedMax ? listedMax - 1 : Number(count)
  const listed = Array.from({ length: shown }, (_, i) => numberAt(BigInt(i)))
  if (count > listedMax) listed.push(`… ${last}`)
  return `${count.toLocaleString('en')} numbers, ${listed.join(', ')}`
}
