// `lotkeeper trace`: who had a lot, as a summary, as JSON, or as a file.

import type { TraceLotRequest } from '../../client/generated/methods.ts'
import { arrivals } from '../../contract/arrivals.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { plain, results, wrapText } from '../../terminal/terminal.ts'
import type {
  LotTrace,
  ReadAlikeLine,
  ShippedLink,
  TracedLink,
  TracedPlace,
  TracedSource,
  TraceNote,
} from '../../tracing/lot-trace.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { download } from '../records/download.ts'

interface TraceOptions extends RemoteOptions {
  readonly json?: boolean
  readonly output?: string
  /** The parameters of the operation, by name. */
  readonly query: Omit<TraceLotRequest, 'lotCode'>
}

export const trace = (lotCode: string, { json, output, query, ...service }: TraceOptions): Promise<CommandEnd> =>
  withClient({ ...service, json }, async (api) => {
    const { body, file } = await api.traceLot({ ...query, lotCode })
    if (file !== undefined) return download({ name: file.name ?? `lot.${query.format}`, parts: file.stream }, output)
    const text = `${JSON.stringify(body, undefined, 2)}\n`
    if (output !== undefined) return download({ name: 'lot.json', parts: [text] }, output)
    await results.write(json || query.format === 'json' ? text : summary(body))
    return undefined
  })

function summary(trace: LotTrace): string {
  const { totals, places, sources, links, shippedLinks, shippingEvents, notes, noteCount, readAlike } = trace
  const codes = new Map(places.map(({ id, codes: [first] }) => [id, first?.locationCode ?? id]))
  /** A location code, with the id of the place where several places have the code. */
  const placed = (id: string): string => {
    const code = codes.get(id) ?? id
    return [...codes.values()].filter((other) => other === code).length > 1 ? `${code} (${id})` : code
  }
  const linkColumns: readonly Column<TracedLink>[] = [
    { heading: 'first received', cell: ({ firstDateTime }) => firstDateTime },
    { heading: 'from', cell: ({ from }) => placed(from) },
    { heading: 'to', cell: ({ to }) => placed(to) },
    { heading: 'quantity', cell: ({ quantities }) => amount(quantities), right: true },
    { heading: 'source', cell: ({ source }) => source },
  ]
  const shippedColumns: readonly Column<ShippedLink>[] = [
    { heading: 'first shipped', cell: ({ firstDateTime }) => firstDateTime },
    { heading: 'from', cell: ({ from }) => placed(from) },
    { heading: 'to', cell: ({ to }) => placed(to) },
    { heading: 'shipped', cell: ({ quantities }) => amount(quantities), right: true },
    { heading: 'received', cell: ({ received }) => amount(received), right: true },
    { heading: 'missing', cell: ({ missing }) => amount(missing), right: true },
    { heading: 'arrival', cell: ({ arrival }) => arrivals[arrival] },
  ]
  const placeColumns: readonly Column<TracedPlace>[] = [
    { heading: 'place', cell: ({ id }) => placed(id) },
    { heading: 'received', cell: ({ received }) => amount(received), right: true },
    { heading: 'sent on', cell: ({ sentOn }) => amount(sentOn), right: true },
    { heading: 'name', cell: ({ name }) => name },
  ]
  const sourceColumns: readonly Column<TracedSource>[] = [
    { heading: 'source', cell: ({ id }) => id },
    { heading: 'lines', cell: ({ lines }) => String(lines), right: true },
    { heading: 'lot code assigned by', cell: assignedBy },
  ]
  const alikeColumns: readonly Column<ReadAlikeLine>[] = [
    { heading: 'reads alike', cell: ({ lotCode }) => JSON.stringify(lotCode) },
    { heading: 'received or shipped', cell: ({ eventDateTime }) => eventDateTime },
    { heading: 'from', cell: ({ shipFromLocationCode }) => shipFromLocationCode },
    { heading: 'to', cell: ({ shipToLocationCode }) => shipToLocationCode },
    {
      heading: 'quantity',
      cell: ({ shipQuantity, shipQuantityUom }) => `${shipQuantity} ${shipQuantityUom}`,
      right: true,
    },
    { heading: 'event', cell: ({ record }) => (record === 'receivingEvent' ? 'received' : 'shipped') },
    { heading: 'record', cell: ({ id }) => id },
  ]
  const shipped = shippingEvents.length > 0 ? `, ${pluralize(shippingEvents.length, 'shipping event')}` : ''
  const title = `Lot ${plain(trace.lotCode)}: ${pluralize(totals.events, 'event')}, ${pluralize(totals.lines, 'line')}, ${pluralize(totals.places, 'place')}, ${pluralize(totals.sources, 'source')}${shipped}`
  const unlisted = noteCount > notes.length ? `  ${noteCount - notes.length} more notes are not listed.\n` : ''
  const table = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) =>
    rows.length > 0 ? [tableText(columns, rows)] : []
  return [
    `${results.styled('bold', title)}\n`,
    ...table(linkColumns, links),
    ...table(shippedColumns, shippedLinks),
    ...table(placeColumns, places),
    ...table(sourceColumns, sources),
    ...table(alikeColumns, readAlike),
    ...(notes.length > 0 ? [notesText(notes) + unlisted] : []),
  ].join('\n')
}

function assignedBy({ names, glns, duns, ffrns, feis, urls, others }: TracedSource): string {
  const identified = [
    ...glns.map((gln) => `GLN ${gln}`),
    ...duns.map((number) => `DUNS ${number}`),
    ...ffrns.map((number) => `FFRN ${number}`),
    ...feis.map((number) => `FEI ${number}`),
    ...urls,
    ...others,
  ]
  return [...names, ...identified].join(', ') || 'not given'
}

/** Each note with its remedy. */
export const notesText = (notes: readonly Pick<TraceNote, 'message' | 'remedy'>[]): string =>
  notes
    .map(({ message, remedy }) => {
      const warning = wrapText(plain(message), '  ', results.width, '! ')
      const asked = remedy
        .replace('by tlcSource', 'by --tlc-source')
        .replace('least=', '--least ')
        .replace('PUT /unit-conversions', 'lotkeeper unit-conversions set')
      return `${results.styled('yellow', warning.trimEnd())}\n${wrapText(plain(asked), '    ', results.width, '  → ')}`
    })
    .join('')

export const amount = (quantities: TracedLink['quantities']): string =>
  quantities.map((one) => `${one.quantity} ${one.unit}${one.written ? ` (${amount(one.written)})` : ''}`).join(', ')
