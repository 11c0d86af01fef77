// What a ship notice (X12 856) says: who ships what to whom, by which order, on which pallet, under
// which lot code; each value with its place in the file. What it means for a record is decided in
// shipping-event.ts. Source: X12 856, 004010 and 005010; guides of GS1 US and PTI.
import { type Level, readHierarchy } from './hierarchy.ts'
import type { TransactionSet } from './interchange.ts'
import { placeOfSegment, type Segment } from './segments.ts'
import { errorAt, type Place, quoted, type X12Finding } from './x12-finding.ts'

/** Most lines of one notice: as many as an event may have. */
const noticeLinesMax = 5_000

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
export interface NoticeDate extends Qualified {
  /** HHMM or HHMMSS. */
  readonly time: Placed | undefined
  /** DTM04: `ET`, `UT`, … */
  readonly zone: string
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

export interface NoticeLine {
  /** The HL segment. */
  readonly hl: Place
  /** LIN01, else undefined. */
  readonly lineNumber: Placed | undefined
  readonly purchaseOrder: Placed | undefined
  readonly orderDate: Placed | undefined
  /** SSCC of the pallet, else of the outermost pack. */
  readonly pallet: Placed | undefined
  /**
   * Pairs of LIN without lots: `UP` UPC-12, `UK` GTIN-14, `EN` EAN-13, `VN` vendor's, `BP` or `IN`
   * buyer's, …
   */
  readonly items: readonly Qualified[]
  /** `CH` of LIN: a country, perhaps with a state behind a hyphen. */
  readonly origin: Placed | undefined
  /** Lot codes, nearest first; the first level that has any. */
  readonly lots: readonly Placed[]
  readonly quantity: Placed | undefined
  readonly unit: Placed | undefined
  readonly references: readonly Qualified[]
  readonly dates: readonly NoticeDate[]
  /** By role, of each level from the line upwards, without the shipment. */
  readonly parties: readonly ReadonlyMap<string, Party>[]
  /** PO4: so many inner packs, of such a size and unit. */
  readonly pack: readonly [count: Placed | undefined, size: Placed | undefined, unit: Placed | undefined]
  readonly description: Placed | undefined
}

/** What one HL level of code S says, and the lines below it. */
export interface Consignment {
  readonly at: Place
  readonly references: readonly Qualified[]
  readonly dates: readonly NoticeDate[]
  readonly parties: ReadonlyMap<string, Party>
  /** TD5: the carrier's SCAC, its name, and how it carries. */
  readonly carrier: Placed | undefined
  readonly carrierName: Placed | undefined
  readonly transport: Placed | undefined
  /** TD1: how many of which packaging. */
  readonly lading: readonly [quantity: Placed | undefined, packaging: Placed | undefined]
  /** TD3: kind and number of the trailer. */
  readonly equipment: Placed | undefined
  readonly equipmentNumber: Placed | undefined
  readonly lines: readonly NoticeLine[]
}

export interface ShipNotice {
  readonly set: TransactionSet
  /** BSN01: `00` original, `01` cancellation, `05` replacement, … */
  readonly purpose: Placed | undefined
  readonly number: Placed | undefined
  readonly date: Placed | undefined
  readonly time: Placed | undefined
  readonly shipments: readonly Consignment[]
  readonly findings: readonly X12Finding[]
}

export function readShipNotice(set: TransactionSet): ShipNotice {
  const { heading, levels, findings: treeFindings } = readHierarchy(set.segments)
  const findings: X12Finding[] = [...set.findings, ...treeFindings]
  const bsn = heading.find(({ id }) => id === 'BSN')
  if (bsn === undefined)
    findings.push(missing(set.segments[0], 'BSN', 'Send the number and date of the notice in BSN.'))
  const repetition = set.interchange.separators.repetition
  const facts = new Map<Level, LevelFacts>()
  for (const level of levels) facts.set(level, factsOf(level, repetition))
  const lineLevels = levelsOfLines(levels, facts)
  const below = packsBelow(levels, new Set(lineLevels))
  if (lineLevels.length > noticeLinesMax)
    findings.push(
      errorAt(placeOfSegment(lineLevels[noticeLinesMax]?.hl as Segment), {
        message: `The notice has more than ${noticeLinesMax.toLocaleString('en')} lines.`,
        remedy: 'Send it as several notices.',
        code: '4',
      }),
    )
  const byRoot = new Map<Level, NoticeLine[]>()
  for (const level of lineLevels.slice(0, noticeLinesMax)) {
    const path = pathOf(level)
    const root = path.at(-1) ?? level
    const lines = byRoot.get(root) ?? []
    byRoot.set(root, lines)
    lines.push(readLine(path, facts, below.get(level) ?? [], findings))
  }
  return {
    set,
    purpose: placed(bsn, 1),
    number: placed(bsn, 2),
    date: placed(bsn, 3),
    time: placed(bsn, 4),
    shipments: [...byRoot].map(([root, lines]) => shipmentOf(root, heading, lines)),
    findings,
  }
}

/** What a level says, read once however many lines are below it. */
interface LevelFacts {
  readonly lin: Segment | undefined
  readonly sn1: Segment | undefined
  readonly prf: Segment | undefined
  readonly po4: Segment | undefined
  readonly purchaseOrder: Placed | undefined
  readonly sscc: Placed | undefined
  readonly lots: readonly Placed[]
  readonly parties: ReadonlyMap<string, Party>
  readonly isInItem: boolean
}

function factsOf(level: Level, repetition: string | undefined): LevelFacts {
  const { segments } = level
  const lin = segments.find(({ id }) => id === 'LIN')
  return {
    lin,
    sn1: segments.find(({ id }) => id === 'SN1'),
    prf: segments.find(({ id }) => id === 'PRF'),
    po4: segments.find(({ id }) => id === 'PO4'),
    purchaseOrder: qualified(segments, 'REF').find(({ qualifier }) => qualifier === 'PO'),
    sscc: marksOf(segments).find(({ qualifier }) => qualifier === 'GM' || qualifier === 'AA'),
    lots: lotsOf(segments, repetition),
    parties: partiesOf(segments),
    isInItem: pathOf(level).some(({ code }) => code === 'I'),
  }
}

/** Qualifiers of a lot in LIN and REF, and of a batch, which is the lot where there is none. */
const lotQualifiers = [new Set(['LT']), new Set(['B8', 'BT'])]

/** True of an item code: LIN has lots and a country among them. */
const namesItem = ({ qualifier }: Qualified): boolean =>
  qualifier !== 'CH' && !lotQualifiers.some((qualifiers) => qualifiers.has(qualifier))

/** Lot codes of LIN and REF. The same one in both is one. */
function lotsOf(segments: readonly Segment[], repetition: string | undefined): Placed[] {
  const named = [...segments.filter(({ id }) => id === 'LIN').flatMap(pairsOf), ...qualified(segments, 'REF')]
  for (const qualifiers of lotQualifiers) {
    const lots = new Map<string, Placed>()
    for (const lot of named)
      if (qualifiers.has(lot.qualifier))
        for (const text of repetition === undefined ? [lot.text] : lot.text.split(repetition))
          if (text.trim() !== '' && !lots.has(text.trim())) lots.set(text.trim(), { ...lot, text: text.trim() })
    if (lots.size > 0) return [...lots.values()]
  }
  return []
}

/** The level itself first, then those above it. */
function pathOf(level: Level): Level[] {
  const path: Level[] = []
  for (let one: Level | undefined = level; one !== undefined; one = one.parent) path.push(one)
  return path
}

/**
 * The levels that are lines: items with a quantity. A level above such a level only adds to it, as
 * a pack with a quantity of its own does, or an item whose lots are levels below it.
 */
function levelsOfLines(levels: readonly Level[], facts: ReadonlyMap<Level, LevelFacts>): Level[] {
  const aboveLine = new Set<Level>()
  const lines: Level[] = []
  for (const level of [...levels].reverse()) {
    const { lin, sn1, isInItem } = facts.get(level) as LevelFacts
    const isLine = !aboveLine.has(level) && (lin !== undefined || level.code === 'I' || (isInItem && sn1 !== undefined))
    if (isLine) lines.push(level)
    // An item without SN1 is a line that lacks its quantity, unless a level above has it.
    if (level.parent !== undefined && (aboveLine.has(level) || (isLine && (sn1 !== undefined || level.code === 'I'))))
      aboveLine.add(level.parent)
  }
  return lines.reverse()
}

/** Levels below lines: packs of an item that have no quantity of their own (S-O-I-P). */
function packsBelow(levels: readonly Level[], lines: ReadonlySet<Level>): ReadonlyMap<Level, readonly Level[]> {
  const below = new Map<Level, Level[]>()
  for (const level of levels) {
    const line = pathOf(level).find((one) => one !== level && lines.has(one))
    if (line === undefined) continue
    const packs = below.get(line) ?? []
    below.set(line, packs)
    packs.push(level)
  }
  return below
}

function readLine(
  path: readonly Level[],
  facts: ReadonlyMap<Level, LevelFacts>,
  packs: readonly Level[],
  findings: X12Finding[],
): NoticeLine {
  const on = path.map((level) => ({ level, ...(facts.get(level) as LevelFacts) }))
  const [own] = on
  if (own === undefined) throw new Error('A line has a level.')
  // Items of the level itself, and of an item that is divided into levels below it.
  const [, ...above] = on
  const hasItem = own.lin !== undefined && pairsOf(own.lin).some(namesItem)
  const item = above.find(({ isInItem, lin }) => lin !== undefined && (isInItem || !hasItem))
  const items = item === undefined ? [own] : [own, item]
  const withLots = on.find(({ lots, level: { code } }) => lots.length > 0 && code !== 'S' && code !== 'O')
  const tare = on.find(({ level: { code }, sscc }) => code === 'T' && sscc !== undefined)
  const outermost = on.findLast(({ level: { code }, sscc }) => code !== 'S' && code !== 'O' && sscc !== undefined)
  const inside = packs.map((level) => facts.get(level) as LevelFacts)
  const marks = inside.flatMap(({ sscc }) => sscc ?? [])
  const prf = on.find((one) => one.prf !== undefined)?.prf
  const order = on.find(({ purchaseOrder }) => purchaseOrder !== undefined)?.purchaseOrder
  const segments = items.flatMap(({ level }) => level.segments)
  const sn1 = own.sn1
  if (sn1 !== undefined) checkElementNumbers(sn1, findings)
  const pack = on.find(({ po4, level: { code } }) => po4 !== undefined && code !== 'T' && code !== 'S')?.po4
  return {
    hl: placeOfSegment(own.level.hl),
    lineNumber: placed(items.find(({ lin }) => lin !== undefined)?.lin, 1),
    purchaseOrder: placed(prf, 1) ?? order,
    orderDate: placed(prf, 4),
    // An item that is on several pallets does not say how much is on which.
    pallet: (tare ?? outermost)?.sscc ?? (marks.length === 1 ? marks[0] : undefined),
    items: items.flatMap(({ lin }) => (lin === undefined ? [] : pairsOf(lin))).filter(namesItem),
    origin: items
      .flatMap(({ lin }) => (lin === undefined ? [] : pairsOf(lin)))
      .find(({ qualifier }) => qualifier === 'CH'),
    lots: withLots?.lots ?? [...new Map(inside.flatMap(({ lots }) => lots).map((lot) => [lot.text, lot])).values()],
    quantity: placed(sn1, 2),
    unit: placed(sn1, 3),
    references: qualified(segments, 'REF'),
    dates: datesOf(segments),
    parties: on.filter(({ level }) => level.parent !== undefined).map(({ parties }) => parties),
    pack: [placed(pack, 1), placed(pack, 2), placed(pack, 3)],
    description: segments
      .filter(({ id }) => id === 'PID')
      .map((pid) => placed(pid, 5))
      .find((text) => text !== undefined),
  }
}

/** Some programs write `SN1*02*40*03*CA`: the numbers of the elements beside their texts. */
function checkElementNumbers(sn1: Segment, findings: X12Finding[]): void {
  if (sn1.elements[0]?.trim() !== '02' || sn1.elements[2]?.trim() !== '03') return
  findings.push(
    errorAt(placeOfSegment(sn1, 1), {
      message: `${quoted([sn1.id, ...sn1.elements].join('*'))} has the numbers of elements among its elements.`,
      remedy: 'Have the sender write SN1 without them: SN1**40*CA.',
      code: '7',
    }),
  )
}

function shipmentOf(root: Level, heading: readonly Segment[], lines: readonly NoticeLine[]): Consignment {
  const segments = [...root.segments, ...heading]
  const td5 = segments.find(({ id }) => id === 'TD5')
  const td3 = segments.find(({ id }) => id === 'TD3')
  const td1 = segments.find(({ id }) => id === 'TD1')
  return {
    at: placeOfSegment(root.hl),
    references: qualified(segments, 'REF'),
    dates: datesOf(segments),
    parties: partiesOf(segments),
    carrier: placed(td5, 3),
    carrierName: placed(td5, 5),
    transport: placed(td5, 4),
    lading: [placed(td1, 2), placed(td1, 1)],
    equipment: placed(td3, 1),
    equipmentNumber: placed(td3, 3),
    lines,
  }
}

/** N1 with the N3, N4 and PER that follow it; the first of each role. */
function partiesOf(segments: readonly Segment[]): ReadonlyMap<string, Party> {
  const parties = new Map<string, Party>()
  for (const [i, n1] of segments.entries()) {
    const role = n1.id === 'N1' ? placed(n1, 1) : undefined
    if (role === undefined || parties.has(role.text)) continue
    let end = i + 1
    while (partySegments.has(segments[end]?.id ?? '')) end++
    const own = segments.slice(i + 1, end)
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

/** MAN01 and MAN02, and MAN04 and MAN05. */
function marksOf(segments: readonly Segment[]): Qualified[] {
  return segments
    .filter(({ id }) => id === 'MAN')
    .flatMap((man) => [qualifiedAt(man, 1, 2), qualifiedAt(man, 4, 5)].filter(isPresent))
}

function datesOf(segments: readonly Segment[]): NoticeDate[] {
  return segments
    .filter(({ id }) => id === 'DTM')
    .flatMap((dtm) => {
      const date = qualifiedAt(dtm, 1, 2)
      return date === undefined ? [] : [{ ...date, time: placed(dtm, 3), zone: textOf(dtm, 4) }]
    })
}

function qualified(segments: readonly Segment[], id: 'REF'): Qualified[] {
  return segments.filter((segment) => segment.id === id).flatMap((segment) => qualifiedAt(segment, 1, 2) ?? [])
}

function qualifiedAt(segment: Segment, qualifierAt: number, valueAt: number): Qualified | undefined {
  const value = placed(segment, valueAt)
  return value && { ...value, qualifier: textOf(segment, qualifierAt) }
}

/** Qualifier and code in turn, from LIN02 on; some programs leave LIN01 out. */
function pairsOf(lin: Segment): Qualified[] {
  const pairs: Qualified[] = []
  const isShifted =
    lin.elements.length % 2 === 0 && itemQualifier.test(textOf(lin, 1)) && !itemQualifier.test(textOf(lin, 2))
  for (let element = isShifted ? 1 : 2; element < lin.elements.length; element += 2) {
    const pair = qualifiedAt(lin, element, element + 1)
    if (pair !== undefined) pairs.push(pair)
  }
  return pairs
}

const itemQualifier = /^(?:[A-Z]{2}|[A-Z]\d)$/

const isPresent = <T>(value: T | undefined): value is T => value !== undefined

const textOf = (segment: Segment, element: number): string => segment.elements[element - 1]?.trim() ?? ''

function placed(segment: Segment | undefined, element: number): Placed | undefined {
  if (segment === undefined) return undefined
  const text = textOf(segment, element)
  return text === '' ? undefined : { text, segment: segment.number, segmentId: segment.id, element }
}

export const missing = (near: Segment | undefined, what: string, remedy: string): X12Finding =>
  errorAt(near === undefined ? { segment: 1, segmentId: 'ST' } : placeOfSegment(near), {
    message: `The notice has no ${what}.`,
    remedy,
    code: '3',
  })
