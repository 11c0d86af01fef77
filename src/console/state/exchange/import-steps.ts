// The import of a file, step by step: what was chosen, and what the page shows of it. Pure.
import type { PartnerDocument } from '../../../intake/file-form.ts'
import { noCounts, type Progress } from '../../../intake/import-run.ts'
import type { Mapping } from '../../../intake/layout.ts'
import { type Mend, type Mends, withMends } from '../../../intake/mending/mends.ts'
import type { ImportReport } from '../../files/file-import.ts'
import { type MendedFile, unmended } from './mended-file.ts'
import { type ReadingChoices, usualChoices } from './reading-choices.ts'

export type Step =
  | { readonly is: 'none' }
  | {
      readonly is: 'checking' | 'sending'
      readonly file: File
      readonly progress: Progress
      readonly isStopping: boolean
    }
  | { readonly is: 'checked' | 'sent'; readonly file: File; readonly report: ImportReport }
  | { readonly is: 'failed'; readonly file: File; readonly error: unknown }
  | { readonly is: 'document'; readonly file: File; readonly kind: PartnerDocument }

export interface ImportState {
  readonly choices: ReadingChoices
  /** Why the saved columns that were chosen last cannot be used. */
  readonly mappingFault: string
  readonly step: Step
  /** What the step was read with. */
  readonly readWith: { readonly choices: ReadingChoices; readonly mends: Mends }
  readonly mended: MendedFile
  /** The cause whose rows are corrected; empty for all. */
  readonly cause: string
}

export const importStart: ImportState = {
  choices: usualChoices,
  mappingFault: '',
  step: { is: 'none' },
  readWith: { choices: usualChoices, mends: {} },
  mended: unmended(),
  cause: '',
}

export type ImportAction =
  | { readonly is: 'choose'; readonly choices: Partial<ReadingChoices> }
  /** Saved columns, or why they cannot be used. */
  | { readonly is: 'load columns'; readonly mapping: Mapping | string }
  /** A file is read with these corrections. */
  | { readonly is: 'recall'; readonly mended: MendedFile }
  | { readonly is: 'mend'; readonly mends: readonly Mend[] }
  | { readonly is: 'undo' }
  | { readonly is: 'discard' }
  | { readonly is: 'show cause'; readonly cause: string }
  | { readonly is: 'start'; readonly as: 'checking' | 'sending'; readonly file: File }
  | { readonly is: 'progress'; readonly progress: Progress }
  | { readonly is: 'stop' }
  | { readonly is: 'end'; readonly report: ImportReport; readonly at: number }
  | { readonly is: 'fail'; readonly error: unknown }
  | { readonly is: 'abandon' }
  | { readonly is: 'open document'; readonly file: File; readonly kind: PartnerDocument }

const nothingYet: Progress = { is: 'reading', part: 0, rows: 0, skipped: 0, of: undefined, counts: noCounts }

export function nextImportState(state: ImportState, action: ImportAction): ImportState {
  if (action.is === 'choose') return { ...state, choices: { ...state.choices, ...action.choices } }
  if (action.is === 'load columns') {
    const { mapping } = action
    return typeof mapping === 'string'
      ? { ...state, choices: { ...state.choices, mapping: undefined }, mappingFault: mapping }
      : { ...state, choices: { ...state.choices, mapping }, mappingFault: '' }
  }
  if (action.is === 'show cause') return { ...state, cause: action.cause }
  if (isOfMending(action)) return { ...state, mended: nextMended(state.mended, action) }
  const { choices, mended } = state
  const next = { ...state, step: nextStep(state.step, action) }
  if (action.is === 'start')
    return { ...next, readWith: { choices, mends: mended.mends }, mended: { ...mended, choices }, cause: '' }
  if (action.is !== 'end' || (state.step.is !== 'checking' && state.step.is !== 'sending')) return next
  const { counts, rows } = action.report
  if (rows === 0) return next
  const round = { as: state.step.is, at: action.at, mended: Object.keys(state.readWith.mends).length, counts }
  const rounds = [...mended.rounds, round]
  if (round.as === 'checking') return { ...next, mended: { ...mended, rounds } }
  // What was sent is neither undone nor discarded.
  const sent = { ...mended.sent, ...state.readWith.mends }
  return { ...next, mended: { ...mended, rounds, sent, before: undefined } }
}

type MendingAction = Extract<ImportAction, { is: 'recall' | 'mend' | 'undo' | 'discard' }>

const isOfMending = (action: ImportAction): action is MendingAction =>
  ['recall', 'mend', 'undo', 'discard'].includes(action.is)

function nextMended(mended: MendedFile, action: MendingAction): MendedFile {
  const { mends, before } = mended
  switch (action.is) {
    case 'recall':
      return action.mended
    case 'mend':
      return { ...mended, mends: withMends(mends, action.mends), before: mends }
    case 'undo':
      return { ...mended, mends: before ?? mends, before: undefined }
    case 'discard':
      return { ...mended, mends: mended.sent, before: mends }
  }
}

type StepAction = Exclude<ImportAction, MendingAction | { is: 'choose' | 'load columns' | 'show cause' }>

function nextStep(step: Step, action: StepAction): Step {
  switch (action.is) {
    case 'start':
      return { is: action.as, file: action.file, progress: nothingYet, isStopping: false }
    case 'open document':
      return { is: 'document', file: action.file, kind: action.kind }
    case 'abandon':
      return { is: 'none' }
  }
  // Ignore events of a run after another was started, or after the page went on.
  if (step.is !== 'checking' && step.is !== 'sending') return step
  const { file } = step
  switch (action.is) {
    case 'progress':
      return { ...step, progress: action.progress }
    case 'stop':
      return { ...step, isStopping: true }
    case 'fail':
      return step.isStopping ? { is: 'none' } : { is: 'failed', file, error: action.error }
    case 'end':
      if (step.is === 'sending') return { is: 'sent', file, report: action.report }
      return action.report.is === 'stopped' ? { is: 'none' } : { is: 'checked', file, report: action.report }
  }
}
