// Saves a list of records as a spreadsheet.

import { listColumns } from '../../contract/list-columns.ts'
import { slugOf } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { type ListedRecord, listCsv, listWorkbook } from '../../exports/record-list/record-list.ts'
import { listFileMedia, listFileRecordsMax } from '../../operations/records/list-file.ts'
import { severitiesIn } from '../../rules/stored-findings.ts'
import { DamagedRecord } from '../../store/evidence/damaged-record.ts'
import { readInPortions } from '../../store/records/record-versions.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { filtersIn, findPage, sortingIn } from './list.ts'
import type { StoredKind } from './stored-kinds.ts'

/** Records whose rows are made at once. */
const recordsAtOnce = 50

export const saveList =
  <Search, Taken extends 'taken'>({ store }: HandlerContext, storedKind: StoredKind<Search, Taken>) =>
  async ({
    provider,
    query,
    lists: { columns: named, ...lists },
  }: OperationCall): Promise<Answer<'tooMany' | 'saved'>> => {
    const { kind } = storedKind
    const { format, sort: _, direction: __, ...once } = query
    // Chosen by one statement, so that the file is of one moment. Versions never change.
    const found = await findPage(store, storedKind, {
      provider,
      limit: listFileRecordsMax + 1,
      sorting: sortingIn(query),
      behind: undefined,
      filters: filtersIn(once, lists),
    })
    if (found.length > listFileRecordsMax)
      return {
        outcome: 'tooMany',
        detail: `More than ${listFileRecordsMax} ${kind.nouns} match. Narrow the filters, for example to one vendor or to some months.`,
      }
    // Rows have no place to name missing records.
    const missing = found.filter(({ isMissing }) => isMissing)
    if (missing.length > 0) throw new DamagedRecord(...missing)
    const chosen = found.map(({ id, version }) => ({ id, version }))
    const all = listColumns[kind.name]
    const columns =
      named === undefined
        ? all.filter(({ shown }) => shown)
        : named.flatMap((name) => all.find((column) => column.name === name) ?? [])
    const batches = recordsIn(store, provider, chosen)
    const madeAt = new Date()
    const title = capitalize(kind.nouns)
    const asCsv = format === 'csv'
    return {
      outcome: 'saved',
      file: {
        mediaType: asCsv ? listFileMedia.csv : listFileMedia.xlsx,
        name: `${slugOf(kind)}-${madeAt.toISOString().slice(0, 10)}.${asCsv ? 'csv' : 'xlsx'}`,
        records: chosen.length,
        parts: asCsv ? listCsv(columns, batches) : listWorkbook(title, columns, batches, madeAt),
      },
    }
  }

async function* recordsIn(
  store: HandlerContext['store'],
  provider: string,
  chosen: readonly { readonly id: string; readonly version: number }[],
): AsyncGenerator<readonly ListedRecord[]> {
  let batch: ListedRecord[] = []
  for await (const { id, body, findings } of readInPortions(store, provider, chosen, { withFindings: true })) {
    batch.push({ record: { id, ...(JSON.parse(body) as object) }, findings: countsOf(findings) })
    if (batch.length < recordsAtOnce) continue
    yield batch
    await nextTurn()
    batch = []
  }
  if (batch.length > 0) yield batch
}

function countsOf(findings: string): ListedRecord['findings'] {
  const { warning: warnings, gap: gaps } = severitiesIn(findings)
  return { warnings, gaps }
}
