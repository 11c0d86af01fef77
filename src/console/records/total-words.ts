// A total that ends where counting would become slow, in words. Pure.
import { pluralize } from '../../contract/text/pluralize.ts'

interface ListTotal {
  readonly records: number
  readonly orMore: boolean
}

/** Counting ends here; below it, a total that is not whole is one that was given up. */
const countMax = 10_000

export const totalWords = ({ records, orMore }: ListTotal): string =>
  orMore
    ? records >= countMax
      ? `More than ${records.toLocaleString('en')} results`
      : `At least ${pluralize(records, 'result')}`
    : pluralize(records, 'result')
