// The progress of an import, so that it can continue: kept in this browser, without any content of
// the file.

import { addCounts, type Ended, type ImportCounts, type ImportOptions, noCounts } from '../../../intake/import-run.ts'
import { importPlace } from '../frame/device.ts'

export type Earlier = NonNullable<ImportOptions['earlier']>

/** Most files remembered; the oldest are forgotten. */
const filesMax = 8
/**
 * Most rejected records remembered by number, to be sent again. With more, the import continues at
 * that place.
 */
const rejectedMax = 10_000
/** Number of records after which it is saved. */
const everyMax = 25

interface RememberedImport {
  readonly through: number
  readonly again: readonly number[]
  readonly counts: ImportCounts
  /** When it was written, in milliseconds. */
  readonly at: number
}

export class ImportMemory {
  readonly #name: string
  #through = 0
  #again = new Set<number>()
  #counts: ImportCounts = noCounts
  #unwritten = 0

  /** `state` changes whenever the file, the account or the options do. */
  constructor(state: string) {
    this.#name = importPlace + state
    const kept = keptUnder(this.#name)
    if (kept === undefined) return
    this.#through = kept.through
    this.#again = new Set(kept.again)
    this.#counts = kept.counts
  }

  /** The progress so far. Rejected records are sent again, because their rows are not kept. */
  get earlier(): Earlier {
    return { through: this.#through, again: new Set(this.#again), counts: this.#counts }
  }

  done({ number, counts, rejected }: Ended): void {
    if (this.#again.size >= rejectedMax) return
    this.#again.delete(number)
    if (rejected === undefined) this.#counts = addCounts(this.#counts, counts)
    else this.#again.add(number)
    this.#through = Math.max(this.#through, number)
    if (++this.#unwritten >= everyMax) this.write()
  }

  write(): void {
    this.#unwritten = 0
    const kept: RememberedImport = {
      through: this.#through,
      again: [...this.#again],
      counts: this.#counts,
      at: Date.now(),
    }
    try {
      localStorage.setItem(this.#name, JSON.stringify(kept))
      const names = Object.keys(localStorage).filter((name) => name.startsWith(importPlace))
      const oldest = names.sort((a, b) => (keptUnder(a)?.at ?? 0) - (keptUnder(b)?.at ?? 0))
      for (const name of oldest.slice(0, Math.max(0, names.length - filesMax))) localStorage.removeItem(name)
    } catch {
      // Without storage in the browser, the import starts again, and creates nothing twice.
    }
  }

  forget(): void {
    localStorage.removeItem(this.#name)
  }
}

/** An import that ended early. */
export interface BrokenOffImport {
  /** Of this file, in this state. */
  readonly file: Pick<File, 'name' | 'size' | 'lastModified'>
  /** With these options. */
  readonly asked: Readonly<Record<string, unknown>>
  /** Records that were stored. */
  readonly stored: number
  readonly rejected: number
  /** When it was written, in milliseconds. */
  readonly at: number
  readonly forget: () => void
}

/** Changes with the file and with the options. */
export const importStateOf = ({ name, size, lastModified }: BrokenOffImport['file'], asked: object): string =>
  JSON.stringify([name, size, lastModified, asked])

/** The imports of this account that ended early, the latest first. */
export function brokenOffImports(account: string): readonly BrokenOffImport[] {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(importPlace))
    .flatMap((key) => {
      const kept = keptUnder(key)
      const state = stateIn(key)
      if (kept === undefined || state === undefined || state.asked.account !== account) return []
      const rejected = kept.again.length
      const forget = () => localStorage.removeItem(key)
      return [{ ...state, stored: kept.through - rejected, rejected, at: kept.at, forget }]
    })
    .sort((a, b) => b.at - a.at)
}

function stateIn(key: string): Pick<BrokenOffImport, 'file' | 'asked'> | undefined {
  try {
    const [name, size, lastModified, asked] = JSON.parse(key.slice(importPlace.length)) as unknown[]
    return typeof name === 'string' && typeof size === 'number' && typeof lastModified === 'number' && isObject(asked)
      ? { file: { name, size, lastModified }, asked }
      : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function keptUnder(name: string): RememberedImport | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? '') as Partial<RememberedImport>
    return typeof kept.through === 'number' && Array.isArray(kept.again) && typeof kept.counts === 'object'
      ? { through: kept.through, again: kept.again, counts: { ...noCounts, ...kept.counts }, at: kept.at ?? 0 }
      : undefined
  } catch {
    return undefined
  }
}
