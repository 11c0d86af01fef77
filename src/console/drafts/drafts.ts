// Unsent drafts, kept as long as the page is open: leaving a form and coming back loses nothing.

import type { Written } from './draft.ts'

export interface Draft {
  readonly written: Written
  /** The record and version it began from: sending it replaces only that version. */
  readonly base: unknown
  /** 0 for a new record. */
  readonly version: number
  /** Why the record is replaced, as far as it was typed. */
  readonly reason?: string
}

const drafts = new Map<string, Draft>()

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault()
})

export const draftOf = (id: string): Draft | undefined => drafts.get(id)

export function keepDraft(id: string, draft: Draft): void {
  drafts.set(id, draft)
}

export function dropDraft(id: string): void {
  drafts.delete(id)
}
