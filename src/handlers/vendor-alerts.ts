// Finds out which vendors are below their target, silent, or refused more than usual.
import { dayAfter, firstOfMonthBefore } from '../contract/date-and-time.ts'
import { countedEventsMax } from '../operations/completeness.ts'
import {
  alertedDays,
  refusalDays,
  refusalsMin,
  usualRefusalDays,
  type VendorAlerts,
} from '../operations/vendor-alerts.ts'
import { areMoreThan, countBuckets, lastDeliveries, newestEventDate } from '../store/completeness.ts'
import { countRefusals, type RefusalCounts } from '../store/refusals.ts'
import { recordsOf, shareOf } from './completeness.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'
import { latestInstant } from './line-selection.ts'
import { recountingOf } from './recounts.ts'
import { readTargets, type TargetsInForce } from './vendor-targets.ts'

type Alert = VendorAlerts['content'][number]

/** Vendors whose completeness is looked at: those with the most incomplete lines. */
const comparedVendorsMax = 500

export const listVendorAlerts =
  (context: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const recounting = await recountingOf(context, provider)
    const content = await findAlerts(context, provider, new Date())
    return { outcome: 'listed', body: { content, recounting } satisfies VendorAlerts }
  }

/** What is to say about the vendors of a provider at a moment. */
async function findAlerts(context: HandlerContext, provider: string, now: Date): Promise<Alert[]> {
  const targets = await readTargets(context.store, provider)
  const [below, silent, refused] = await Promise.all([
    findBelowTarget(context, provider, targets),
    findSilent(context, provider, targets, now),
    findRefused(context, provider, targets, now),
  ])
  return [...refused, ...below, ...silent].sort(
    (one, other) => Number(other.dataProviderVendorId === null) - Number(one.dataProviderVendorId === null),
  )
}

async function findBelowTarget({ store }: HandlerContext, provider: string, targets: TargetsInForce): Promise<Alert[]> {
  const newest = await newestEventDate(store, provider, latestInstant())
  if (newest === undefined) return []
  const selection = { ...everyLine, eventStartDate: dayAfter(newest, 1 - alertedDays), eventEndDate: newest }
  if (await areMoreThan(store, provider, selection, countedEventsMax)) return []
  // One bucket of months would be two where the days touch two: the counts are summed here.
  const { buckets } = await countBuckets(store, provider, selection, 'month', comparedVendorsMax)
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
            kind: 'belowTarget' as const,
            dataProviderVendorId: vendor,
            share,
            target,
            incompleteLines: lines - completeLines,
            records: recordsOf({ ...selection, dataProviderVendorId: [vendor] }),
          },
        ]
  })
}

const everyLine = { dataProviderVendorId: undefined, shipToLocationCode: undefined, vendorItemCode: undefined }

/** True of an expected vendor whose last event is too many days ago, or who has none. */
export const isSilent = (lastEventDate: string | null, silentDays: number | null, today: string): boolean =>
  silentDays !== null && (lastEventDate === null || lastEventDate <= dayAfter(today, -silentDays))

async function findSilent(
  { store }: HandlerContext,
  provider: string,
  targets: TargetsInForce,
  now: Date,
): Promise<Alert[]> {
  if ([targets.ofAll, ...targets.vendors.map(targets.of)].every(({ silentDays }) => silentDays === null)) return []
  const today = now.toISOString().slice(0, 10)
  // Events of the future are deliveries too, whatever is wrong with their date.
  const selection = { ...everyLine, eventStartDate: firstOfMonthBefore(today, 12), eventEndDate: '9999-12-31' }
  if (await areMoreThan(store, provider, selection, countedEventsMax)) return []
  const delivered = new Map(
    (await lastDeliveries(store, provider, selection)).map(({ dataProviderVendorId, date }) => [
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
      : [{ kind: 'silentVendor' as const, dataProviderVendorId: vendor, lastEventDate, silentDays: silentDays ?? 0 }]
  })
}

async function findRefused(
  { store }: HandlerContext,
  provider: string,
  targets: TargetsInForce,
  now: Date,
): Promise<Alert[]> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const { total, vendors } = await countRefusals(store, provider, {
    start: daysAgo(refusalDays + usualRefusalDays),
    recent: daysAgo(refusalDays),
    end: now,
  })
  const alertOf = ({ dataProviderVendorId, recent, before }: RefusalCounts, factor: number): Alert[] => {
    const usual = Math.max(1, Math.round((10 * before * refusalDays) / usualRefusalDays) / 10)
    return recent < refusalsMin || recent <= factor * usual
      ? []
      : [{ kind: 'refusalsAboveNormal', dataProviderVendorId, refusals: recent, usual, factor }]
  }
  return [
    ...alertOf(total, targets.ofAll.refusalFactor),
    ...vendors.flatMap((counts) => alertOf(counts, targets.of(counts.dataProviderVendorId ?? '').refusalFactor)),
  ]
}
