// The corrections of a file and what became of its records before and after them: kept on this
// device for the person who made them, until all records are stored.
import { type ImportCounts, noCounts } from '../../../intake/import-run.ts'
import type { Mends } from '../../../intake/mending/mends.ts'
import { draftOf, dropDraft, keepDraft } from '../../drafts/drafts.ts'
import { draftPlace, draftPlaces } from '../frame/device.ts'
import type { ReadingChoices } from './reading-choices.ts'

/** A check of a file, or one time that it was sent. */
export interface ImportRound {
  readonly as: 'checking' | 'sending'
  /** When it ended, in milliseconds. */
  readonly at: number
  /** Cells that were corrected before. */
  readonly mended: number
  readonly counts: ImportCounts
}

export interface MendedFile {
  /** Undefined before a file is chosen. */
  readonly file: File | undefined
  readonly mends: Mends
  /** Those of them with which rows were sent. */
  readonly sent: Mends
  /** The corrections before the last change, which can be undone. */
  readonly before: Mends | undefined
  readonly rounds: readonly ImportRound[]
  /** How the file was read last; undefined before it was. */
  readonly choices?: ReadingChoices | undefined
}

export const unmended = (file?: File): MendedFile => ({ file, mends: {}, sent: {}, before: undefined, rounds: [] })

/** Records that were stored or, by a check, can be. */
export const takenIn = ({ counts }: Pick<ImportRound, 'counts'>): number =>
  counts.created + counts.replaced + counts.unchanged + counts.judged

export const isMended = ({ mends }: Pick<MendedFile, 'mends'>): boolean => Object.keys(mends).length > 0

const prefix = 'import '

const placeOf = (key: string, { name, size, lastModified }: File): string =>
  draftPlace(key, prefix + JSON.stringify([name, size, lastModified]))

export function recallMendedFile(key: string, file: File): MendedFile {
  const { mends = {}, sent = {}, rounds = [], choices } = contentAt(placeOf(key, file)) ?? {}
  const known = rounds.map((round) => ({ ...round, counts: { ...noCounts, ...round.counts } }))
  return { file, mends, sent, before: undefined, rounds: known, choices }
}

/** Keeps the corrections, or drops them once there are none or every record is stored. */
export function keepMendedFile(key: string, mended: MendedFile): void {
  const { file, mends, sent, rounds, choices } = mended
  if (file === undefined) return
  const last = rounds.at(-1)
  const isStored = last?.as === 'sending' && last.counts.rejected === 0
  if (isMended(mended) && !isStored)
    keepDraft(placeOf(key, file), { written: { value: { mends, sent, rounds, choices } }, base: null, version: 0 })
  else dropDraft(placeOf(key, file))
}

/** Files with corrections on this device, and how many cells of each. */
export function keptMendedFiles(key: string): readonly { readonly name: string; readonly cells: number }[] {
  return draftPlaces(key).flatMap((place) => {
    const id = place.slice(draftPlace(key, '').length)
    const cells = Object.keys(contentAt(place)?.mends ?? {}).length
    return id.startsWith(prefix) && cells > 0 ? [{ name: nameIn(id), cells }] : []
  })
}

function contentAt(place: string): Partial<MendedFile> | undefined {
  const written = draftOf(place)?.written
  return written !== undefined && 'value' in written ? written.value : undefined
}

function nameIn(id: string): string {
  try {
    return String(JSON.parse(id.slice(prefix.length))[0])
  } catch {
    return ''
  }
}
