// Differences between two states of a record, as JSON Pointers.
import { pointerStep } from './shape/finding.ts'

export interface Differences {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly replaced: readonly string[]
}

/**
 * Fields of `after` that `before` lacks, fields that only `before` has, and fields with another
 * value. Lists are compared entry by entry.
 */
export function differencesBetween(before: unknown, after: unknown): Differences {
  const changes = { added: [] as string[], removed: [] as string[], replaced: [] as string[] }
  compare(before, after, '', changes)
  return changes
}

type Parts = Readonly<Record<string, unknown>>

const partsOf = (value: unknown): Parts | undefined =>
  typeof value === 'object' && value !== null ? (value as Parts) : undefined

function compare(before: unknown, after: unknown, at: string, changes: Record<keyof Differences, string[]>): void {
  // A draft shares its unchanged parts with its base.
  if (before === after) return
  const [left, right] = [partsOf(before), partsOf(after)]
  if (left === undefined || right === undefined || Array.isArray(left) !== Array.isArray(right)) {
    changes.replaced.push(at)
    return
  }
  for (const key of Object.keys(left))
    if (Object.hasOwn(right, key)) compare(left[key], right[key], at + pointerStep(key), changes)
    else changes.removed.push(at + pointerStep(key))
  for (const key of Object.keys(right)) if (!Object.hasOwn(left, key)) changes.added.push(at + pointerStep(key))
}

/** The value at a JSON Pointer; undefined when there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const parts = partsOf(value)
    value = parts !== undefined && Object.hasOwn(parts, key) ? parts[key] : undefined
  }
  return value
}
