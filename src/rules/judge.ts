// From a payload to its verdict: all findings at once, in catalogue order. Pure: facts of the store
// are a parameter.
import type { TSchema } from 'typebox'
import { completePlaces, type PlacesByNumber, placesByNumber, sourceNumbersOf } from '../contract/completion.ts'
import { type Exemption, exemptionOf } from '../contract/exempt-place.ts'
import type { Location, MasterLocation } from '../contract/location.ts'
import { isDescribed } from '../contract/location-description.ts'
import type { MasterProduct } from '../contract/product.ts'
import type { ProductLine } from '../contract/product-line.ts'
import { type EventKind, elementsOf, eventKinds, isEventKind, type RecordKind } from '../contract/record-kinds.ts'
import { isGiven } from '../contract/shape/field.ts'
import {
  docsUrlOf,
  expandFindings,
  type Finding,
  findingsMax,
  type KeptFinding,
  type Severity,
  type SeverityCounts,
  type StoredFinding,
  sizeOf,
} from '../contract/shape/finding.ts'
import { type Loose, readShape, type ShapeBreach } from '../contract/shape/read-shape.ts'
import type { ShapeNotes } from '../contract/shape/shape-check.ts'
import { type EventRules, eventRules, locationRules, payloadRules, productRules } from './catalogue.ts'
import { type CountedLines, type ItemTally, tallyLines } from './completeness.ts'
import { isGapLifted } from './exempt-sources.ts'
import { type FactsWanted, factsWanted } from './facts-wanted.ts'
import { KeptFindings, type SubjectPlace, storedForm } from './kept-findings.ts'
import { isItemOpen, isOffList } from './product-line.ts'
import { RefusedReads, refusedEntry } from './refused-reads.ts'
import {
  allLinesOf,
  type Breach,
  type Context,
  type DescribedNumbers,
  type FactName,
  type Facts,
  type LineSubject,
  type LooseEvent,
  linesIn,
  noFacts,
  type Placed,
  type Rule,
  type RuleSettings,
  vendorKey,
} from './rule.ts'
import { shapeRules } from './shape.ts'
import { citesOf, messageOf, shownFinding, withGapKeys } from './stored-findings.ts'

/** A payload whose shape has been read. */
export interface PayloadReading {
  /** The values that rules may read; the same whether or not the shape is valid. */
  readonly view: PayloadView
  readonly wanted: FactsWanted
  readonly shapeFindings: readonly Found[]
  /** All of them, listed or not. */
  readonly shapeFindingCount: number
  readonly refusedReads: RefusedReads
}

type PayloadView = Omit<
  Context,
  'at' | 'facts' | 'settings' | 'placesInForce' | 'exemptionOf' | 'firstHolders' | 'isStored'
>

interface Found extends Breach {
  readonly rule: Rule<never>
}

export interface Verdict {
  /** At most `findingsMax`, errors first, each group in catalogue order. */
  readonly findings: readonly Finding[]
  readonly findingCount: number
  /** The number of all findings by severity. */
  readonly severities: SeverityCounts
  readonly refused: boolean
  /**
   * For each record of an accepted payload, in order. Computed at each call: a rejected payload
   * needs none.
   */
  readonly records: () => readonly StoredVerdict[]
  /** For a stored record: all findings as data, errors first. */
  readonly all: () => readonly StoredFinding[]
}

/** The findings and counts stored with a record. */
export interface StoredVerdict {
  /** Warnings and gaps as they are stored, with pointers into the record. */
  readonly kept: readonly KeptFinding[]
  /** The same one by one. */
  readonly findings: () => readonly StoredFinding[]
  /** The number of warnings among them. */
  readonly warnings: number
  /** Its completeness, of an event. */
  readonly tallies: readonly ItemTally[]
}

/**
 * Reads a payload according to its shape, and determines the facts that its rules need.
 * `noteContent` is called if its shape is right: see `ShapeNotes`.
 */
export function readPayload(
  kind: RecordKind,
  shape: TSchema,
  body: unknown,
  noteContent?: ShapeNotes['noteContent'],
): PayloadReading {
  const shapeFindings: Found[] = []
  let shapeFindingCount = 0
  let hasUnusualText = false
  const refusedReads = new RefusedReads()
  const payload = readShape(
    shape,
    body,
    (breach) => {
      shapeFindingCount++
      if (shapeFindings.length >= findingsMax) return
      shapeFindings.push(foundInShape(breach()))
    },
    {
      refusedRead: refusedReads.note,
      noteUnusual: () => {
        hasUnusualText = true
      },
      noteContent,
    },
  )
  refusedReads.arePossible = payload !== body
  const view = viewOf(kind, (payload ?? {}) as Record<string, unknown>, hasUnusualText, refusedReads)
  return { view, wanted: factsWanted(view), shapeFindings, shapeFindingCount, refusedReads }
}

/** The inputs of a verdict beside the payload. */
interface Grounds {
  readonly facts: Facts
  readonly settings: RuleSettings
  /** Found before the shape was read, in the text or the address. */
  readonly textBreaches?: readonly ShapeBreach[]
  /** Turns warnings into errors for this call (decision 0005). */
  readonly strict?: boolean | undefined
}

/** Applies every rule to a payload that is submitted. */
export const judge = (kind: RecordKind, reading: PayloadReading, grounds: Grounds): Verdict =>
  judgeBy(kind, reading, { ...grounds, isStored: false })

/**
 * Applies every rule to a stored record. It was accepted before, so everything it lacks is a gap,
 * and all gaps are kept.
 */
export const judgeStored = (kind: RecordKind, reading: PayloadReading, facts: Facts, settings: RuleSettings): Verdict =>
  judgeBy(kind, reading, { facts, settings, isStored: true })

function judgeBy(
  kind: RecordKind,
  reading: PayloadReading,
  { facts, settings, textBreaches = [], strict = false, isStored }: Grounds & { readonly isStored: boolean },
): Verdict {
  const severityOf = (rule: Rule<never>) => (strict && rule.severity === 'warning' ? 'error' : rule.severity)
  const errors: Found[] = []
  const kept = new KeptFindings()
  // Breaches of the shape are listed up to a limit, and counted beyond.
  const severities = { error: reading.shapeFindingCount - reading.shapeFindings.length, warning: 0, gap: 0 }
  const takeError = (found: Found) => {
    severities.error++
    if (isStored || errors.length < findingsMax) errors.push(found)
  }
  for (const one of reading.shapeFindings) takeError(one)
  for (const breach of textBreaches) takeError(foundInShape(breach))
  const context = contextOf(reading, facts, settings, { isStored })
  const isRepeated = repetitionsIn(kind)
  applyRules(kind, context, reading.refusedReads, (rule, breach, place) => {
    const severity = severityOf(rule)
    if (severity === 'gap' && isLifted(context, { rule, vendors: breach.vendors, record: place.record })) return
    // It is stored with its record, and listed and counted once.
    if (isRepeated(rule, breach, place)) {
      if (severity !== 'error' && (isStored || errors.length === 0)) kept.addRepeated(rule, breach, place)
    } else if (severity === 'error') takeError({ rule, ...breach })
    else {
      severities[severity]++
      // Findings that are neither listed nor stored are only counted: a hostile body can have a
      // million.
      if (isStored || errors.length === 0 || kept.count < findingsMax) kept.add(rule, breach, place)
    }
  })
  const others = () =>
    expandFindings(kept.groups.filter((group) => !group.isRepeated).map((group) => storedForm(group)))
  return new ListedVerdict({
    refused: errors.length > 0,
    findingCount: countAll(severities),
    severities,
    list: () =>
      [
        ...errors.map((found) => findingOf(kind, found, 'error')),
        ...(errors.length < findingsMax ? others() : []).map((found) =>
          shownFinding(found, kind.name, exemptionAt(found[2], context)),
        ),
      ].slice(0, findingsMax),
    all: () => [...errors.map(storedFinding), ...others()],
    records: () =>
      groupsByRecord(kind, kept, context).map((groups, record) => storedVerdict(kind, groups, context, record)),
  })
}

/** Its findings are listed when somebody reads them: few writes return theirs. */
class ListedVerdict implements Verdict {
  readonly refused: boolean
  readonly findingCount: number
  readonly severities: SeverityCounts
  readonly all: Verdict['all']
  readonly records: Verdict['records']
  readonly #list: () => readonly Finding[]
  #findings: readonly Finding[] | undefined

  constructor({ list, ...verdict }: Omit<Verdict, 'findings'> & { readonly list: () => readonly Finding[] }) {
    this.refused = verdict.refused
    this.findingCount = verdict.findingCount
    this.severities = verdict.severities
    this.all = verdict.all
    this.records = verdict.records
    this.#list = list
  }

  get findings(): readonly Finding[] {
    this.#findings ??= this.#list()
    return this.#findings
  }
}

/** The findings and counts stored with the only record of a payload. */
export function onlyRecordOf(verdict: Verdict): StoredVerdict {
  const [only] = verdict.records()
  if (only === undefined) throw new Error('The payload holds no record.')
  return only
}

/** The records of a payload. */
const recordsIn = (
  { subject }: RecordKind,
  { products, locations, events }: PayloadView,
): readonly Placed<{ readonly dataProviderVendorId?: string | undefined }>[] =>
  ({ productMasterDataList: products, locationMasterList: locations, eventList: events })[subject]

type Groups = KeptFindings['groups']

/**
 * Findings by record, in their order. A shared location concerns every record, or those of some
 * vendors.
 */
function groupsByRecord(kind: RecordKind, { groups }: KeptFindings, context: Context): readonly Groups[] {
  const records = recordsIn(kind, context).map(({ value }) => ({
    vendor: value.dataProviderVendorId,
    groups: [] as Groups,
  }))
  for (const group of groups) {
    const concerned = group.record === undefined ? records : records.slice(group.record, group.record + 1)
    for (const record of concerned)
      if (
        (group.vendors === undefined || (record.vendor !== undefined && group.vendors.includes(record.vendor))) &&
        !(group.rule.severity === 'gap' && isLifted(context, { ...group, record: records.indexOf(record) }))
      )
        record.groups.push(group)
  }
  return records.map((record) => record.groups)
}

/**
 * True of a gap that its record does not have, since it is a receipt from an exempt place; of a
 * shared product or location, if that holds for all records that it concerns.
 */
function isLifted(
  { facts, events, exemptionOf }: Context,
  { rule, vendors, record }: Pick<Groups[number], 'rule' | 'vendors' | 'record'>,
): boolean {
  if (facts.exemptPlaces.size === 0 || events.length === 0) return false
  return events.every(({ index = record, value }) => {
    if (record !== undefined && index !== record) return true
    if (vendors !== undefined && !vendors.includes(value.dataProviderVendorId ?? '')) return true
    const exemption = exemptionOf(value)
    return exemption !== undefined && isGapLifted(rule.id, exemption)
  })
}

/** The exemption of the receipt with a finding; of a shared part, if all receipts have it. */
function exemptionAt(pointer: string, { facts, events, exemptionOf }: Context): Exemption | undefined {
  if (facts.exemptPlaces.size === 0) return undefined
  const [, index] = /^\/eventList\/(\d+)/.exec(pointer) ?? []
  const own = index === undefined ? events : events.slice(Number(index), Number(index) + 1)
  const [first, ...more] = own.map(({ value }) => exemptionOf(value))
  return more.every((one) => one?.reason === first?.reason) ? first : undefined
}

/** The lines of an event that name items. */
const countedLines = (event: LooseEvent, { lists }: EventKind): CountedLines =>
  new Map(
    Object.entries(lists).flatMap(([list, { hasItems }]) =>
      hasItems === false ? [] : [[list, (event[list] ?? []) as readonly Loose<ProductLine>[]]],
    ),
  )

function storedVerdict(kind: RecordKind, found: Groups, context: Context, record: number): StoredVerdict {
  const event = context.events[record]?.value ?? {}
  // A record that is sent by itself has the pointers of its payload.
  const isAlone = recordsIn(kind, context)[record]?.index === undefined
  const locate = isAlone ? undefined : (pointer: string) => pointerInRecord(kind, pointer)
  const kept = found.map((group) => storedForm(group, locate))
  const ofSeverity = (severity: Severity) => kept.filter((_, i) => found[i]?.rule.severity === severity)
  return {
    kept,
    findings: () => expandFindings(kept),
    warnings: ofSeverity('warning').reduce((sum, one) => sum + sizeOf(one), 0),
    tallies: !isEventKind(kind.name)
      ? []
      : tallyLines(
          countedLines(event, eventKinds[kind.name]),
          context.products.map(({ value }) => value),
          withGapKeys(ofSeverity('gap'), kind.name),
          (line, list) => !isOffList({ line, list, event }, context),
        ),
  }
}

const countAll = ({ error, warning, gap }: SeverityCounts): number => error + warning + gap

const storedFinding = ({ rule, says, pointer, values }: Found): StoredFinding => [rule.id, says, pointer, ...values]

/** The findings about a payload without the service. */
export interface AloneVerdict extends Pick<Verdict, 'findings' | 'findingCount' | 'severities' | 'refused'> {
  /** Findings that master data may resolve: only the service knows. */
  readonly undecided: readonly Finding[]
}

/** What a payload is judged by without a store. */
interface LocalGrounds extends Omit<Grounds, 'facts' | 'strict'> {
  /** The caller's clock. */
  readonly now: number
}

/** Validates a payload without a store, before it is sent. */
export function judgeAlone(
  kind: RecordKind,
  shape: TSchema,
  body: unknown,
  { now, settings, textBreaches = [] }: LocalGrounds,
): AloneVerdict {
  const reading = readPayload(kind, shape, body)
  const decided: Found[] = [...reading.shapeFindings]
  for (const breach of textBreaches) decided.push(foundInShape(breach))
  const undecided: Found[] = []
  const severities = { error: reading.shapeFindingCount + textBreaches.length, warning: 0, gap: 0 }
  const isRepeated = repetitionsIn(kind)
  const context = contextOf(reading, { ...noFacts, now }, settings, { isStored: false })
  applyRules(kind, context, reading.refusedReads, (rule, breach, place, line) => {
    if (isRepeated(rule, breach, place)) return
    const isOpen = rule.needs.some((fact) => explains[fact](context, line))
    if (!isOpen) severities[rule.severity]++
    const list = isOpen ? undecided : decided
    if (list.length < findingsMax) list.push({ rule, ...breach })
  })
  const errorsFirst = decided
    .map((found) => findingOf(kind, found, found.rule.severity))
    .sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
  return {
    findings: errorsFirst,
    findingCount: countAll(severities),
    severities,
    refused: errorsFirst.some(({ severity }) => severity === 'error'),
    undecided: undecided.map((found) => findingOf(kind, found, found.rule.severity)),
  }
}

/**
 * Whether a fact may resolve a finding of a judgement without facts, about a payload or one of its
 * lines.
 */
const explains: Readonly<Record<FactName, (context: Context, line: LineSubject | undefined) => boolean>> = {
  masterLocations: ({ vendors }) => vendors.length > 0,
  locationsByNumber: ({ vendors }) => vendors.length > 0,
  masterProducts: (context, line) => (line === undefined ? context.vendors.length > 0 : isItemOpen(line, context)),
  timeZones: () => true,
  exemptPlaces: ({ vendors }) => vendors.length > 0,
  // Facts of these rules only add findings.
  heldBy: () => false,
  payloadIdUsedBy: () => false,
}

/**
 * Detects findings about shared locations and products that an earlier record of the payload has as
 * well.
 */
function repetitionsIn({ subject }: RecordKind): (...found: Parameters<TakeFinding>) => boolean {
  let seen: Set<string> | undefined
  return (rule, { says, pointer, values }, { record }) => {
    if (record === undefined || pointer.startsWith(`/${subject}/`)) return false
    const key = JSON.stringify([rule.id, says, pointer, values])
    seen ??= new Set()
    if (seen.has(key)) return true
    seen.add(key)
    return false
  }
}

function foundInShape({ rule: id, section, pointer, message }: ShapeBreach): Found {
  const rule = { ...shapeRules[id], ...(section && { cites: `§${section}` }) }
  return { rule, pointer, says: 'breach', values: [message] }
}

const findingOf = (
  kind: RecordKind,
  { rule, says, pointer, values }: Found,
  severity: Finding['severity'],
): Finding => ({
  rule: rule.id,
  severity,
  pointer,
  message: messageOf(rule, says, values),
  remedy: rule.remedy,
  cites: citesOf(rule, kind.name, { pointer, values }),
  docsUrl: docsUrlOf(rule.id),
})

/** Of master data. */
const noEventRules: EventRules = { payload: [], product: productRules, event: [], lines: {} }

/** What is done with a finding: where its subject is, and the line if it is about one. */
type TakeFinding = (rule: Rule<never>, breach: Breach, place: SubjectPlace, line?: LineSubject) => void

/**
 * Applies every rule to each of its subjects, in catalogue order, and passes on the findings. A
 * rule that read a rejected value reports nothing more about that subject: it would report an
 * invalid value as missing.
 */
function applyRules(kind: RecordKind, context: JudgingContext, refusedReads: RefusedReads, take: TakeFinding): void {
  let rule: Rule<never>
  let subjectLine: LineSubject | undefined
  const place: SubjectPlace = { at: '', record: undefined, list: undefined, entry: 0 }
  const report = (breach: Breach) => {
    if (!refusedReads.any) take(rule, breach, place, subjectLine)
  }
  const apply = <S>(rules: readonly Rule<S>[], subject: S, at: string) => {
    context.at = at
    place.at = at
    for (const one of rules) {
      rule = one
      refusedReads.any = false
      one.check(subject, context, report)
    }
  }
  /** The entries of a list are the records of the payload, or belong to all of them. */
  const applyToEach = <T>(
    list: RecordKind['subject'],
    entries: readonly Placed<T>[],
    applyTo: (entry: Placed<T>) => void,
  ) => {
    const areRecords = kind.subject === list
    for (const entry of entries) {
      place.record = areRecords ? entry.index : undefined
      place.list = areRecords || entry.index === undefined ? undefined : `/${list}`
      place.entry = entry.index ?? 0
      applyTo(entry)
    }
    place.list = undefined
  }
  const ofKind = isEventKind(kind.name) ? eventRules[kind.name] : noEventRules
  apply(payloadRules, context, '')
  apply(ofKind.payload, context, '')
  applyToEach('productMasterDataList', context.products, ({ at, value }) => apply(ofKind.product, value, at))
  applyToEach('locationMasterList', context.locations, ({ at, value }) => apply(locationRules, value, at))
  applyToEach('eventList', context.events, ({ at, value: event }) => {
    apply(ofKind.event, event, at)
    for (const field in ofKind.lines) {
      const rules = ofKind.lines[field] ?? []
      const list = `${at}/${field}`
      for (const line of placeEntries<Loose<ProductLine>>(event, field, at)) {
        place.list = line.index === undefined ? undefined : list
        place.entry = line.index ?? 0
        subjectLine = { line: line.value, list: field, event }
        apply(rules, subjectLine, line.at)
      }
    }
    place.list = undefined
    subjectLine = undefined
  })
}

function viewOf(
  kind: RecordKind,
  payload: Record<string, unknown>,
  hasUnusualText: boolean,
  refusedReads: RefusedReads,
): PayloadView {
  const products = placeEntries<Loose<MasterProduct>>(payload, 'productMasterDataList')
  const locations = placeEntries<Loose<MasterLocation>>(payload, 'locationMasterList')
  const events = kind.subject === 'eventList' ? placeEntries<LooseEvent>(payload, 'eventList') : []
  const described = refusedReads.list(() => locations.map(({ value }) => value).filter(isDescribed))
  const eventKind = isEventKind(kind.name) ? eventKinds[kind.name] : undefined
  return {
    payloadId: payload.payloadId as string | undefined,
    transmissionDateTime: payload.transmissionDateTime as string | undefined,
    hasUnusualText,
    products,
    locations,
    events,
    locationByCode: refusedReads.map(() => firstBy(locations, ({ locationCode }) => locationCode)),
    productByCode: refusedReads.map(() => firstBy(products, ({ itemCode }) => itemCode)),
    vendors: refusedReads.list(() => [
      ...new Set(events.map(({ value }) => value.dataProviderVendorId).filter(isGiven)),
    ]),
    unpackedItems: refusedReads.set(() => unpackedItemsOf(events, eventKind)),
    describedLocations: new Set(described),
    described: numbersOf(described, refusedReads),
    eventKind,
  }
}

/** Of a kind with lists of both: food that is received, and packed under another item. */
function unpackedItemsOf(events: readonly Placed<LooseEvent>[], kind: EventKind | undefined): readonly string[] {
  const [unpacked, packed] = [elementsOf(kind, 'commodity'), elementsOf(kind, 'product')]
  if (unpacked.length === 0 || packed.length === 0) return []
  const itemsIn = (lists: readonly { readonly list: string }[]) =>
    events.flatMap(({ value }) =>
      lists.flatMap(({ list }) => linesIn(value, list).flatMap((line) => line?.vendorItemCode ?? [])),
    )
  const packedItems = new Set(itemsIn(packed))
  return itemsIn(unpacked).filter((item) => !packedItems.has(item))
}

function firstBy<T>(entries: readonly Placed<T>[], codeOf: (entry: T) => string | undefined): Map<string, Placed<T>> {
  const byCode = new Map<string, Placed<T>>()
  for (const entry of entries) {
    const code = codeOf(entry.value)
    if (isGiven(code) && !byCode.has(code)) byCode.set(code, entry)
  }
  return byCode
}

const numbersOf = (locations: readonly Loose<Location>[], refusedReads: RefusedReads): DescribedNumbers => ({
  glns: refusedReads.set(() => locations.map(({ gln }) => gln).filter(isGiven)),
  duns: refusedReads.set(() => locations.map(({ duns }) => duns).filter(isGiven)),
})

/**
 * One context is reused for all subjects: a payload has a hundred of them, and nearly all find
 * nothing.
 */
type JudgingContext = Context & { at: string }

/** The context of rules: the payload, and the facts of the store about it. */
function contextOf(
  { view, refusedReads }: PayloadReading,
  facts: Facts,
  settings: RuleSettings,
  { isStored }: { readonly isStored: boolean },
): JudgingContext {
  let byVendor: Map<string, PlacesByNumber> | undefined
  const placesInForce: Context['placesInForce'] = (vendor, { masterLocations, locationsByNumber }) => {
    byVendor ??= new Map()
    let places = byVendor.get(vendor)
    if (places === undefined) {
      const lines = view.events.flatMap(({ value }) =>
        value.dataProviderVendorId === vendor ? allLinesOf(value, view.eventKind) : [],
      )
      const inForce = refusedReads.map(() =>
        completePlaces(
          view.locations.map(({ value }) => value),
          sourceNumbersOf(lines),
          {
            location: (code) => masterLocations.get(vendorKey(vendor, code)),
            numbered: (number) => locationsByNumber.get(vendorKey(vendor, number)) ?? [],
          },
        ),
      )
      places = placesByNumber(inForce.values())
      byVendor.set(vendor, places)
    }
    return places
  }
  // Listed one by one: a spread took a tenth of the time, and made fields slow to read.
  const isReceipt = view.eventKind?.name === 'receivingEvent'
  return {
    at: '',
    payloadId: view.payloadId,
    transmissionDateTime: view.transmissionDateTime,
    hasUnusualText: view.hasUnusualText,
    products: view.products,
    locations: view.locations,
    events: view.events,
    locationByCode: view.locationByCode,
    productByCode: view.productByCode,
    eventKind: view.eventKind,
    unpackedItems: view.unpackedItems,
    vendors: view.vendors,
    describedLocations: view.describedLocations,
    described: view.described,
    facts,
    settings,
    isStored,
    placesInForce,
    exemptionOf: (event) => (isReceipt ? exemptionOf(event, facts.exemptPlaces) : undefined),
    firstHolders: new Map(),
  }
}

/**
 * The entries of a field that holds one object or a list of them. A rejected entry or list counts
 * as an entry whose every field was rejected.
 */
function placeEntries<T extends object>(holder: object, field: string, holderAt = ''): readonly Placed<T>[] {
  const at = `${holderAt}/${field}`
  const value = (holder as Record<string, T | readonly (T | undefined)[] | undefined>)[field]
  if (value === undefined) {
    const refused = refusedEntry<T>(holder, field)
    return refused === undefined ? [] : [{ at, value: refused }]
  }
  if (!Array.isArray(value)) return [{ at, value: value as T }]
  return value.map((entry: T | undefined, index) => ({
    at: `${at}/${index}`,
    index,
    value: entry ?? (refusedEntry<T>(value, index) as T),
  }))
}

/** The pointer of a finding about a payload with several records, relative to its record. */
function pointerInRecord({ subject }: RecordKind, pointer: string): string {
  const list = `/${subject}`
  return pointer.startsWith(`${list}/`) ? list + pointer.slice(list.length).replace(/^\/\d+(\/|$)/, '$1') : pointer
}
