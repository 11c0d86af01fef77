// Values of segments, each with its place in the file: pairs of qualifier and value, dates, marks,
// parties.
import type { Place } from './finding.ts'
import type { Segment } from './segments.ts'

/** A text and its place in the file. */
export interface Placed extends Place {
  readonly text: string
  readonly element: number
}

/** A text under a qualifier: a reference, an item code, a mark. */
export interface Qualified extends Placed {
  readonly qualifier: string
}

/** DTM: `011` shipped, `017` estimated delivery, `036` expires, … */
export interface QualifiedDate extends Qualified {
  /** HHMM or HHMMSS. */
  readonly time: Placed | undefined
  /** DTM04: `ET`, `UT`, … */
  readonly zone: Placed | undefined
}

export interface Party {
  /** N101: `SF` ship from, `ST` ship to, `BY`, `VN`, … */
  readonly role: Placed
  readonly name: Placed | undefined
  /** N103: `UL` a GLN, `92` the buyer's code, `91` the seller's, `1` or `9` a DUNS, … */
  readonly qualifier: string
  readonly code: Placed | undefined
  readonly streets: readonly Placed[]
  readonly city: Placed | undefined
  readonly state: Placed | undefined
  readonly postalCode: Placed | undefined
  readonly country: Placed | undefined
  readonly phone: Placed | undefined
}

/** N1 with the N3, N4 and PER that follow it; the first of each role. */
export function partiesOf(segments: readonly Segment[]): ReadonlyMap<string, Party> {
  const parties = new Map<string, Party>()
  for (const [i, n1] of segments.entries()) {
    const role = n1.id === 'N1' ? placed(n1, 1) : undefined
    if (role === undefined || parties.has(role.text)) continue
    const own = segmentsOfParty(segments, i)
    const n4 = own.find(({ id }) => id === 'N4')
    parties.set(role.text, {
      role,
      name: placed(n1, 2),
      qualifier: textOf(n1, 3),
      code: placed(n1, 4),
      streets: own.filter(({ id }) => id === 'N3').flatMap((n3) => [placed(n3, 1), placed(n3, 2)].filter(isPresent)),
      city: placed(n4, 1),
      state: placed(n4, 2),
      postalCode: placed(n4, 3),
      country: placed(n4, 4),
      phone: own
        .filter(({ id }) => id === 'PER')
        .map(phoneOf)
        .find(isPresent),
    })
  }
  return parties
}

const partySegments = new Set(['N2', 'N3', 'N4', 'PER', 'REF', 'FOB'])

/** PER03, PER05 and PER07 qualify the elements behind them; TE is a telephone. */
function phoneOf(per: Segment): Placed | undefined {
  const at = [3, 5, 7].find((element) => textOf(per, element) === 'TE')
  return at === undefined ? undefined : placed(per, at + 1)
}

/** A mark, or the first and the last of marks in sequence. */
export interface Mark extends Qualified {
  readonly last: Placed | undefined
}

/** MAN01 to MAN03, and MAN04 to MAN06. */
export function marksOf(segments: readonly Segment[]): Mark[] {
  return segments
    .filter(({ id }) => id === 'MAN')
    .flatMap((man) =>
      [1, 4].flatMap((at) => {
        const mark = qualifiedAt(man, at, at + 1)
        return mark === undefined ? [] : [{ ...mark, last: placed(man, at + 2) }]
      }),
    )
}

export function datesOf(segments: readonly Segment[]): QualifiedDate[] {
  return segments
    .filter(({ id }) => id === 'DTM')
    .flatMap((dtm) => {
      const date = qualifiedAt(dtm, 1, 2)
      return date === undefined ? dateOfPeriod(dtm) : [{ ...date, time: placed(dtm, 3), zone: placed(dtm, 4) }]
    })
}

/** DTM05 and DTM06: `D8` is a date, and `DT` a date with a time. */
function dateOfPeriod(dtm: Segment): QualifiedDate[] {
  const period = qualifiedAt(dtm, 1, 6)
  const form = textOf(dtm, 5)
  if (period === undefined || (form !== 'D8' && form !== 'DT')) return []
  const time = form === 'DT' ? { ...period, text: period.text.slice(8) } : undefined
  return [{ ...period, text: time === undefined ? period.text : period.text.slice(0, 8), time, zone: placed(dtm, 4) }]
}

export function qualified(segments: readonly Segment[], id: 'REF'): Qualified[] {
  return segments.filter((segment) => segment.id === id).flatMap((segment) => qualifiedAt(segment, 1, 2) ?? [])
}

function qualifiedAt(segment: Segment, qualifierAt: number, valueAt: number): Qualified | undefined {
  const value = placed(segment, valueAt)
  return value && { ...value, qualifier: textOf(segment, qualifierAt) }
}

/**
 * Qualifier and code in turn: from LIN02 on, or LIN01 where a program leaves that out, and from
 * SLN09 on.
 */
export function pairsOf(segment: Segment): Qualified[] {
  const pairs: Qualified[] = []
  const { elements } = segment
  const isShifted =
    elements.length % 2 === 0 && itemQualifier.test(textOf(segment, 1)) && !itemQualifier.test(textOf(segment, 2))
  const first = segment.id === 'SLN' ? 9 : isShifted ? 1 : 2
  for (let element = first; element < elements.length; element += 2) {
    const pair = qualifiedAt(segment, element, element + 1)
    if (pair !== undefined) pairs.push(pair)
  }
  return pairs
}

const itemQualifier = /^(?:[A-Z]{2}|[A-Z]\d)$/

const isPresent = <T>(value: T | undefined): value is T => value !== undefined

export const textOf = (segment: Segment, element: number): string => segment.elements[element - 1]?.trim() ?? ''

/** The segments that belong to the party of the N1 at `from`, without it. */
function segmentsOfParty(segments: readonly Segment[], from: number): readonly Segment[] {
  let end = from + 1
  while (partySegments.has(segments[end]?.id ?? '')) end++
  return segments.slice(from + 1, end)
}

export function placed(segment: Segment | undefined, element: number): Placed | undefined {
  if (segment === undefined) return undefined
  const text = textOf(segment, element)
  return text === '' ? undefined : { text, segment: segment.number, segmentId: segment.id, element }
}
