// The table of balances: what came in of each lot at each place, went out and is left, each unit in
// a row. The page asks for all of a chain; period, tolerance and direction go to the service.
import { traceChain } from '../../operations/traceability/trace-chain.ts'
import type { ChainedBalance, ChainedLot, ChainedPlace, LotChain } from '../../tracing/lot-chain.ts'
import type { DrawnColumn } from './drawn-column.ts'
import type { LocalTable } from './local-table.ts'
import { Cut } from './record-columns.tsx'

const sides = ['opening', 'made', 'received', 'used', 'shipped', 'left'] as const
type Side = (typeof sides)[number]

export interface BalanceRow extends Pick<ChainedBalance, 'isOver'>, Readonly<Partial<Record<Side, number>>> {
  /** Undefined: all of them together. */
  readonly place: ChainedPlace | undefined
  /** Place of the balance in the answer, and the unit. */
  readonly key: string
  readonly lots: readonly ChainedLot[]
  readonly unit: string
}

/** The balances of a chain, unit by unit. */
export function balanceRows({ lots, balances }: Pick<LotChain, 'lots' | 'balances'>): readonly BalanceRow[] {
  const lotOf = new Map(lots.map((lot) => [lot.id, lot]))
  return balances.flatMap((balance, number) => {
    const units = new Set(sides.flatMap((side) => balance[side].map(({ unit }) => unit)))
    return [...units].map((unit) => ({
      key: `${number} ${unit}`,
      lots: balance.lots.flatMap((id) => lotOf.get(id) ?? []),
      place: balance.place,
      isOver: balance.isOver,
      unit,
      ...Object.fromEntries(
        sides.map((side) => [side, balance[side].find((quantity) => quantity.unit === unit)?.quantity]),
      ),
    }))
  })
}

export const codesOf = ({ lots }: BalanceRow): string => [...new Set(lots.map(({ lotCode }) => lotCode))].join(', ')
export const placeName = ({ place }: BalanceRow): string =>
  place === undefined ? 'All places together' : (place.name ?? place.locationCode)

/** What is to be known of a balance beside its numbers. */
const stateOf = ({ isOver, left, lots }: BalanceRow): string =>
  isOver ? 'More out than in' : left === undefined ? 'From outside' : lots.length > 1 ? 'Several lots' : ''

type Column = DrawnColumn<BalanceRow>

const column = (name: string, heading: string, text: Column['text'], more: Partial<Column> = {}): Column => ({
  name,
  heading,
  sort: name,
  share: 12,
  text,
  cell: (row) => <Cut text={text(row)} />,
  ...more,
})

const quantity = (side: Side, heading: string, more: Partial<Column> = {}): Column =>
  column(side, heading, ({ [side]: amount }) => amount ?? '', {
    shown: true,
    share: 8,
    cell: ({ [side]: amount }) => <Cut text={amount?.toLocaleString('en') ?? ''} />,
    ...more,
  })

const { lotCode, tlcSource, eventStartDate, eventEndDate, tolerance } = {
  lotCode: { form: 'text', meaning: 'The lot, as on the case or in any form of GS1.', example: 'GV26062-A' } as const,
  ...traceChain.query,
}

const several = (meaning: string) => ({ form: 'text', meaning, example: '', many: true }) as const

export const balanceTable: LocalTable<BalanceRow, Column> = {
  path: '/balances',
  words: 'Balances',
  nouns: 'balances',
  list: 'balance',
  sort: 'order',
  search: 'text',
  filters: {
    text: { form: 'text', meaning: 'Part of a lot code, item or place.', example: 'Lot, item or place' },
    lotCode,
    place: several('Only at this place.'),
    state: { ...several('Only balances with this remark.'), label: 'Remark' },
    eventStartDate: {
      ...eventStartDate,
      label: 'From',
      meaning: 'First date. What was left before is in the column Before.',
    },
    eventEndDate: { ...eventEndDate, label: 'Until', meaning: 'Last date.' },
    tolerance: { ...tolerance, meaning: 'Percent of what came in by which more may go out, up to 100.' },
    tlcSource,
    lotsInIt: {
      form: 'boolean',
      meaning: 'The lots that it was made of, in place of those that were made of it.',
      example: '',
    },
    onlyCertain: {
      form: 'boolean',
      meaning: 'Follow only what is certain: the same lot code and source.',
      example: '',
    },
  },
  picked: ['place', 'state'],
  valuesIn: {
    place: (row) => [{ value: placeName(row) }],
    state: (row) => (stateOf(row) === '' ? [] : [{ value: stateOf(row) }]),
  },
  textIn: (row) =>
    [codesOf(row), placeName(row), row.place?.locationCode, ...row.lots.map((lot) => lot.itemDescription)].join(' '),
  idsIn: () => [],
  columns: [
    column('lot', 'Lot', codesOf, { shown: true, share: 16 }),
    column('item', 'Item', ({ lots: [lot] }) => lot?.itemDescription ?? lot?.vendorItemCode ?? '', {
      shown: true,
      share: 14,
      wide: true,
    }),
    column('source', 'Source', ({ lots }) => [...new Set(lots.map(({ source }) => source))].join(', ')),
    column('distance', 'Steps away', ({ lots: [lot] }) => lot?.distance ?? '', { share: 7 }),
    column('place', 'Place', placeName, { shown: true, share: 16 }),
    column('locationCode', 'Location code', ({ place }) => place?.locationCode ?? ''),
    quantity('opening', 'Before', { wide: true }),
    quantity('made', 'Made'),
    quantity('received', 'Received'),
    quantity('used', 'Used'),
    quantity('shipped', 'Shipped'),
    quantity('left', 'Left'),
    column('unit', 'Unit', ({ unit }) => unit, { shown: true, share: 7 }),
    column('state', 'Remark', stateOf, {
      shown: true,
      share: 18,
      isLong: true,
      cell: (row) => stateOf(row) !== '' && <span class={row.isOver ? 'tag warning' : 'quiet'}>{stateOf(row)}</span>,
    }),
  ],
}
