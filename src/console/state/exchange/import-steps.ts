// The import of a file, step by step: what was chosen, and what the page shows of it. Pure.
import type { EventKindName } from '../../../contract/record-kinds.ts'
import type { PartnerDocument } from '../../../intake/file-form.ts'
import { noCounts, type Progress } from '../../../intake/import-run.ts'
import { type IntakeOptions, plainOptions } from '../../../intake/intake.ts'
import type { Mapping } from '../../../intake/layout.ts'
import type { Defaults } from '../../../intake/read-row.ts'
import type { ImportReport } from '../../files/file-import.ts'
import { localTimeOptions } from '../../words/local-times.ts'

/** How a file is read, and what happens to records that are stored already. */
export interface ReadingChoices {
  readonly kind: EventKindName | undefined
  readonly dates: 'mdy' | 'dmy'
  /** A time zone or an offset; empty for none. */
  readonly localTime: string
  readonly restoreZeros: boolean
  readonly mapping: Mapping | undefined
  readonly defaults: Defaults
  readonly replace: boolean
  readonly completes: boolean
}

const usualChoices: ReadingChoices = {
  kind: undefined,
  dates: 'mdy',
  localTime: '',
  restoreZeros: false,
  mapping: undefined,
  defaults: {},
  replace: false,
  completes: true,
}

export const intakeFor = ({
  dates,
  localTime,
  restoreZeros,
  kind,
  mapping,
  defaults,
}: ReadingChoices): IntakeOptions => ({
  ...plainOptions,
  dates,
  ...localTimeOptions(localTime),
  restoreZeros,
  kind,
  mapping,
  defaults,
})

/** The choices of an import that was remembered with its options. */
export function choicesIn(asked: Readonly<Record<string, unknown>>): ReadingChoices {
  const { timeZone, utcOffset, ...others } = asked as Partial<IntakeOptions & ReadingChoices>
  const { kind, dates, restoreZeros, mapping, defaults, replace, completes } = { ...usualChoices, ...others }
  return { kind, dates, localTime: timeZone ?? utcOffset ?? '', restoreZeros, mapping, defaults, replace, completes }
}

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
}

export const importStart: ImportState = { choices: usualChoices, mappingFault: '', step: { is: 'none' } }

export type ImportAction =
  | { readonly is: 'choose'; readonly choices: Partial<ReadingChoices> }
  /** Saved columns, or why they cannot be used. */
  | { readonly is: 'load columns'; readonly mapping: Mapping | string }
  | { readonly is: 'start'; readonly as: 'checking' | 'sending'; readonly file: File }
  | { readonly is: 'progress'; readonly progress: Progress }
  | { readonly is: 'stop' }
  | { readonly is: 'end'; readonly report: ImportReport }
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
  return { ...state, step: nextStep(state.step, action) }
}

function nextStep(step: Step, action: Exclude<ImportAction, { is: 'choose' | 'load columns' }>): Step {
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
