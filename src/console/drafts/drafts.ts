// Drafts that were begun and not sent, kept while the page is: going elsewhere and back loses
// nothing.

import type { Written } from './draft.ts'

export interface Draft {
  readonly written: Written
  /** The record it was begun from, and its version: what is sent replaces that one only. */
  readonly base: unknown
  /** 0 where there is none yet. */
  readonly version: number
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
