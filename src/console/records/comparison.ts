// Two states of a record side by side, and three of them put together. Pure.
import { type Differences, differencesBetween } from '../../contract/differences.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
import { pointerStep } from '../../contract/shape/finding.ts'
import { labelOf } from '../words/labels.ts'
import { stepsOf, valueAt } from './pointers.ts'

export interface ComparedRow {
  readonly pointer: string
  readonly change: 'removed' | 'replaced' | 'added' | 'same'
  readonly before: unknown
  readonly after: unknown
}

/** Removed values first, which must not be overlooked; then replaced, added and equal ones. */
export function comparedRows(before: unknown, after: unknown): readonly ComparedRow[] {
  const changes = differencesBetween(before, after)
  const row = (change: ComparedRow['change']) => (pointer: string) => ({
    pointer,
    change,
    before: valueAt(before, pointer),
    after: valueAt(after, pointer),
  })
  const changed = new Set([...changes.removed, ...changes.replaced, ...changes.added])
  return [
    ...changes.removed.map(row('removed')),
    ...changes.replaced.map(row('replaced')),
    ...changes.added.map(row('added')),
    ...leavesOf(before, changed).map(row('same')),
  ]
}

export const changeCount = ({ added, removed, replaced }: Differences): number =>
  added.length + removed.length + replaced.length

/** Pointers of all values that are no object or list, but for excluded ones. */
function leavesOf(value: unknown, without: ReadonlySet<string>, at = ''): string[] {
  if (without.has(at)) return []
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, part]) => leavesOf(part, without, at + pointerStep(key)))
}

/** The name of one entry of a list. */
const entryNouns: Readonly<Record<string, string>> = {
  productList: 'Product line',
  productMasterDataList: 'Product',
  locationMasterList: 'Location',
  ingredientList: 'Ingredient',
}

/** An entry of a list, for the button that adds one. */
export const entryNoun = (list: string): string => (entryNouns[list] ?? 'Line').toLowerCase()

/** `productList`, 1 as "Product line 2". */
export const entryName = (list: string, index: number): string => `${entryNouns[list] ?? labelOf(list)} ${index + 1}`

/** Parts of a payload that are the record itself: they say nothing of the place. */
const subjects: ReadonlySet<string> = new Set(recordKinds.map(({ subject }) => subject))

/** `/eventList/productList/1/caseLotNumber` as "Product line 2 › Lot code". */
export function placeWords(pointer: string): string {
  const words: string[] = []
  let before = ''
  const steps = stepsOf(pointer)
  const [first = '', second = ''] = steps
  const isOfRecord = subjects.has(first) && second !== '' && !/^\d+$/.test(second)
  for (const step of isOfRecord ? steps.slice(1) : steps) {
    if (/^\d+$/.test(step) && words.length > 0) words[words.length - 1] = entryName(before, Number(step))
    else words.push(labelOf(step))
    before = step
  }
  return words.join(' › ') || 'The whole record'
}

export interface Merged {
  readonly merged: unknown
  /** Where both changed the same place differently; `merged` has mine there. */
  readonly conflicts: readonly string[]
}

/** My changes and theirs together, both made on `base`. Lists of another length are one place. */
export function mergedOf(base: unknown, mine: unknown, theirs: unknown): Merged {
  const conflicts: string[] = []
  const merge = (was: unknown, my: unknown, their: unknown, at: string): unknown => {
    if (isSame(was, my) || isSame(my, their)) return their
    if (isSame(was, their)) return my
    if (isParts(was) && isParts(my) && isParts(their)) {
      const names = [...new Set([...Object.keys(their), ...Object.keys(my)])]
      const parts = names.map(
        (name) => [name, merge(was[name], my[name], their[name], at + pointerStep(name))] as const,
      )
      return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
    }
    if (isList(was) && isList(my) && isList(their) && was.length === my.length && was.length === their.length)
      return was.map((entry, i) => merge(entry, my[i], their[i], at + pointerStep(i)))
    conflicts.push(at)
    return my
  }
  return { merged: merge(base, mine, theirs, ''), conflicts }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const isParts = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (one: unknown, other: unknown): boolean =>
  (one === undefined) === (other === undefined) && changeCount(differencesBetween(one, other)) === 0
