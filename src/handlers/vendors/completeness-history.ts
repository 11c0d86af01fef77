// Completeness of lines over time: in all, and vendor by vendor, each against its target.
import { receivingEvent } from '../../contract/record-kinds.ts'
import { dayAfter, lastDayOf } from '../../contract/shape/date-and-time.ts'
import { countedEventsMax } from '../../operations/traceability/completeness.ts'
import {
  bucketDaysMax,
  buckets,
  type CompletenessHistory,
  vendorsShown,
} from '../../operations/vendors/completeness-history.ts'
import {
  areMoreThan,
  type Bucket,
  type BucketCounts,
  countBuckets,
  type LineSelection,
} from '../../store/traceability/completeness.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { readLabel, tooManyEvents } from '../traceability/completeness.ts'
import { recordsOf, shareOf } from '../traceability/completeness-counts.ts'
import { readLineSelection } from '../traceability/line-selection.ts'
import { recountingOf } from '../traceability/recounts.ts'
import { readTargets } from './vendor-targets.ts'

/** Months covered when no dates are given: about as many buckets for each size. */
const monthsOf: Readonly<Record<Bucket, number>> = { month: 12, week: 6, day: 2 }

export const readCompletenessHistory =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'counted' | 'badQuery'>> => {
    const { store } = context
    const { provider, query } = call
    // Read first, so that the later counts include at least all that no recount awaits.
    const recounting = await recountingOf(context, provider)
    const bucket = buckets.find((one) => one === query.bucket) ?? buckets[0]
    const selection = await readLineSelection(
      context,
      provider,
      { query, lists: call.lists, kind: receivingEvent.name },
      monthsOf[bucket],
    )
    if (selection !== undefined && 'outcome' in selection) return selection
    const targets = await readTargets(store, provider)
    if (selection === undefined)
      return { outcome: 'counted', body: { ...nothing(bucket, targets.ofAll.completeShare), recounting } }
    const { eventStartDate, eventEndDate } = selection
    if (bucket === 'day' && eventEndDate > dayAfter(eventStartDate, bucketDaysMax - 1))
      return {
        outcome: 'badQuery',
        detail: `The period from ${eventStartDate} to ${eventEndDate} has more than ${bucketDaysMax} days. Ask for a shorter period, or for weeks or months.`,
      }
    if (await areMoreThan(store, provider, selection, countedEventsMax)) return tooManyEvents(selection)
    const { buckets: counted, vendorCount } = await countBuckets(store, provider, {
      selection,
      bucket,
      limit: Number(query.limit ?? vendorsShown.default),
    })
    const all = counted.filter(({ dataProviderVendorId }) => dataProviderVendorId === null)
    const body: CompletenessHistory = {
      eventStartDate,
      eventEndDate,
      bucket,
      target: targets.ofAll.completeShare,
      total: { ...countsOf(all), records: recordsOf(selection) },
      buckets: all.map((one) => bucketOf(one, bucket, selection)),
      vendors: await Promise.all(
        vendorsOf(counted).map(async ([vendor, own]) => {
          const ofVendor = { ...selection, dataProviderVendorId: [vendor] }
          const latest = own.reduce((last, one) => (one.latest > last ? one.latest : last), '')
          return {
            dataProviderVendorId: vendor,
            label: await readLabel(context, provider, {
              by: 'dataProviderVendorId',
              key: vendor,
              event: `${latest} ${receivingEvent.name}`,
            }),
            target: targets.of(vendor).completeShare,
            ...countsOf(own),
            buckets: own.map((one) => bucketOf(one, bucket, ofVendor)),
            records: recordsOf(ofVendor),
          }
        }),
      ),
      vendorCount,
      recounting,
    }
    return { outcome: 'counted', body }
  }

const nothing = (bucket: Bucket, target: number): Omit<CompletenessHistory, 'recounting'> => ({
  eventStartDate: null,
  eventEndDate: null,
  bucket,
  target,
  total: { ...countsOf([]), records: recordsOf({}) },
  buckets: [],
  vendors: [],
  vendorCount: 0,
})

/** Vendors with their buckets, the most incomplete lines first. */
function vendorsOf(counted: readonly BucketCounts[]): readonly (readonly [string, readonly BucketCounts[]])[] {
  const byVendor = new Map<string, BucketCounts[]>()
  for (const one of counted) {
    if (one.dataProviderVendorId === null) continue
    const own = byVendor.get(one.dataProviderVendorId)
    if (own === undefined) byVendor.set(one.dataProviderVendorId, [one])
    else own.push(one)
  }
  const incomplete = (own: readonly BucketCounts[]) =>
    own.reduce((sum, { lines, completeLines }) => sum + lines - completeLines, 0)
  return [...byVendor].sort(
    ([vendor, own], [other, others]) => incomplete(others) - incomplete(own) || (vendor < other ? -1 : 1),
  )
}

function countsOf(counted: readonly BucketCounts[]) {
  const sum = (count: 'events' | 'lines' | 'completeLines') => counted.reduce((total, one) => total + one[count], 0)
  const [lines, completeLines] = [sum('lines'), sum('completeLines')]
  return { events: sum('events'), lines, completeLines, share: shareOf(completeLines, lines) }
}

/** A bucket with its dates, of which those outside of the period were not counted. */
function bucketOf({ start, lines, completeLines }: BucketCounts, bucket: Bucket, selection: LineSelection) {
  const end = bucket === 'month' ? lastDayOf(start.slice(0, 7)) : bucket === 'week' ? dayAfter(start, 6) : start
  const startDate = start > selection.eventStartDate ? start : selection.eventStartDate
  const endDate = end < selection.eventEndDate ? end : selection.eventEndDate
  return {
    startDate,
    endDate,
    lines,
    completeLines,
    share: shareOf(completeLines, lines),
    records: recordsOf({ ...selection, eventStartDate: startDate, eventEndDate: endDate }),
  }
}
