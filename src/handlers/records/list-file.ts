// Saves a list of records as a spreadsheet.

import { type ListColumn, listColumns } from '../../contract/list-columns.ts'
import { type RecordKind, slugOf } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { type ListedRecord, listCsv, listWorkbook } from '../../exports/record-list/record-list.ts'
import { listFileMedia, listFileRecordsMax } from '../../operations/records/list-file.ts'
import type { StoredVersion } from '../../store/database/statement.ts'
import { DamagedRecord, type VersionName } from '../../store/evidence/damaged-record.ts'
import { readInPortions } from '../../store/records/record-versions.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { countAgain } from './findings.ts'
import { filtersIn, findPage, sortingIn } from './list.ts'
import type { StoredKind } from './stored-kinds.ts'

/** Records whose rows are made at once, and the characters after which it is fewer. */
const recordsAtOnce = 50
const charactersAtOnce = 1024 * 1024

export const saveList =
  <Search, Taken extends 'taken'>(context: HandlerContext, storedKind: StoredKind<Search, Taken>) =>
  async ({
    provider,
    query,
    lists: { columns: named, ...lists },
  }: OperationCall): Promise<Answer<'tooMany' | 'saved'>> => {
    const { store } = context
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
    const madeAt = new Date()
    const judgedAt = columns.some(({ name }) => name === 'findings') ? madeAt : undefined
    const written = columns.flatMap((column) =>
      column.name === 'findings' ? [column, momentColumn(madeAt)] : [column],
    )
    const batches = recordsIn(context, provider, kind, { chosen, judgedAt })
    const title = capitalize(kind.nouns)
    const asCsv = format === 'csv'
    return {
      outcome: 'saved',
      file: {
        mediaType: asCsv ? listFileMedia.csv : listFileMedia.xlsx,
        name: `${slugOf(kind)}-${madeAt.toISOString().slice(0, 10)}.${asCsv ? 'csv' : 'xlsx'}`,
        records: chosen.length,
        parts: asCsv ? listCsv(written, batches) : listWorkbook(title, written, batches, madeAt),
      },
    }
  }

/** Beside the findings: when they were judged, the same in each row. */
const momentColumn = (judgedAt: Date): ListColumn => ({
  name: 'findingsJudged',
  heading: 'Findings judged',
  width: 26,
  text: () => judgedAt.toISOString(),
})

interface Chosen {
  readonly chosen: readonly VersionName[]
  /** Undefined when no column shows findings. */
  readonly judgedAt: Date | undefined
}

async function* recordsIn(
  context: HandlerContext,
  provider: string,
  kind: RecordKind,
  { chosen, judgedAt }: Chosen,
): AsyncGenerator<readonly ListedRecord[]> {
  let batch: StoredVersion[] = []
  let characters = 0
  const rows = async () => {
    const counted =
      judgedAt &&
      (await countAgain(context, provider, kind, { records: batch, now: judgedAt })).map((one) => one.severities)
    return batch.map(({ id, body }, i): ListedRecord => {
      const { warning = 0, gap = 0 } = counted?.[i] ?? {}
      return { record: { id, ...(JSON.parse(body) as object) }, findings: { warnings: warning, gaps: gap } }
    })
  }
  for await (const one of readInPortions(context.store, provider, chosen)) {
    batch.push(one)
    characters += one.body.length
    if (batch.length < recordsAtOnce && characters < charactersAtOnce) continue
    yield await rows()
    await nextTurn()
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield await rows()
}
