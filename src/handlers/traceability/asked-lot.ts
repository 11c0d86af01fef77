// The lot that a request names, by its lot code and GTIN.
import { gtin14Of } from '../../contract/text/gs1-text.ts'
import { type LotQuery, readLotQuery } from '../../tracing/lot-query.ts'
import type { Answer, OperationCall } from '../base/handler.ts'

export function readAskedLot({
  lotCode,
  query: { gtin },
}: Pick<OperationCall, 'lotCode' | 'query'>): LotQuery | Answer<'badQuery'> {
  if (gtin !== undefined && gtin14Of(gtin) === undefined)
    return { outcome: 'badQuery', detail: 'gtin must be a GTIN of 8, 12, 13 or 14 digits.' }
  return (
    readLotQuery(lotCode, gtin) ?? {
      outcome: 'badQuery',
      detail: 'gtin differs from the GTIN in the lot code. Omit one of them.',
    }
  )
}
