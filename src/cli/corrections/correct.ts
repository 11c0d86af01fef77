// `lotkeeper correct`: one change of fields in many receiving events, with its preview.

import { createInterface } from 'node:readline/promises'
import type { Client } from '../../client/client.ts'
import type { Correction, CorrectionEvent, NewCorrection } from '../../client/generated/shapes.ts'
import { fieldNamesFor } from '../../contract/field-change.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { Progress } from '../../terminal/progress.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { download } from '../records/download.ts'

interface CorrectOptions extends RemoteOptions {
  readonly reason: string
  readonly set: readonly string[]
  readonly replace: readonly string[]
  readonly remove: readonly string[]
  readonly overwrite: boolean
  readonly dryRun: boolean
  readonly yes: boolean
  /** Id of the correction to undo. */
  readonly undo?: string
  readonly report?: string
  readonly query: NonNullable<NewCorrection['where']>
}

/** Pause between two requests about a correction in progress, in milliseconds. */
const askAgainMs = 500
const examplesMax = 10

export async function correct(options: CorrectOptions): Promise<CommandEnd> {
  const { reason, dryRun, yes, undo, json = false, report, query } = options
  const changes = undo === undefined ? changesIn(options) : undoing(options)
  if ('problem' in changes) return { ...changes, calledWrongly: true }
  return withClient(options, async (api) => {
    const { body: created } =
      undo === undefined
        ? await api.createCorrection({ body: { reason, where: query, changes } })
        : await api.undoCorrection({ id: undo, body: { reason } })
    const previewed = await waitFor(api, created, 'previewing')
    if (!json) await writePreview(api, previewed)
    const { ready } = previewed.outcomes
    const isToApply = !dryRun && ready > 0 && (yes || (await isConfirmed(ready)))
    if (!isToApply) {
      if (report !== undefined) await saveReport(api, previewed, report)
      await api.cancelCorrection({ id: created.id })
      if (json) await results.write(`${JSON.stringify(previewed)}\n`)
      if (dryRun || ready === 0) return undefined
      return { problem: 'Nothing was corrected. Give --yes to correct without a question.' }
    }
    const { body: applying } = await api.applyCorrection({ id: created.id, body: { ready } })
    const done = await waitFor(api, applying, 'applying')
    if (json) await results.write(`${JSON.stringify(done)}\n`)
    else await results.say(`${pluralize(done.outcomes.corrected, 'event')} corrected: correction ${done.id}.`)
    if (report !== undefined) await saveReport(api, done, report)
    const { refused, superseded, failed, gone } = done.outcomes
    const left = refused + superseded + failed + gone
    return left === 0
      ? undefined
      : {
          problem: `${pluralize(left, 'event')} not corrected: ${refused} refused, ${superseded} changed meanwhile, ${gone} purged, ${failed} failed. --report says why.`,
        }
  })
}

type Change = NewCorrection['changes'][number]

/** `packStyle=Carton` as field and value. */
function assignment(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=')
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)]
}

function changesIn({ set, replace, remove, overwrite }: CorrectOptions): Change[] | { readonly problem: string } {
  const before = new Map<string, string>()
  for (const text of replace) {
    const [name, value] = assignment(text) ?? []
    if (name === undefined || value === undefined) return { problem: `--replace ${text} must be field=value.` }
    before.set(name, value)
  }
  const changes: Change[] = []
  const add = (name: string, change: Pick<Change, 'set' | 'remove'>): { readonly problem: string } | undefined => {
    const [field, ...others] = fieldNamesFor(name)
    if (field === undefined)
      return {
        problem: `${name} is no field that a correction can change. docs/reference/fields.md lists them at FieldChange.`,
      }
    if (others.length > 0) return { problem: `${name} is ambiguous. Write one of ${[field, ...others].join(', ')}.` }
    const old = before.get(name)
    before.delete(name)
    changes.push({
      field: field as Change['field'],
      ...change,
      ...(old === undefined ? overwrite && { overwrite } : { replace: old }),
    })
    return undefined
  }
  for (const text of set) {
    const [name, value] = assignment(text) ?? []
    const fault =
      name === undefined ? { problem: `--set ${text} must be field=value.` } : add(name, { set: value ?? '' })
    if (fault !== undefined) return fault
  }
  for (const name of remove) {
    const fault = add(name, { remove: true })
    if (fault !== undefined) return fault
  }
  const [left] = before.keys()
  if (left !== undefined) return { problem: `--replace ${left} needs --set ${left}=… or --remove ${left}.` }
  if (changes.length === 0) return { problem: 'Nothing is to be changed. Give --set or --remove.' }
  return changes
}

/** Undoing a correction allows no other change. */
const undoing = ({
  set,
  replace,
  remove,
  overwrite,
  query,
}: CorrectOptions): Change[] | { readonly problem: string } =>
  set.length + replace.length + remove.length > 0 || overwrite || Object.keys(query).length > 0
    ? { problem: '--undo takes back what the correction changed. Give no changes and no choice of events with it.' }
    : []

/** Polls until the correction has left the state, and shows the progress. */
async function waitFor(api: Client, begun: Correction, state: Correction['state']): Promise<Correction> {
  const progress = new Progress()
  for (let correction = begun; ; ) {
    if (correction.state !== state) {
      progress.clear()
      return correction
    }
    const { waiting, ready } = correction.outcomes
    const done = correction.events - (state === 'previewing' ? waiting : ready)
    progress.show(done / Math.max(1, correction.events), { done, of: correction.events, unit: 'events' })
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
    correction = (await api.readCorrection({ id: correction.id })).body
  }
}

async function writePreview(
  api: Client,
  { id, events, outcomes, completedLines, closedGaps }: Correction,
): Promise<void> {
  const { ready, unchanged, refused } = outcomes
  const title = `${pluralize(ready, 'event')} of ${events.toLocaleString('en-US')} would be corrected; ${unchanged} have nothing to change, ${refused} are refused`
  await results.write(`${results.styled('bold', title)}\n`)
  if (closedGaps > 0) await results.say(`Lines completed: ${completedLines}. Gaps closed: ${closedGaps}.`)
  const list = async (outcome: 'ready' | 'refused', columns: readonly Column<CorrectionEvent>[]) => {
    const { body } = await api.listCorrectionEvents({ id, outcome, limit: examplesMax })
    if (body.content.length > 0) await results.write(`\n${tableText(columns, body.content)}`)
    if (body.nextCursor !== null) await remarks.say(`The first ${examplesMax} are listed. --report has all.`)
  }
  if (ready > 0) await list('ready', [...eventColumns, { heading: 'changes', cell: differenceText }])
  if (refused > 0)
    await list('refused', [...eventColumns, { heading: 'refused because', cell: ({ detail }) => detail ?? '' }])
}

const eventColumns: readonly Column<CorrectionEvent>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'received', cell: ({ eventDate }) => eventDate ?? '' },
  { heading: 'order', cell: ({ purchaseOrderNumber }) => purchaseOrderNumber ?? '' },
]

function differenceText({ differences: [first], values }: CorrectionEvent): string {
  if (first === undefined) return ''
  const { pointer, before, after } = first
  const more = values > 1 ? `, and ${values - 1} more` : ''
  return `${pointer.split('/').at(-1)}: ${before ?? '(missing)'} → ${after ?? '(removed)'}${more}`
}

/** Without a person to ask, nothing is corrected. */
async function isConfirmed(ready: number): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`Correct ${pluralize(ready, 'event')}? [y]es, [N]o: `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

async function saveReport(api: Client, { id }: Correction, path: string): Promise<void> {
  const { file } = await api.exportCorrectionReport({ id, format: path.endsWith('.csv') ? 'csv' : 'xlsx' })
  if (file === undefined) throw new Error('The service answered without a file.')
  await download({ name: file.name ?? path, parts: file.stream }, path)
}
