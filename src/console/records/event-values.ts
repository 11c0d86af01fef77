// The values that a field has in events of both kinds, for forms and filters to offer.
import type { Client } from '../../client/client.ts'
import type { ListValues } from '../../client/generated/shapes.ts'
import { limitDefault, limitMax } from '../../operations/base/query.ts'

export type EventValueField = 'dataProviderVendorId' | 'shipToLocationCode' | 'itemCode'

/** Those that contain a text in value or name; all of them where it is empty. */
export async function readEventValues(
  api: Client,
  of: EventValueField,
  containing: string,
  signal: AbortSignal,
): Promise<ListValues> {
  const chosen = { of, limit: limitMax, signal, ...(containing !== '' && { containing }) }
  const answers = await Promise.all([api.listReceivingEventValues(chosen), api.listShippingEventValues(chosen)])
  return joinValues(answers.map(({ body }) => body))
}

/** Joins lists into one. A value that is in several of them has the records of all. */
export function joinValues(lists: readonly ListValues[]): ListValues {
  const joined = new Map<string, ListValues['content'][number]>()
  for (const { value, label, records } of lists.flatMap(({ content }) => content)) {
    const known = joined.get(value)
    joined.set(value, { value, label: known?.label ?? label, records: (known?.records ?? 0) + records })
  }
  return {
    content: [...joined.values()].sort((one, other) => other.records - one.records).slice(0, limitDefault),
    isWhole: lists.every(({ isWhole }) => isWhole),
  }
}
