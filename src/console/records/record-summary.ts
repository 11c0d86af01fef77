// Texts by which people recognise a record. The service accepted the payload, yet every part may be
// missing. Pure.

import {
  type EventKindName,
  eventKinds,
  isEventKind,
  placeFieldsOf,
  type RecordKindName,
} from '../../contract/record-kinds.ts'
import { type Finding, type Severity, type SeverityCounts, severities } from '../../contract/shape/finding.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { dateTimeWords } from '../words/labels.ts'

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : String(value)

/** The non-empty texts, with a separator. */
export const joinGiven = (separator: string, ...parts: readonly unknown[]): string =>
  parts
    .map(textOf)
    .filter((part) => part.trim() !== '')
    .join(separator)

export interface EventSummary {
  readonly received: string
  readonly from: string
  readonly to: string
  readonly purchaseOrder: string
  readonly vendor: string
  /** Each once, in order. */
  readonly lotCodes: readonly string[]
  readonly lineCount: number
}

export function eventSummary(record: Fields): EventSummary {
  const event = fieldsOf(record.eventList)
  const lines = listOf(event.productList)
  const places = listOf(record.locationMasterList)
  const named = (code: unknown) =>
    textOf(places.find((place) => place.locationCode === code)?.locationName) || textOf(code)
  return {
    received: dateTimeWords(textOf(event.eventDateTime)),
    from: named(event.shipFromLocationCode),
    to: named(event.shipToLocationCode),
    purchaseOrder: textOf(event.purchaseOrderNumber),
    vendor: textOf(event.dataProviderVendorName) || textOf(event.dataProviderVendorId),
    lotCodes: [...new Set(lines.map(({ caseLotNumber }) => textOf(caseLotNumber)).filter(Boolean))],
    lineCount: lines.length,
  }
}

/** Names of the locations of an event, in the way of the goods. */
export function placeNames(record: Fields, kind: EventKindName): readonly string[] {
  const event = fieldsOf(record.eventList)
  const places = listOf(record.locationMasterList)
  return placeFieldsOf(eventKinds[kind])
    .map((field) => event[field])
    .map((code) => textOf(places.find(({ locationCode }) => locationCode === code)?.locationName) || textOf(code))
}

/** The name of the record on its pages: beside its noun, and enough to distinguish it. */
export function recordName(kind: RecordKindName, record: Fields): string {
  if (isEventKind(kind)) {
    const event = fieldsOf(record.eventList)
    return eventKinds[kind].namedBy.map((field) => textOf(event[field])).find(Boolean) ?? ''
  }
  return kind === 'location'
    ? textOf(fieldsOf(record.locationMasterList).locationCode)
    : textOf(fieldsOf(record.productMasterDataList).itemCode)
}

const referenceKinds = ['Gln', 'Ffrn', 'Fei', 'Duns', 'Url', 'Other'] as const

/** Who assigned the lot code of a line: its references, or its name and place. */
export function tlcSourceWords(line: Fields): string {
  const references = referenceKinds.flatMap((kind) => {
    const value = textOf(line[`tlcSourceReference${kind}`])
    if (value === '') return []
    return kind === 'Other' || kind === 'Url' ? [value] : [`${kind.toUpperCase()} ${value}`]
  })
  if (references.length > 0) return references.join(', ')
  return joinGiven(', ', line.tlcSourceName, line.tlcSourceCity, line.tlcSourceState)
}

const nouns: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', gap: 'gap' }

export function countSeverities(findings: readonly Finding[]): SeverityCounts {
  const counts = { error: 0, warning: 0, gap: 0 }
  for (const { severity } of findings) counts[severity]++
  return counts
}

/** Counts by severity in words, the worst first. */
export const severityCounts = (
  counts: SeverityCounts,
): readonly { readonly severity: Severity; readonly words: string }[] =>
  severities.flatMap((severity) =>
    counts[severity] === 0 ? [] : [{ severity, words: pluralize(counts[severity], nouns[severity]) }],
  )
