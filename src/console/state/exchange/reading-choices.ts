// How the page reads a file: what is chosen for it. Pure.
import type { EventKindName } from '../../../contract/record-kinds.ts'
import { type IntakeOptions, plainOptions } from '../../../intake/intake.ts'
import type { Mapping } from '../../../intake/layout.ts'
import type { Mends } from '../../../intake/mending/mends.ts'
import type { Defaults } from '../../../intake/read-row.ts'
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

export const usualChoices: ReadingChoices = {
  kind: undefined,
  dates: 'mdy',
  localTime: '',
  restoreZeros: false,
  mapping: undefined,
  defaults: {},
  replace: false,
  completes: true,
}

export const intakeFor = (
  { dates, localTime, restoreZeros, kind, mapping, defaults }: ReadingChoices,
  mends: Mends,
): IntakeOptions => ({
  ...plainOptions,
  mends,
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
