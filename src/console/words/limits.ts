// The limits of the service as a person reads them: in groups, and in words of the trade. Pure.
import type { Limit } from '../../client/generated/shapes.ts'

/** A limit that has no words here keeps those of the service, in the last group. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Records and lines': {
    productLines: 'Product lines of one event',
    products: 'Products listed in one event',
    locations: 'Locations listed in one event',
    stringLength: 'Length of one text, such as a name or code',
    body: 'Size of one record',
    recordsOfCreate: 'Records that a program sends in one request',
    createdTogether: 'Size of all records of one request',
  },
  'Files and reports': {
    exportEvents: 'Events in one FDA package or other export',
    exportLines: 'Product lines in one export',
    traceEvents: 'Events in the trace of one lot',
    traceLines: 'Product lines in the trace of one lot',
    completenessMonths: 'Months that completeness covers at once',
    completenessEvents: 'Events that completeness counts at once',
    eventDays: 'Days shown at once in events by day',
    findings: 'Findings listed for one record; all are counted',
    pageEntries: 'Entries that a list loads at once',
    legalHolds: 'Active legal holds',
  },
  'Keys and requests': {
    requestsOfKey: 'Requests of one key',
    failedSignIns: 'Requests without a valid key from one address',
    requestArrival: 'Time for a request to arrive',
    silence: 'Silence during a request, after which the connection is closed',
    statement: 'Time for one question to the database',
    idempotencyKeyLife: 'Time for which a repeated create is recognized, at least',
  },
}

const other = 'For programs and operators'

const groupOf = (name: string): string =>
  Object.keys(groups).find((title) => Object.hasOwn(groups[title] ?? {}, name)) ?? other

/** All limits by group, in the order of the words above. */
export function limitGroups(
  limits: readonly Limit[],
): readonly { readonly title: string; readonly content: readonly Limit[] }[] {
  return [...Object.keys(groups), other].flatMap((title) => {
    const words = groups[title] ?? {}
    const names = Object.keys(words)
    const content = limits
      .filter(({ name }) => groupOf(name) === title)
      .sort((one, two) => names.indexOf(one.name) - names.indexOf(two.name))
      .map((limit) => ({ ...limit, meaning: words[limit.name] ?? limit.meaning }))
    return content.length === 0 ? [] : [{ title, content }]
  })
}

/** `10 MiB`, `30 seconds`, `5,000 lines`; null as "no limit". */
export function limitWords(value: number | null, unit: string): string {
  if (value === null) return 'no limit'
  if (unit === 'ms') return value < 1_000 ? `${value} ms` : `${value / 1_000} seconds`
  if (unit === 'bytes') {
    const [divisor, words] = value >= 2 ** 20 ? [2 ** 20, 'MiB'] : value >= 2 ** 10 ? [2 ** 10, 'KiB'] : [1, 'bytes']
    return `${(Math.round((value / divisor) * 10) / 10).toLocaleString('en')} ${words}`
  }
  return `${value.toLocaleString('en')} ${unit}`
}
