// Unsent drafts, kept on this device for the person who wrote them (`draftPlace`): leaving a form,
// a reload, a crash and signing out lose nothing, and each tab sees what the others wrote.

import type { Written } from './draft.ts'

export interface Draft {
  readonly written: Written
  /** The record and version it began from: sending it replaces only that version. */
  readonly base: unknown
  /** 0 for a new record. */
  readonly version: number
  /** Why the record is replaced, as far as it was typed. */
  readonly reason?: string
  /** Of a new record: sending it twice creates it once. */
  readonly idempotencyKey?: string
}

/** How long writing rests before a draft is put on the device, in milliseconds. */
const restMs = 300

/** Drafts that are in this tab alone: just written, or too large for the device. */
const unstored = new Map<string, Draft>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()

export function draftOf(place: string): Draft | undefined {
  try {
    return unstored.get(place) ?? JSON.parse(localStorage.getItem(place) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export function keepDraft(place: string, draft: Draft): void {
  unstored.set(place, draft)
  clearTimeout(timers.get(place))
  timers.set(
    place,
    setTimeout(() => store(place), restMs),
  )
}

export function dropDraft(place: string): void {
  unstored.delete(place)
  localStorage.removeItem(place)
}

function store(place: string): void {
  timers.delete(place)
  const draft = unstored.get(place)
  if (draft === undefined) return
  try {
    localStorage.setItem(place, JSON.stringify(draft))
    unstored.delete(place)
  } catch {
    // The device has no room for it.
  }
}

function storeAll(): void {
  for (const place of unstored.keys()) store(place)
}

/** Calls back when another tab writes this draft, or drops it. Returns how to end that. */
export function followDraft(place: string, onChange: () => void): () => void {
  const take = ({ key }: StorageEvent) => {
    if (key !== place) return
    unstored.delete(place)
    onChange()
  }
  addEventListener('storage', take)
  return () => removeEventListener('storage', take)
}

addEventListener('pagehide', storeAll)

addEventListener('beforeunload', (event) => {
  storeAll()
  if (unstored.size > 0) event.preventDefault()
})
