// Follows a lot through transformations: to the lots that were made of it, or those it was made of.
import { type Ground, leastDefault } from '../../contract/lots/grounds.ts'
import { Fraction } from '../../contract/text/fraction.ts'
import { chainSvg } from '../../drawing/svg.ts'
import { chainFileName, chainRows } from '../../exports/chain-csv.ts'
import type { Query } from '../../operations/base/query.ts'
import { DamagedRecord } from '../../store/evidence/damaged-record.ts'
import { chainOf } from '../../tracing/chain.ts'
import type { ChainQuery, Direction, WalkedChain } from '../../tracing/chain-walk.ts'
import { type BalanceQuery, itemsToConvert } from '../../tracing/lot-balances.ts'
import type { LotChain } from '../../tracing/lot-chain.ts'
import type { ChainEvent } from '../../tracing/lot-event.ts'
import { jsonOf, runCooperatively } from '../base/cooperative.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { inParts } from '../base/row-parts.ts'
import { readAskedLot } from './asked-lot.ts'
import { ChainReader } from './chain-reader.ts'
import { unitConversionsOf } from './unit-conversions.ts'

export const traceChain =
  (context: HandlerContext) =>
  async (asked: OperationCall): Promise<Answer<'badQuery' | 'unknownLot' | 'chained'>> => {
    const query = readChainQuery(asked)
    if ('outcome' in query) return query
    const found = await followChain(context, asked.provider, query, balanceQueryOf(asked.query))
    if (found === undefined)
      return {
        outcome: 'unknownLot',
        detail: `No event has the lot code ${JSON.stringify(query.lotCode.slice(0, 200))}${query.tlcSource === undefined && query.gtin === undefined ? '' : ' of this source and item'}. The trace of the lot names sources, and lot codes that read alike: least=readAlike follows these.`,
      }
    return { outcome: 'chained', ...(await formatChain(found, asked.query.format)) }
  }

/** What a request asks to follow. */
export function readChainQuery(
  asked: Pick<OperationCall, 'lotCode' | 'query'>,
  direction = (asked.query.direction ?? 'forward') as Direction,
): ChainQuery | Answer<'badQuery'> {
  const lot = readAskedLot(asked)
  if ('outcome' in lot) return lot
  const { tlcSource, least = leastDefault } = asked.query
  return { lotCode: lot.reading.lotCode, gtin: lot.gtin, tlcSource, direction, least: least as Ground }
}

/** A chain, and what was read for it. */
export interface FollowedChain {
  readonly chain: LotChain
  readonly walked: WalkedChain<ChainEvent>
  readonly reader: ChainReader
}

/** Undefined where no event has the lot, or names the food. */
export async function followChain(
  context: HandlerContext,
  provider: string,
  query: ChainQuery,
  balances = balanceQueryOf({}),
): Promise<FollowedChain | undefined> {
  const reader = new ChainReader(context, provider)
  const walked = await reader.follow(query)
  if (walked.lots.length + walked.food.length === 0) {
    // The answer must not look like an unknown lot.
    if (reader.missing.length > 0) throw new DamagedRecord(...reader.missing)
    return undefined
  }
  const items = await runCooperatively(itemsToConvert(walked.lots))
  const conversions = await unitConversionsOf(context.store, provider, [...items.values()].flat())
  const quantities = { balances, units: { items, conversions } }
  return { chain: await runCooperatively(chainOf(query, walked, quantities, reader.unread())), walked, reader }
}

export const balanceQueryOf = ({ eventStartDate, eventEndDate, tolerance = '0' }: Query): BalanceQuery => ({
  start: eventStartDate,
  end: eventEndDate,
  tolerance: new Fraction(BigInt(tolerance), 100n),
})

/** The chain in the form asked for. */
export async function formatChain({ chain, reader }: FollowedChain, format: string | undefined) {
  if (format === 'svg')
    return {
      file: {
        mediaType: 'image/svg+xml',
        records: reader.events,
        parts: inParts([await runCooperatively(chainSvg(chain))]),
      },
    }
  if (format !== 'csv') return { text: await runCooperatively(jsonOf(chain)) }
  // Its rows have no place to name missing records.
  if (reader.missing.length > 0) throw new DamagedRecord(...reader.missing)
  return {
    file: {
      mediaType: 'text/csv; charset=utf-8',
      name: chainFileName(chain, 'csv'),
      records: reader.events,
      parts: inParts(chainRows([chain])),
    },
  }
}
