// Places in the preview of a partner, and in the list of places.
import type { UncoveredPlace } from '../../client/generated/shapes.ts'
import type { Column } from '../../terminal/table.ts'

export const placeColumns: readonly Column<UncoveredPlace>[] = [
  { heading: 'code', cell: ({ locationCode }) => locationCode },
  { heading: 'vendors', cell: ({ dataProviderVendorIds }) => dataProviderVendorIds.join(', ') },
  { heading: 'gln', cell: ({ gln }) => gln ?? '' },
  { heading: 'name', cell: ({ locationName }) => locationName ?? '' },
  { heading: 'events', cell: ({ events }) => String(events), right: true },
  { heading: 'last', cell: ({ lastEventDate }) => lastEventDate },
]
