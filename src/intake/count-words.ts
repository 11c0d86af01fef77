// Counts of an import in words, the same on the command line and in the console.
import { eventKindList } from '../contract/record-kinds.ts'
import { pluralize } from '../contract/text/pluralize.ts'

import type { ImportCounts } from './import-run.ts'

/**
 * The records read, e.g. `2 receiving events with 12 product lines, 1 product`; empty without any.
 */
export function readInWords(counts: ImportCounts): string {
  const { masterProduct, location, lines, loose } = counts
  const events = eventKindList
    .filter(({ name }) => counts[name] > 0)
    .map(({ name, noun }) => pluralize(counts[name], noun))
  return [
    events.length > 0 && `${events.join(' and ')} with ${pluralize(lines, 'product line')}`,
    masterProduct > 0 && pluralize(masterProduct, 'product'),
    location > 0 && pluralize(location, 'location'),
    loose > 0 && `${pluralize(loose, 'row')} whose event cannot be read`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** The findings in accepted records, e.g. `3 warnings, 1 gap`; empty without any. */
export const findingsInWords = ({ warnings, gaps }: ImportCounts): string =>
  warnings + gaps === 0 ? '' : `${pluralize(warnings, 'warning')}, ${pluralize(gaps, 'gap')}`
