// From a payload to its verdict: all findings at once, in catalogue order. Pure: facts of the store
// are a parameter.
import type { TSchema } from 'typebox'
import { completePlaces, sourceNumbersOf } from '../contract/completion.ts'
import type { Location, MasterLocation } from '../contract/location.ts'
import { isDescribed } from '../contract/location-description.ts'
import type { MasterProduct } from '../contract/product.ts'
import type { ProductLine } from '../contract/product-line.ts'
import type { ReceivingEvent } from '../contract/receiving-event.ts'
import { isEventKind, type RecordKind } from '../contract/record-kinds.ts'
import { isGiven } from '../contract/shape/field.ts'
import {
  docsUrlOf,
  type Finding,
  findingsMax,
  type SeverityCounts,
  type StoredFinding,
} from '../contract/shape/finding.ts'
import { type Loose, readShape, type ShapeBreach } from '../contract/shape/read-shape.ts'
import { type EventRules, eventRules, locationRules, payloadRules, productRules } from './catalogue.ts'
import { type ItemTally, tallyLines } from './completeness.ts'
import { type FactsWanted, factsWanted } from './facts-wanted.ts'
import { isItemOpen, isOffList } from './product-line.ts'
import { RefusedReads, refusedEntry } from './refused-reads.ts'
import {
  type Breach,
  type Context,
  type DescribedNumbers,
  type FactName,
  type Facts,
  type LineSubject,
  noFacts,
  type Placed,
  type Rule,
  type RuleSettings,
  vendorKey,
} from './rule.ts'
import { shapeRules } from './shape.ts'
import { citesOf, messageOf } from './stored-findings.ts'

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

type PayloadView = Omit<Context, 'at' | 'facts' | 'settings' | 'placesInForce' | 'isStored'>

interface Found extends Omit<Breach, 'vendors'> {
  readonly rule: Rule<never>
  /** The record of the payload it concerns; absent when it concerns all. */
  readonly record?: number | undefined
  readonly vendors?: readonly string[] | undefined
  /**
   * True when an earlier record has the same finding about a place they share. It is stored with
   * its record, and listed once.
   */
  readonly repeated?: boolean
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
  /** Warnings and gaps, with pointers into the record. */
  readonly findings: readonly StoredFinding[]
  /** The number of warnings among them. */
  readonly warnings: number
  /** Its completeness, of a kind that is counted. */
  readonly tallies: readonly ItemTally[]
}

/** Reads a payload according to its shape, and determines the facts that its rules need. */
export function readPayload(kind: RecordKind, shape: TSchema, body: unknown): PayloadReading {
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
    refusedReads.note,
    () => {
      hasUnusualText = true
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
  const others: Found[] = []
  // Breaches of the shape are listed up to a limit, and counted beyond.
  const severities = { error: reading.shapeFindingCount - reading.shapeFindings.length, warning: 0, gap: 0 }
  const isRepeated = repetitionsIn(kind)
  const take = (found: Found) => {
    const one = isRepeated(found) ? { ...found, repeated: true } : found
    const severity = severityOf(one.rule)
    if (!one.repeated) severities[severity]++
    if (severity === 'error') {
      if (one.repeated) return
      if (isStored || errors.length < findingsMax) errors.push(one)
    }
    // Findings that are neither listed nor stored are only counted: a hostile body can have a
    // million.
    else if (isStored || errors.length === 0 || (others.length < findingsMax && !one.repeated)) others.push(one)
  }
  for (const one of reading.shapeFindings) take(one)
  for (const breach of textBreaches) take(foundInShape(breach))
  const context = contextOf(reading, facts, settings, { isStored })
  applyRules(kind, context, reading.refusedReads, take)
  let listed: readonly Finding[] | undefined
  return {
    refused: errors.length > 0,
    findingCount: countAll(severities),
    severities,
    // Computed on demand: few writes return their findings.
    get findings() {
      listed ??= [...errors, ...others.filter(({ repeated }) => !repeated)]
        .slice(0, findingsMax)
        .map((found) => findingOf(kind, found, severityOf(found.rule)))
      return listed
    },
    all: () => [...errors, ...others].map(storedFinding),
    records: () =>
      findingsByRecord(kind, others, context).map((found, record) => storedVerdict(kind, found, context, record)),
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

/**
 * Findings by record, in their order. A shared location concerns every record, or those of some
 * vendors.
 */
function findingsByRecord(kind: RecordKind, found: readonly Found[], context: Context): readonly Found[][] {
  const records = recordsIn(kind, context).map(({ value }) => ({
    vendor: value.dataProviderVendorId,
    found: [] as Found[],
  }))
  for (const one of found) {
    const concerned = one.record === undefined ? records : records.slice(one.record, one.record + 1)
    for (const record of concerned)
      if (one.vendors === undefined || (record.vendor !== undefined && one.vendors.includes(record.vendor)))
        record.found.push(one)
  }
  return records.map(({ found }) => found)
}

function storedVerdict(kind: RecordKind, found: readonly Found[], context: Context, record: number): StoredVerdict {
  const event = context.events[record]?.value ?? {}
  const placed = found.map((one) => ({ ...one, pointer: pointerInRecord(kind, one) }))
  return {
    findings: placed.map(storedFinding),
    warnings: placed.filter(({ rule }) => rule.severity === 'warning').length,
    tallies: tallyLines(
      (event.productList ?? []) as readonly Loose<ProductLine>[],
      context.products.map(({ value }) => value),
      placed.filter(({ rule }) => rule.severity === 'gap').map(({ rule, pointer }) => ({ rule: rule.id, pointer })),
      (line) => !isOffList({ line, event }, context),
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
  applyRules(kind, context, reading.refusedReads, (found, line) => {
    if (isRepeated(found)) return
    const isOpen = found.rule.needs.some((fact) => explains[fact](context, line))
    if (!isOpen) severities[found.rule.severity]++
    const list = isOpen ? undecided : decided
    if (list.length < findingsMax) list.push(found)
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
  // Facts of these rules only add findings.
  heldBy: () => false,
  payloadIdUsedBy: () => false,
}

/**
 * Detects findings about shared locations and products that an earlier record of the payload has as
 * well.
 */
function repetitionsIn({ subject }: RecordKind): (found: Found) => boolean {
  let seen: Set<string> | undefined
  return ({ rule, says, pointer, values, record }) => {
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
  cites: citesOf(rule, kind.name),
  docsUrl: docsUrlOf(rule.id),
})

/** Of master data. */
const noEventRules: EventRules = { payload: [], event: [], line: [] }

/**
 * Applies every rule to each of its subjects, in catalogue order, and passes on the findings, with
 * the line if it is about one. A rule that read a rejected value reports nothing more about that
 * subject: it would report an invalid value as missing.
 */
function applyRules(
  kind: RecordKind,
  context: JudgingContext,
  refusedReads: RefusedReads,
  take: (found: Found, line: LineSubject | undefined) => void,
): void {
  let rule: Rule<never>
  let record: number | undefined
  let subjectLine: LineSubject | undefined
  // Listed one by one: a spread took a third of the time for 50,000 empty lines.
  const report = ({ pointer, says, values, vendors }: Breach) => {
    if (!refusedReads.any) take({ pointer, says, values, rule, record, vendors }, subjectLine)
  }
  const apply = <S>(rules: readonly Rule<S>[], subject: S, at: string) => {
    context.at = at
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
    for (const entry of entries) {
      record = kind.subject === list ? entry.index : undefined
      applyTo(entry)
    }
  }
  const ofKind = isEventKind(kind.name) ? eventRules[kind.name] : noEventRules
  apply(payloadRules, context, '')
  apply(ofKind.payload, context, '')
  applyToEach('productMasterDataList', context.products, ({ at, value }) => apply(productRules, value, at))
  applyToEach('locationMasterList', context.locations, ({ at, value }) => apply(locationRules, value, at))
  applyToEach('eventList', context.events, ({ at, value: event }) => {
    apply(ofKind.event, event, at)
    for (const line of placeEntries<Loose<ProductLine>>(event, 'productList', at)) {
      subjectLine = { line: line.value, event }
      apply(ofKind.line, subjectLine, line.at)
    }
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
  const events = kind.subject === 'eventList' ? placeEntries<Loose<ReceivingEvent>>(payload, 'eventList') : []
  const described = refusedReads.list(() => locations.map(({ value }) => value).filter(isDescribed))
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
    describedLocations: new Set(described),
    described: numbersOf(described, refusedReads),
  }
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
  let byVendor: Map<string, ReturnType<Context['placesInForce']>> | undefined
  const placesInForce: Context['placesInForce'] = (vendor, { masterLocations, locationsByNumber }) => {
    byVendor ??= new Map()
    let places = byVendor.get(vendor)
    if (places === undefined) {
      const lines = view.events.flatMap(({ value }) =>
        value.dataProviderVendorId === vendor ? (value.productList ?? []) : [],
      )
      places = refusedReads.map(() =>
        completePlaces(
          view.locations.map(({ value }) => value),
          sourceNumbersOf(lines),
          {
            location: (code) => masterLocations.get(vendorKey(vendor, code)),
            numbered: (number) => locationsByNumber.get(vendorKey(vendor, number)) ?? [],
          },
        ),
      )
      byVendor.set(vendor, places)
    }
    return places
  }
  // Listed one by one: a spread took a tenth of the time, and made fields slow to read.
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
    vendors: view.vendors,
    describedLocations: view.describedLocations,
    described: view.described,
    facts,
    settings,
    isStored,
    placesInForce,
  }
}

/**
 * The entries of a field that holds one object or a list of them. A rejected entry or list counts
 * as an entry whose every field was rejected.
 */
function placeEntries<T extends object>(
  holder: object,
  field: RecordKind['subject'] | 'productList',
  holderAt = '',
): readonly Placed<T>[] {
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
function pointerInRecord({ subject }: RecordKind, { pointer }: Found): string {
  const list = `/${subject}`
  return pointer.startsWith(`${list}/`) ? list + pointer.slice(list.length).replace(/^\/\d+(\/|$)/, '$1') : pointer
}
