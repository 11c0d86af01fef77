// Lists the values that a filter of a list can have.
import { keyDataElementOf } from '../../rules/key-data-elements.ts'
import { limitOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { filtersIn } from './list.ts'
import type { StoredKind } from './stored-kinds.ts'

export const listValues =
  <Search, Taken extends 'taken'>({ store }: HandlerContext, { listed }: StoredKind<Search, Taken>) =>
  async ({ provider, query, lists }: OperationCall): Promise<Answer<'listed'>> => {
    const { of = 'dataProviderVendorId', containing, limit: _, ...once } = query
    // The chosen values of this filter must not narrow its own list of values.
    const { [of]: __, ...others } = filtersIn(once, lists)
    // A rule goes by the name of its key data element, which the store does not know.
    const named = of === 'gapRule' ? undefined : containing
    const { values, isWhole } = await listed.values(store, provider, { of, limit: limitOf(query), named }, others)
    const content =
      of === 'gapRule'
        ? values
            .map(({ value, records }) => ({ value, label: keyDataElementOf(value).kde, records }))
            .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(containing?.toLowerCase() ?? ''))
        : values
    return { outcome: 'listed', body: { content, isWhole } }
  }
