// `lotkeeper retention`: shows versions older than the retention time, or purges them. Works beside
// a running server.

import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { recordKinds } from '../contract/record-kinds.ts'
import { yearsBefore } from '../contract/shape/date-and-time.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { allProviders } from '../store/database/providers.ts'
import type { Queryable } from '../store/database/statement.ts'
import { legalHolds, standingHoldsMax } from '../store/keeping/legal-holds.ts'
import { findAllDue, type PurgeStep, purgeAllDue } from '../store/keeping/purge.ts'
import { countLookedAt } from '../store/keeping/retention.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { Progress } from '../terminal/progress.ts'
import { type Column, tableText } from '../terminal/table.ts'
import { remarks, results } from '../terminal/terminal.ts'
import { unwritable } from '../terminal/whole-file.ts'
import { reportNodesAway, withOpenedDatabase } from './opened-database.ts'

interface RetentionOptions {
  readonly purge?: boolean
  readonly provider?: string
  readonly report?: string
  readonly json?: boolean
}

/** The due versions of one provider, kind, vendor and year. */
interface Group {
  readonly provider: string
  readonly kind: string
  readonly dataProviderVendorId: string
  readonly submittedYear: number
  versions: number
  /** Records that go as a whole. */
  records: number
}

export const retention = (options: RetentionOptions): Promise<CommandEnd> =>
  withOpenedDatabase(async (db, { retentionYears }) => {
    const known = await allProviders(db)
    const providers = known.filter(({ name }) => options.provider === undefined || name === options.provider.trim())
    if (providers.length === 0 && options.provider !== undefined)
      return { problem: `There is no provider ${options.provider}. lotkeeper keys list shows them.` }
    const report = options.report === undefined ? undefined : await newFile(options.report)
    if (report !== undefined && 'problem' in report) return report

    const now = new Date()
    const run = new Run(db, now, { retentionYears, purge: options.purge ?? false, report })
    const away = providers.filter(({ isAway }) => isAway)
    const fault = await run.over(providers.filter(({ isAway }) => !isAway))
    if (report !== undefined) {
      report.end()
      await once(report, 'close')
    }
    await show(run, options)
    return (
      fault ??
      (away.length === 0 ? undefined : reportNodesAway(db, `Left out: ${pluralize(away.length, 'provider')} there.`))
    )
  })

class Run {
  readonly groups = new Map<string, Group>()
  readonly before: Date
  holds = 0
  readonly #db: Queryable
  readonly #now: Date
  readonly retentionYears: number
  readonly #purge: boolean
  readonly #report: WriteStream | undefined
  #stopped = false

  constructor(
    db: Queryable,
    now: Date,
    {
      retentionYears,
      purge,
      report,
    }: { readonly retentionYears: number; readonly purge: boolean; readonly report: WriteStream | undefined },
  ) {
    this.#db = db
    this.#now = now
    this.retentionYears = retentionYears
    this.before = yearsBefore(now, retentionYears)
    this.#purge = purge
    this.#report = report
  }

  get versions(): number {
    return [...this.groups.values()].reduce((sum, { versions }) => sum + versions, 0)
  }

  get records(): number {
    return [...this.groups.values()].reduce((sum, { records }) => sum + records, 0)
  }

  /** One provider after the other. Stops after the step under way at the first Ctrl+C. */
  async over(providers: readonly { readonly provider: string; readonly name: string }[]): Promise<CommandEnd> {
    const progress = new Progress()
    const stop = () => {
      this.#stopped = true
    }
    process.once('SIGINT', stop)
    try {
      let total = 0
      for (const { provider } of providers) total += await countLookedAt(this.#db, provider, this.before)
      let looked = 0
      for (const { provider, name } of providers) {
        this.holds += (await legalHolds(this.#db, { provider, onlyStanding: true, limit: standingHoldsMax })).length
        for await (const step of this.#steps(provider)) {
          looked += step.records
          await this.#note(name, step)
          const more = ` · ${this.versions.toLocaleString('en')} versions ${this.#purge ? 'purged' : 'due'}`
          progress.show(Math.min(1, looked / Math.max(total, 1)), { done: looked, unit: 'records', more })
          if (this.#stopped) break
        }
        if (this.#stopped) return { problem: `Interrupted. ${this.#soFar()}` }
      }
      return undefined
    } catch (error) {
      return { problem: `${error instanceof Error ? error.message : String(error)} ${this.#soFar()}` }
    } finally {
      process.off('SIGINT', stop)
      progress.clear()
    }
  }

  #steps(provider: string): AsyncGenerator<PurgeStep> {
    return this.#purge
      ? purgeAllDue(this.#db, provider, { before: this.before, now: this.#now, retentionYears: this.retentionYears })
      : findAllDue(this.#db, provider, this.before)
  }

  #soFar(): string {
    return this.#purge
      ? 'The versions shown were purged. Run the command again to continue.'
      : 'Only a part is shown. Nothing was changed.'
  }

  async #note(provider: string, { versions }: PurgeStep): Promise<void> {
    for (const { id, version, kind: kindName, dataProviderVendorId, submittedYear, isCurrent } of versions) {
      const kind = recordKinds.find(({ name }) => name === kindName)?.noun ?? kindName
      const name = JSON.stringify([provider, kind, dataProviderVendorId, submittedYear])
      const group = this.groups.get(name) ?? {
        provider,
        kind,
        dataProviderVendorId,
        submittedYear,
        versions: 0,
        records: 0,
      }
      group.versions++
      group.records += Number(isCurrent)
      this.groups.set(name, group)
      const line = { provider, kind: kindName, id, version, dataProviderVendorId, submittedYear, purged: this.#purge }
      if (this.#report?.write(`${JSON.stringify(line)}\n`) === false) await once(this.#report, 'drain')
    }
  }
}

/** A file that is not there yet: an older report is not written over. */
async function newFile(path: string): Promise<WriteStream | { readonly problem: string }> {
  const file = createWriteStream(path, { flags: 'wx' })
  try {
    await once(file, 'open')
    return file
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      problem:
        code === 'EEXIST'
          ? `${path} already exists. Name another file for --report.`
          : `${unwritable(path, code)} Nothing was purged.`,
    }
  }
}

async function show(run: Run, { purge = false, json }: RetentionOptions): Promise<void> {
  const { before, retentionYears, versions, records, holds } = run
  const groups = [...run.groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group)
  if (json) {
    const about = {
      purged: purge,
      retentionYears,
      before: before.toISOString(),
      versions,
      records,
      standingHolds: holds,
    }
    await results.write(`${JSON.stringify({ ...about, groups }, undefined, 2)}\n`)
    return
  }
  if (groups.length > 0) await results.write(tableText(columns, groups))
  const age = `older than ${before.toISOString().slice(0, 10)} (RETENTION_YEARS=${retentionYears})`
  const held = holds === 0 ? '' : ` Records under ${pluralize(holds, 'legal hold')} stay.`
  const what = `${pluralize(versions, 'version')}, ${pluralize(records, 'whole event')} among them, ${age}`
  if (versions === 0) await remarks.say(`Nothing is due: no version that may be purged is ${age}.${held}`)
  else if (purge) await remarks.say(`Purged: ${what}. Their tombstones stay.${held}`)
  else await remarks.say(`Due: ${what}. Nothing was changed. lotkeeper retention --purge purges them.${held}`)
}

const columns: readonly Column<Group>[] = [
  { heading: 'provider', cell: ({ provider }) => provider },
  { heading: 'kind', cell: ({ kind }) => kind },
  { heading: 'vendor', cell: ({ dataProviderVendorId }) => dataProviderVendorId },
  { heading: 'submitted', cell: ({ submittedYear }) => String(submittedYear) },
  { heading: 'versions', cell: ({ versions }) => versions.toLocaleString('en'), right: true },
  { heading: 'whole events', cell: ({ records }) => records.toLocaleString('en'), right: true },
]
