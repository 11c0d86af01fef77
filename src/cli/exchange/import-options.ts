// The options of `lotkeeper import`, and what they mean for reading.
import { existsSync, readFileSync, statSync } from 'node:fs'
import type { IntakeOptions } from '../../intake/intake.ts'
import { isColumn, readMapping, unknownColumn } from '../../intake/mapping.ts'
import { type EventKindWord, eventKindsByWord } from '../base/kinds.ts'

export interface ImportOptions {
  readonly url: string
  readonly key?: string
  readonly dryRun?: 'here' | 'service' | true
  readonly replace: boolean
  readonly yes: boolean
  readonly mapping?: string
  readonly set: readonly string[]
  readonly dates: 'mdy' | 'dmy'
  readonly utcOffset?: string
  readonly timeZone?: string
  readonly sheet: readonly string[]
  readonly time: string
  readonly restoreZeros: boolean
  /** False: codes are not completed from stored locations and products. */
  readonly complete: boolean
  readonly json?: boolean
  readonly kind?: EventKindWord
  readonly parallel: number
  readonly lotNumberRequiredFrom?: string
}

/** The choices for intake, or the mistake in the command's arguments. */
export function readOptions(paths: readonly string[], options: ImportOptions): IntakeOptions | string {
  for (const path of paths) {
    if (!existsSync(path)) return `There is no file ${path}.`
    if (!statSync(path).isFile())
      return `${path} is not a file on disk. An import reads a file twice, to import each event whole. Save it to a file first.`
  }
  if (options.dryRun !== true && options.dryRun !== 'here' && !options.key)
    return 'There is no key. Set LOTKEEPER_KEY, or give --key. With --dry-run no key is needed.'
  const defaults: Record<string, string> = {}
  for (const one of options.set) {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(one) ?? []
    if (name === undefined || value === undefined) return `--set is ${one}. It must be column=value.`
    if (!isColumn(name)) return `--set names ${unknownColumn(name)}`
    defaults[name] = value
  }
  // A missing one is written as a suggestion.
  const path = options.mapping
  const mapping =
    path !== undefined && existsSync(path) ? readMapping(readFileSync(path, 'utf8'), `The mapping ${path}`) : undefined
  if (typeof mapping === 'string') return mapping
  return {
    mapping: mapping && path !== undefined ? { ...mapping, name: path } : undefined,
    defaults,
    dates: options.dates,
    utcOffset: options.utcOffset,
    timeZone: options.timeZone,
    ...(options.sheet.length > 0 && { sheets: options.sheet }),
    timeOfDay: options.time,
    restoreZeros: options.restoreZeros,
    ...(options.kind !== undefined && { kind: eventKindsByWord[options.kind].name }),
  }
}

/** A dry run asks the service where there is a key for it. */
export const dryRunOf = ({ dryRun, key }: ImportOptions): 'here' | 'service' | undefined =>
  dryRun === true ? (key ? 'service' : 'here') : dryRun
