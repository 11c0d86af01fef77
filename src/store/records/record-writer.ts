// Writes records of one kind in groups, and answers each write by itself.

import type { Created, Creation, Replaced, Replacement } from '../base/writes.ts'
import {
  answerAll,
  answerEach,
  BatchedStatement,
  type BatchLimits,
  type Failed,
  takeCompatible,
} from '../database/batched-statement.ts'
import { takenOnConflict } from '../database/database-errors.ts'
import type { Queryable } from '../database/statement.ts'
import type { ReplacementRow, recordStatements, SearchRows, Submitted } from './records.ts'

/**
 * Writes records of one kind; concurrent writes of a provider share statements, and each is
 * answered once it is durable.
 */
export interface RecordWriter<Search> {
  readonly create: (provider: string, creation: Creation<Search>) => Promise<Created>
  readonly replace: (provider: string, replacement: Replacement<Search>) => Promise<Replaced>
}

/** A kind of record that can be written. */
export interface WrittenKind<Search> {
  readonly rows: SearchRows<Search>
  readonly statements: ReturnType<typeof recordStatements<Search>>
  /**
   * Conflict keys of the search values of a record, in addition to its id: see
   * `Batching.conflictKeys`.
   */
  readonly conflictKeys: (search: Search) => readonly (readonly [string, unknown])[]
}

/**
 * Statements of replacements in flight at once. Most creates have the same few locations, and two
 * with one location are never in two statements.
 */
const replacingMax = 2

/** Called with a provider whose events are to be counted again, or whose records to be indexed. */
export type WriteDue = (work: 'recounts' | 'search', provider: string) => void

/** A kind on its database. */
interface Writing<Search> extends WrittenKind<Search> {
  readonly db: Queryable
  readonly limits: BatchLimits
  readonly noteWork: (provider: string, answered: readonly { readonly recountDue: boolean }[]) => void
  /** Runs writes whose key another record may take meanwhile, and answers those as taken. */
  readonly answeringKey: <Answer>(
    writes: readonly unknown[],
    run: () => Promise<readonly Answer[]>,
  ) => Promise<readonly (Answer | { readonly is: 'taken' })[]>
}

/** The writer of a kind, and its groups for metrics. */
export function recordWriter<Search>(db: Queryable, kind: WrittenKind<Search>, limits: BatchLimits, due: WriteDue) {
  const { key } = kind.rows
  const writing: Writing<Search> = {
    ...kind,
    db,
    limits,
    noteWork: (provider, answered) => {
      if (answered.some((row) => row.recountDue)) due('recounts', provider)
      due('search', provider)
    },
    answeringKey: (writes, run) => (key === undefined ? run() : takenOnConflict(writes, key.index, run)),
  }
  const create = creations(writing)
  const replace = replacements(writing)
  const writer: RecordWriter<Search> = {
    create: (provider, creation) => create.submit(provider, creation),
    replace: (provider, replacement) => replace.submit(provider, replacement),
  }
  return { writer, create, replace }
}

const creations = <Search>({ db, rows, statements, conflictKeys, limits, noteWork, answeringKey }: Writing<Search>) =>
  new BatchedStatement<Creation<Search>, Created>({
    run: (provider, creations) =>
      answeringKey(creations, async () => {
        const submitted = creations.flatMap((creation, n) =>
          creation.records.map((record): Submitted<Search> => ({ ...submittedOf(record, creation), n })),
        )
        const asked = creations.map((creation, n) => ({ creation, n }))
        const answered = await statements.create(db, { ...rows.rowsOf(submitted), provider, asked, submitted })
        noteWork(provider, answered)
        const outcomes = new Map(answered.map(({ n, outcome }) => [n, outcome]))
        return creations.map((_, n): Created => ({ is: outcomes.get(n) ?? 'repeated' }))
      }),
    bytesOf: ({ records }) => records.reduce((sum, { body }) => sum + body.length, 0),
    conflictKeys: ({ records, claim, requestId }) => [
      ...records.flatMap(({ search }) => conflictKeys(search)),
      ...(claim === undefined ? [] : [[`claim ${claim.key}`, requestId] as const]),
    ],
    limits,
    spans: db.spans,
  })

function replacements<Search>({ db, rows, statements, conflictKeys, limits, noteWork, answeringKey }: Writing<Search>) {
  type Request = Replacement<Search>
  const runOn = async (
    requests: readonly Request[],
    run: (submitted: readonly Submitted<Search>[]) => Promise<readonly ReplacementRow[]>,
  ) => {
    const answered = await run(
      requests.map(
        (request): Submitted<Search> => ({ ...submittedOf(request.record, request), allowed: request.allowed }),
      ),
    )
    const byId = new Map(answered.map((row) => [row.id, row]))
    return requests.map(({ record }) => replacedBy(byId.get(record.id)))
  }
  /**
   * Runs the statement that writes search rows, again for those that were replaced by others
   * meanwhile.
   */
  const replaceWithSearchRows = (provider: string, requests: readonly Request[]) =>
    answerAll(requests, async (left) => {
      const [some] = takeCompatible(left, namesOf)
      const ended = await answerEach(some, (few) =>
        answeringKey(few, () =>
          runOn(few, async (submitted) => {
            const answered = await statements.replace(db, { ...rows.rowsOf(submitted), provider, submitted })
            noteWork(provider, answered)
            return answered
          }),
        ),
      )
      const answers = new Map<Request, Replaced | Failed>()
      for (const [i, request] of some.entries()) {
        const answer = ended[i]
        if (answer !== undefined && answer !== 'again') answers.set(request, answer)
      }
      return answers
    })
  const namesOf = ({ record, requestId }: Request) => [
    [`record ${record.id}`, requestId] as const,
    ...conflictKeys(record.search),
  ]
  return new BatchedStatement<Request, Replaced>({
    run: async (provider, requests) => {
      const { replaceInPlace } = statements
      if (replaceInPlace === undefined) return replaceWithSearchRows(provider, requests)
      const answers = await runOn(requests, (submitted) => replaceInPlace(db, { provider, submitted }))
      const moved = requests.filter((_, i) => answers[i] === 'again')
      if (moved.length === 0) return answers as Replaced[]
      const ended = await replaceWithSearchRows(provider, moved)
      return answers.map((answer, i) =>
        answer === 'again' ? (ended[moved.indexOf(requests[i] as Request)] as Replaced) : answer,
      )
    },
    bytesOf: ({ record }) => record.body.length,
    conflictKeys: (request) =>
      rows.searchHash === undefined ? namesOf(request) : [[`record ${request.record.id}`, request.requestId]],
    limits: { ...limits, inFlightMax: replacingMax },
    spans: db.spans,
  })
}

const submittedOf = <Search>(
  record: Creation<Search>['records'][number],
  { keyId, requestId, payloadId, reason }: Creation<Search> | Replacement<Search>,
): Submitted<Search> => ({
  id: record.id,
  search: record.search,
  record,
  writer: { keyId, requestId, payloadId, reason },
})

function replacedBy(row: ReplacementRow | undefined): Replaced | 'again' {
  if (row === undefined) return { is: 'unknown' }
  if (row.outcome === 'again') return 'again'
  if (row.outcome === 'taken') return { is: 'taken' }
  return { is: row.outcome, version: row.outcome === 'replaced' ? row.version + 1 : row.version }
}
