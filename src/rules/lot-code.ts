// The rule that a lot code names one lot. Source: §2.5; decision 0049.

import { namesNotAllLots } from '../contract/lots/lot-words.ts'
import { severalLots } from '../contract/lots/several-lots.ts'
import { isGiven } from '../contract/shape/field.ts'
import { quote } from '../contract/shape/shape-words.ts'
import { codesNamedMax } from './known-codes.ts'
import { type LineSubject, rulesAbout } from './rule.ts'

const rule = rulesAbout<LineSubject>()

export const oneLotPerLine = rule({
  id: 'product-line/one-lot',
  severity: 'warning',
  cites: '§2.5 caseLotNumber',
  summary: 'A line has the lot code of one lot.',
  remedy:
    'Send one line for each lot, with its own quantity. A trace of one of these lots lists the line only among what reads alike.',
  onScreen: 'Enter one line for each lot, with its own quantity.',
  says: {
    several: (text: string, named: readonly string[], count: number) =>
      `caseLotNumber ${quote(text)} seems to name several lots: ${named.map(quote).join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}.`,
    more: (text: string) => `caseLotNumber ${quote(text)} says that there are more lots than it names.`,
  },
  check({ line: { caseLotNumber } }, { at }, report) {
    if (!isGiven(caseLotNumber)) return
    const lots = severalLots(caseLotNumber)
    const pointer = `${at}/caseLotNumber`
    if (lots.length > 0)
      report({ pointer, says: 'several', values: [caseLotNumber, lots.slice(0, codesNamedMax), lots.length] })
    else if (namesNotAllLots(caseLotNumber)) report({ pointer, says: 'more', values: [caseLotNumber] })
  },
})
