// docs/reference/searches.md: the SQL that src/store/records/search.ts composes, for those who read
// it or a slow query.
import '../src/store/records/events.ts'
import '../src/store/records/locations.ts'
import '../src/store/records/master-products.ts'
import { rangeMax, scanMax, searches } from '../src/store/records/search.ts'

/** Filters that are often used together, and whose SQL has a form of its own. */
const combinations: readonly (readonly string[])[] = [
  ['eventStartDate', 'eventEndDate'],
  ['eventStartDate', 'eventEndDate', 'shipToLocationCode'],
  ['eventStartDate', 'eventEndDate', 'dataProviderVendorId'],
  ['lotCode', 'itemCode'],
  ['lotCode', 'eventStartDate', 'eventEndDate'],
  ['purchaseOrderNumber', 'shipToLocationCode'],
  ['shipToLocationCode', 'submitStartDateTime', 'submitEndDateTime'],
  ['itemCode', 'dataProviderVendorId'],
  ['locationCode', 'dataProviderVendorId'],
]

export function searchSections(): string[] {
  for (const used of combinations)
    if (![...searches.values()].some(({ conditions }) => used.every((one) => conditions.includes(one))))
      throw new Error(`No search has all of these filters: ${used.join(', ')}.`)
  return [
    'The SQL of the lists. `src/store/records/search.ts` composes it from the filters of a request; [decision 0025](../decisions/0025-lists-from-indexes.md) says why it looks like this.',
    `A search first runs the *bounded scan*: a scan of one index, or of a range of dates with at most ${rangeMax.toLocaleString('en')} events. It checks at most ${scanMax} records against other filters. If it neither fills the page nor comes to an end, the search runs the *full scan*, which finds all matches. Where there is no full scan, the bounded scan finds all.`,
    '`$1` is the provider, `$2` the size of the page plus one, then the values of the filters in the order of the heading. On the pages after the first, `$3` is the id to continue below, and the filters follow it: printed below for the search without filters.',
    // Sorted: their order otherwise depends on which file is imported first.
    ...[...searches]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, { conditions, textOf }]) => {
        const texts = (used: readonly string[], before = false): string[] => {
          const { boundedScan, fullScan } = textOf(used, { isBelow: before })
          return [
            'Bounded scan:',
            sqlBlock(boundedScan),
            ...(fullScan === undefined ? [] : ['Full scan:', sqlBlock(fullScan)]),
          ]
        }
        const together = combinations.filter((used) => used.every((one) => conditions.includes(one)))
        return [
          `## ${name}`,
          '### No filter',
          ...texts([]),
          'The pages after the first:',
          ...texts([], true).slice(1),
          ...[...conditions.map((one) => [one]), ...together].flatMap((used) => [
            // In the order in which their values are sent.
            `### ${conditions
              .filter((one) => used.includes(one))
              .map((one) => `\`${one}\``)
              .join(', ')}`,
            ...texts(used),
          ]),
        ]
      }),
  ]
}

const sqlBlock = (sql: string): string => `\`\`\`sql\n${indent(sql)}\n\`\`\``

/**
 * As it is sent but for the space at the beginning of lines, which follows the parentheses here.
 */
function indent(sql: string): string {
  let depth = 0
  return sql
    .split('\n')
    .map((line) => line.trim().replaceAll(/ {2,}/g, ' '))
    .filter((line) => line !== '')
    .map((line) => {
      const closing = /^\)+/.exec(line)?.[0].length ?? 0
      const text = '  '.repeat(Math.max(0, depth - closing)) + line
      depth += (line.match(/\(/g)?.length ?? 0) - (line.match(/\)/g)?.length ?? 0)
      return text
    })
    .join('\n')
}
