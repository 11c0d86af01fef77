// What came in of each lot of a chain at each place, what went out and what is left. The choice is
// in the address.
import { ProblemError } from '../../../client/failure.ts'
import type { LotChain } from '../../../tracing/lot-chain.ts'
import { Modal } from '../../parts/frame/modal.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { FactList } from '../../parts/tables/fact-list.tsx'
import { LocalTable } from '../../parts/tables/local-table.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import { ChainNotes } from '../../parts/traceability/chain-notes.tsx'
import { type BalanceRow, balanceRows, balanceTable, codesOf, placeName } from '../../records/balance-table.tsx'
import { queryOf } from '../../records/filters.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { screenText } from '../../words/screen-words.ts'
import type { PageProps } from '../frame/page.ts'

const { path } = balanceTable

export function BalancesPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const given = (name: string): string | undefined => query.get(name) || undefined
  const lotCode = given('lotCode') ?? ''
  const back = query.get('lotsInIt') === 'true'
  const tolerance = given('tolerance')
  const asking = {
    lotCode,
    tlcSource: given('tlcSource'),
    eventStartDate: given('eventStartDate'),
    eventEndDate: given('eventEndDate'),
    tolerance: tolerance === undefined ? undefined : Number(tolerance),
    direction: back ? ('back' as const) : ('forward' as const),
    least: query.get('onlyCertain') === 'true' ? ('sameSource' as const) : ('reference' as const),
  }
  const asked = useRequest(
    async (signal) => {
      try {
        return lotCode === '' ? undefined : (await api.traceChain({ ...asking, signal })).body
      } catch (error) {
        if (error instanceof ProblemError && [400, 404].includes(error.status)) return error
        throw error
      }
    },
    [asking],
  )
  const pathTo = (other: string) => {
    const next = new URLSearchParams(query)
    next.delete('open')
    next.delete('lotsInIt')
    if (other !== '') next.set('lotsInIt', other)
    return `${path}?${next}`
  }
  /** This page follows the usual steps or the certain ones; the trace has the others. */
  const followed = (least: LotChain['least']) => {
    if (least !== 'sameSource' && least !== 'reference') return `/trace${queryOf({ lotCode, least })}`
    const next = new URLSearchParams(query)
    next.delete('onlyCertain')
    if (least === 'sameSource') next.set('onlyCertain', 'true')
    return `${path}?${next}`
  }
  const chain = asked.is === 'answered' && !(asked.value instanceof ProblemError) ? asked.value : undefined
  return (
    <>
      <PageHead title={lotCode === '' ? 'What is left of a lot' : `What is left of lot ${lotCode}`}>
        <p class="quiet">
          What was made, received, used and shipped of each lot at each place, by the records.{' '}
          {lotCode !== '' && <a href={hrefTo(`/trace${queryOf({ lotCode })}`)}>Trace this lot</a>}
        </p>
        <Tabs
          label="Lots"
          tabs={[
            { words: 'Made of it', path: pathTo(''), isHere: !back },
            { words: 'In it', path: pathTo('true'), isHere: back },
          ]}
        />
      </PageHead>
      <LocalTable
        table={balanceTable}
        rows={chain === undefined ? [] : balanceRows(chain)}
        keyOf={({ key }) => key}
        query={query}
        shownElsewhere={['lotCode', 'eventStartDate', 'eventEndDate']}
        above={() => (
          <When asked={asked} what="the balances">
            {(found) =>
              found === undefined ? (
                <Empty title="Type or paste a lot code">
                  <p>Enter it as printed on the case.</p>
                </Empty>
              ) : found instanceof ProblemError ? (
                <NotCounted problem={found} />
              ) : (
                <>
                  <ChainNotes chain={found} onFollow={(least) => go(followed(least))} />
                  {found.balanceCount > found.balances.length && (
                    <p class="callout">
                      The first {found.balances.length.toLocaleString('en')} of{' '}
                      {found.balanceCount.toLocaleString('en')} balances are here.
                    </p>
                  )}
                </>
              )
            }
          </When>
        )}
        isPending={chain === undefined}
        opened={(row, close) => (
          <Modal labelledBy="balance-title" onClose={close}>
            <Balance row={row} />
            <form method="dialog">
              <button type="submit">Close</button>
            </form>
          </Modal>
        )}
      />
    </>
  )
}

const NotCounted = ({ problem }: { readonly problem: ProblemError }) => (
  <Empty title={problem.status === 404 ? 'No event has this lot code' : 'That cannot be counted'}>
    <p>{screenText(problem.message)}</p>
  </Empty>
)

const words = (quantity: number | undefined, unit: string) =>
  quantity !== undefined && (
    <bdi>
      {quantity.toLocaleString('en')} {unit}
    </bdi>
  )

function Balance({ row }: { readonly row: BalanceRow }) {
  const { lots, place, unit } = row
  return (
    <>
      <h2 id="balance-title">
        <bdi>{codesOf(row)}</bdi> at <bdi>{placeName(row)}</bdi>
      </h2>
      {row.isOver && <p class="callout error">More went out than came in.</p>}
      {!row.isOver && row.left === undefined && (
        <p class="quiet">Nothing came in here: the goods are from outside of the records.</p>
      )}
      {lots.length > 1 && <p class="quiet">Lines of this place do not say which of these lots they are of.</p>}
      <FactList
        facts={[
          ['Location code', place && <bdi>{place.locationCode}</bdi>],
          ['Before', words(row.opening, unit)],
          ['Made', words(row.made, unit)],
          ['Received', words(row.received, unit)],
          ['Used', words(row.used, unit)],
          ['Shipped', words(row.shipped, unit)],
          ['Left', words(row.left, unit)],
        ]}
      />
      <h3>Lots</h3>
      <ul>
        {lots.map(({ id, lotCode, source, tlcSource, itemDescription }) => (
          <li key={id}>
            <a class="mono" dir="auto" href={hrefTo(`/trace${queryOf({ lotCode, tlcSource: tlcSource ?? '' })}`)}>
              {lotCode}
            </a>{' '}
            of <bdi>{source}</bdi> <span class="quiet">{itemDescription}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
