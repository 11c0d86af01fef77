// Food from its harvest or cooling: the lots that were packed of it, and all that was made of them.
import { ProblemError } from '../../../client/failure.ts'
import { eventKinds } from '../../../contract/record-kinds.ts'
import { traceFood } from '../../../operations/traceability/trace-food.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { Chain } from '../../parts/traceability/lot-chain.tsx'
import { askOf, type Filters, filtersIn, queryOf } from '../../records/filters.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { screenText } from '../../words/screen-words.ts'
import type { PageProps } from '../frame/page.ts'

const { recordId, record, dataProviderVendorId, locationCode, date, itemCode, growingArea, least } = traceFood.query
const asked = { recordId, record, dataProviderVendorId, locationCode, date, itemCode, growingArea, least }

export function FoodPage({ query }: PageProps) {
  const { filters } = filtersIn(query, asked)
  if (Object.keys(filters).length > 0) return <Packed filters={filters} />
  return (
    <>
      <PageHead title="What was packed of the food" />
      <Empty title="Choose a harvest or a cooling">
        <p>
          Open a <a href={hrefTo(sectionOf({ name: 'harvestingEvent' }).path)}>harvesting event</a> or a{' '}
          <a href={hrefTo(sectionOf({ name: 'coolingEvent' }).path)}>cooling event</a>, and follow “Lots packed of it”.
        </p>
      </Empty>
    </>
  )
}

function Packed({ filters }: { readonly filters: Filters }) {
  const { api } = useOpenSession()
  const named = askOf(filters, asked)
  const answer = useRequest(
    async (signal) => {
      try {
        return (await api.traceFood({ ...named, signal })).body
      } catch (error) {
        if (error instanceof ProblemError && error.status === 404) return error
        throw error
      }
    },
    [filters],
  )
  return (
    <When asked={answer} what="what was packed of it">
      {(chain) => {
        if (chain instanceof ProblemError)
          return (
            <>
              <PageHead title="What was packed of the food" />
              <Empty title="No event names this food">
                <p>{screenText(chain.message)}</p>
              </Empty>
            </>
          )
        const [first] = chain.food
        const title =
          first === undefined
            ? 'Food'
            : `${first.itemDescription ?? first.vendorItemCode}, ${eventKinds[first.record].happened} on ${first.date}`
        return (
          <>
            <PageHead title={title}>
              <p class="quiet">
                <bdi>{first?.place.name ?? first?.place.locationCode}</bdi>
              </p>
            </PageHead>
            {chain.events.length === 0 && (
              <Empty title="No lot was packed of it">
                <p>No initial packing event names this place and date.</p>
              </Empty>
            )}
            <Chain
              title="Lots that were made of it"
              chain={chain}
              onFollow={(least) => go(`/food${queryOf({ ...filters, least })}`)}
              fda={queryOf({ ...filters, chain: 'forward' })}
              readCsv={() => api.traceFood({ ...named, format: 'csv' })}
            />
          </>
        )
      }}
    </When>
  )
}
