// The content of a ship notice (X12 856): shipper, recipient, order, pallets and lot codes; each
// value with its place in the file. shipping-event.ts decides its meaning for a record. Source: X12
// 856, 004010 and 005010; guides of GS1 US and PTI.
import { errorAt, type Place, quoted, type X12Finding } from 'lotkeeper-x12/finding'
import { type Level, readHierarchy } from 'lotkeeper-x12/hierarchy'
import type { TransactionSet } from 'lotkeeper-x12/interchange'
import {
  datesOf,
  type Mark,
  marksOf,
  type Party,
  type Placed,
  pairsOf,
  partiesOf,
  placed,
  type Qualified,
  type QualifiedDate,
  qualified,
} from 'lotkeeper-x12/segment-values'
import { placeOfSegment, type Segment } from 'lotkeeper-x12/segments'
import { codesOf, lotQualifiers } from './notice-elements.ts'
import { checkCounts, checkTotals, type Quantity } from './notice-totals.ts'
import { endOfRange, rangeFinding } from './pallet-range.ts'
import { linesOfParts } from './sublines.ts'

/** Most lines of one notice: as many as an event may have. */
const noticeLinesMax = 5_000

export interface NoticeLine {
  /** The HL segment. */
  readonly hl: Place
  /** LIN01, else SN101. */
  readonly lineNumber: Placed | undefined
  readonly purchaseOrder: Placed | undefined
  readonly orderDate: Placed | undefined
  /** Segments of the level of the order. */
  readonly order: readonly Segment[]
  /** SSCC of the pallet, else of the outermost pack. */
  readonly pallet: Placed | undefined
  /** PAL: kind of the pallet, its tiers, the blocks of a tier. */
  readonly palletForm: readonly [kind: Placed | undefined, tiers: Placed | undefined, blocks: Placed | undefined]
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
  readonly dates: readonly QualifiedDate[]
  /** By role, of each level from the line upwards, without the shipment. */
  readonly parties: readonly ReadonlyMap<string, Party>[]
  /** PO4: so many inner packs, of such a size and unit. */
  readonly pack: readonly [count: Placed | undefined, size: Placed | undefined, unit: Placed | undefined]
  readonly description: Placed | undefined
}

/** One HL level of code S, and the lines below it. */
export interface Consignment {
  readonly at: Place
  /** Of the level, and of the heading. */
  readonly segments: readonly Segment[]
  readonly parties: ReadonlyMap<string, Party>
  readonly lines: readonly NoticeLine[]
}

/** Carrier and times, as the levels of a shipment and of an order state them. */
export interface Carriage {
  readonly references: readonly Qualified[]
  readonly dates: readonly QualifiedDate[]
  /** TD5: the carrier's SCAC, and how it carries. */
  readonly carrier: Placed | undefined
  readonly transport: Placed | undefined
  /** TD1: how many of which packaging. */
  readonly lading: readonly [quantity: Placed | undefined, packaging: Placed | undefined]
  /** TD3: kind and number of the trailer. */
  readonly equipment: Placed | undefined
  readonly equipmentNumber: Placed | undefined
  /** FOB01. */
  readonly payment: Placed | undefined
}

export interface ShipNotice {
  readonly set: TransactionSet
  /** BSN01: `00` original, `01` cancellation, `05` replacement, … */
  readonly purpose: Placed | undefined
  readonly number: Placed | undefined
  readonly date: Placed | undefined
  readonly time: Placed | undefined
  readonly shipments: readonly Consignment[]
  /** Values that no event has: sums compared with the lines, beginnings of ranges of marks. */
  readonly accounted: readonly Placed[]
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
  const accounted: Placed[] = []
  for (const { range } of facts.values()) {
    if (range === undefined) continue
    findings.push(rangeFinding(range, endOfRange(range) as Placed))
    accounted.push(range)
  }
  const byRoot = new Map<Level, NoticeLine[]>()
  let lineCount = 0
  for (const level of lineLevels) {
    const path = pathOf(level)
    const root = path.at(-1) ?? level
    const lines = byRoot.get(root) ?? []
    byRoot.set(root, lines)
    const line = readLine(path, facts, below.get(level) ?? [], findings)
    const read = linesOfParts(line, level.segments, findings)
    if (read[0] !== line) accounted.push(...[line.quantity, line.unit].filter((one) => one !== undefined))
    lineCount += read.length
    if (lineCount > noticeLinesMax) {
      findings.push(
        errorAt(placeOfSegment(level.hl), {
          message: `The notice has more than ${noticeLinesMax.toLocaleString('en')} lines.`,
          remedy: 'Send it as several notices.',
          code: '4',
        }),
      )
      break
    }
    lines.push(...read)
  }
  const quantities = quantitiesOf(levels, facts)
  findings.push(...checkCounts(set.segments, levels.length, lineLevels, quantities))
  const { totals, findings: differences } = checkTotals(lineLevels, quantities)
  findings.push(...differences)
  return {
    set,
    purpose: placed(bsn, 1),
    number: placed(bsn, 2),
    date: placed(bsn, 3),
    time: placed(bsn, 4),
    shipments: [...byRoot].map(([root, lines]) => shipmentOf(root, heading, lines)),
    accounted: [...accounted, ...totals],
    findings,
  }
}

/** The values of a level, read once for any number of lines below it. */
interface LevelFacts {
  readonly lin: Segment | undefined
  readonly sn1: Segment | undefined
  readonly prf: Segment | undefined
  readonly po4: Segment | undefined
  readonly purchaseOrder: Placed | undefined
  readonly sscc: Placed | undefined
  /** Several pallets in sequence. */
  readonly range: Mark | undefined
  readonly pal: Segment | undefined
  readonly lots: readonly Placed[]
  readonly parties: ReadonlyMap<string, Party>
  readonly isInItem: boolean
}

function factsOf(level: Level, repetition: string | undefined): LevelFacts {
  const { segments } = level
  const lin = segments.find(({ id }) => id === 'LIN')
  const mark = marksOf(segments).find(({ qualifier }) => palletQualifiers.has(qualifier))
  const isRange = mark !== undefined && endOfRange(mark) !== undefined
  return {
    lin,
    pal: segments.find(({ id }) => id === 'PAL'),
    sn1: segments.find(({ id }) => id === 'SN1'),
    prf: segments.find(({ id }) => id === 'PRF'),
    po4: segments.find(({ id }) => id === 'PO4'),
    purchaseOrder: qualified(segments, 'REF').find(({ qualifier }) => qualifier === 'PO'),
    sscc: isRange ? undefined : mark,
    range: isRange ? mark : undefined,
    lots: lotsOf(segments, repetition),
    parties: partiesOf(segments),
    isInItem: pathOf(level).some(({ code }) => code === 'I'),
  }
}

const palletQualifiers = new Set(codesOf('MAN', 'productList.palletId'))

/** True of an item code: LIN has lots and a country among them. */
const namesItem = ({ qualifier }: Qualified): boolean =>
  qualifier !== 'CH' && !lotQualifiers.some((qualifiers) => qualifiers.includes(qualifier))

/** Lot codes of LIN and REF. The same one in both is one. */
function lotsOf(segments: readonly Segment[], repetition: string | undefined): Placed[] {
  const named = [...segments.filter(({ id }) => id === 'LIN').flatMap(pairsOf), ...qualified(segments, 'REF')]
  for (const qualifiers of lotQualifiers) {
    const lots = new Map<string, Placed>()
    for (const lot of named)
      if (qualifiers.includes(lot.qualifier))
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
  const pal = on.find((one) => one.pal !== undefined)?.pal
  const sn1 = own.sn1
  if (sn1 !== undefined) checkElementNumbers(sn1, findings)
  const pack = on.find(({ po4, level: { code } }) => describesPack(po4) && code !== 'T' && code !== 'S')?.po4
  return {
    hl: placeOfSegment(own.level.hl),
    lineNumber: placed(items.find(({ lin }) => lin !== undefined)?.lin, 1) ?? placed(sn1, 1),
    purchaseOrder: placed(prf, 1) ?? order,
    orderDate: placed(prf, 4),
    // An item that is on several pallets does not say how much is on which.
    pallet: (tare ?? outermost)?.sscc ?? (marks.length === 1 ? marks[0] : undefined),
    palletForm: [placed(pal, 1), placed(pal, 2), placed(pal, 3)],
    order: on.find(({ level }) => level.code === 'O' && level.parent !== undefined)?.level.segments ?? [],
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

/** PO4 of inner packs has their count, size and unit. */
const describesPack = (po4: Segment | undefined): boolean =>
  po4 !== undefined && [1, 2, 3].every((element) => placed(po4, element) !== undefined)

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

const shipmentOf = (root: Level, heading: readonly Segment[], lines: readonly NoticeLine[]): Consignment => ({
  at: placeOfSegment(root.hl),
  segments: [...root.segments, ...heading],
  parties: partiesOf([...root.segments, ...heading]),
  lines,
})

/** Of each fact the first present one. */
export function readCarriage(segments: readonly Segment[]): Carriage {
  const all = (id: string, element: number) =>
    segments.filter((one) => one.id === id).flatMap((one) => placed(one, element) ?? [])
  const td1 = segments.find((one) => one.id === 'TD1' && placed(one, 2) !== undefined)
  const carriers = all('TD5', 3)
  return {
    references: qualified(segments, 'REF'),
    dates: datesOf(segments),
    carrier: carriers.find(({ text }) => isScac(text)) ?? carriers[0],
    transport: all('TD5', 4)[0],
    lading: [placed(td1, 2), placed(td1, 1)],
    equipment: all('TD3', 1)[0],
    equipmentNumber: all('TD3', 3)[0],
    payment: all('FOB', 1)[0],
  }
}

/** Codes of two and three letters are SCACs, too; the contract has room for those of four. */
export const isScac = (code: string): boolean => /^[A-Z]{4}$/.test(code)

/** SN1 of each level that has one. */
const quantitiesOf = (levels: readonly Level[], facts: ReadonlyMap<Level, LevelFacts>): ReadonlyMap<Level, Quantity> =>
  new Map(
    levels.flatMap((level) => {
      const sn1 = facts.get(level)?.sn1
      const number = placed(sn1, 2)
      return number === undefined ? [] : [[level, { number, unit: placed(sn1, 3)?.text ?? '' }] as const]
    }),
  )

export const missing = (near: Segment | undefined, what: string, remedy: string): X12Finding =>
  errorAt(near === undefined ? { segment: 1, segmentId: 'ST' } : placeOfSegment(near), {
    message: `The notice has no ${what}.`,
    remedy,
    code: '3',
  })
