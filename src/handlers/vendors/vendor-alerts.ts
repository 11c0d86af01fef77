// Finds out which vendors are below their target, silent, or refused more than usual. Source:
// decisions 0068, 0073.
import { dayAfter, firstOfMonthBefore } from '../../contract/shape/date-and-time.ts'
import { countedEventsMax } from '../../operations/traceability/completeness.ts'
import { type Alert, alertedDays, refusalDays, refusalsMin, usualRefusalDays } from '../../operations/vendors/alerts.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { countRefusals, type RefusalCounts } from '../../store/records/refusals.ts'
import { areMoreThan, countBuckets, lastDeliveries, newestEventDate } from '../../store/traceability/completeness.ts'
import { recordsOf, shareOf } from '../traceability/completeness-counts.ts'
import { latestInstant } from '../traceability/line-selection.ts'
import type { TargetsInForce } from './vendor-targets.ts'

/** An alert as a look finds it: its type and vendor, and its figures. */
export type FoundAlert = Alert extends infer One
  ? One extends Alert
    ? Pick<One, 'type' | 'dataProviderVendorId' | 'data'>
    : never
  : never

/** Undefined where a count would take too long: existing alerts stay as they are. */
export type Found = readonly FoundAlert[] | undefined

/** Vendors whose completeness is checked: those with the most incomplete lines. */
const comparedVendorsMax = 500

export async function findBelowTarget(store: Queryable, provider: string, targets: TargetsInForce): Promise<Found> {
  const newest = await newestEventDate(store, { provider, until: latestInstant(), kind: 'receivingEvent' })
  if (newest === undefined) return []
  const selection = { ...everyLine, eventStartDate: dayAfter(newest, 1 - alertedDays), eventEndDate: newest }
  if (await areMoreThan(store, provider, selection, countedEventsMax)) return undefined
  // One bucket of months would be two where the days touch two: the counts are summed here.
  const { buckets } = await countBuckets(store, provider, { selection, bucket: 'month', limit: comparedVendorsMax })
  const byVendor = new Map<string, { lines: number; completeLines: number }>()
  for (const { dataProviderVendorId: vendor, lines, completeLines } of buckets) {
    if (vendor === null) continue
    const sum = byVendor.get(vendor) ?? { lines: 0, completeLines: 0 }
    byVendor.set(vendor, { lines: sum.lines + lines, completeLines: sum.completeLines + completeLines })
  }
  return [...byVendor].flatMap(([vendor, { lines, completeLines }]) => {
    const share = shareOf(completeLines, lines)
    const target = targets.of(vendor).completeShare
    return share === null || share >= target
      ? []
      : [
          {
            type: 'alert.completenessBelowTarget' as const,
            dataProviderVendorId: vendor,
            data: {
              share,
              target,
              incompleteLines: lines - completeLines,
              records: recordsOf({ ...selection, dataProviderVendorId: [vendor] }),
            },
          },
        ]
  })
}

/** Of deliveries: vendors have targets of what they deliver. */
const everyLine = {
  kind: 'receivingEvent',
  dataProviderVendorId: undefined,
  shipToLocationCode: undefined,
  vendorItemCode: undefined,
} as const

/** True of an expected vendor without a recent event. */
export const isSilent = (lastEventDate: string | null, silentDays: number | null, today: string): boolean =>
  silentDays !== null && (lastEventDate === null || lastEventDate <= dayAfter(today, -silentDays))

export async function findSilent(
  store: Queryable,
  provider: string,
  targets: TargetsInForce,
  now: Date,
): Promise<Found> {
  if ([targets.ofAll, ...targets.vendors.map(targets.of)].every(({ silentDays }) => silentDays === null)) return []
  const today = now.toISOString().slice(0, 10)
  // Events in the future are deliveries too, with a wrong date.
  const selection = { ...everyLine, eventStartDate: firstOfMonthBefore(today, 12), eventEndDate: '9999-12-31' }
  if (await areMoreThan(store, provider, selection, countedEventsMax)) return undefined
  const delivered = new Map(
    (await lastDeliveries(store, { ...selection, provider })).map(({ dataProviderVendorId, date }) => [
      dataProviderVendorId,
      date,
    ]),
  )
  return [...new Set([...targets.vendors, ...delivered.keys()])].sort().flatMap((vendor) => {
    const { silentDays } = targets.of(vendor)
    const lastEventDate = delivered.get(vendor) ?? null
    // A vendor that never delivered is expected only where it has targets of its own.
    return !isSilent(lastEventDate, silentDays, today)
      ? []
      : [
          {
            type: 'alert.vendorSilent' as const,
            dataProviderVendorId: vendor,
            data: { lastEventDate, silentDays: silentDays ?? 0 },
          },
        ]
  })
}

export async function findRefused(
  store: Queryable,
  provider: string,
  targets: TargetsInForce,
  now: Date,
): Promise<Found> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const { total, vendors } = await countRefusals(store, {
    provider,
    start: daysAgo(refusalDays + usualRefusalDays),
    recent: daysAgo(refusalDays),
    end: now,
  })
  const alertOf = ({ dataProviderVendorId, recent, before }: RefusalCounts, factor: number): FoundAlert[] => {
    const usual = Math.max(1, Math.round((10 * before * refusalDays) / usualRefusalDays) / 10)
    return recent < refusalsMin || recent <= factor * usual
      ? []
      : [{ type: 'alert.refusalsAboveNormal', dataProviderVendorId, data: { refusals: recent, usual, factor } }]
  }
  return [
    ...alertOf(total, targets.ofAll.refusalFactor),
    ...vendors.flatMap((counts) => alertOf(counts, targets.of(counts.dataProviderVendorId ?? '').refusalFactor)),
  ]
}
