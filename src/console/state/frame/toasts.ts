// Short messages about what was just done, shown in a corner and read aloud.
import { signal } from './signal.ts'

export interface Toast {
  readonly id: number
  readonly words: string
  readonly tone: 'done' | 'failed'
}

const shownMs = 6_000

const toasts = signal<readonly Toast[]>([])
let count = 0

export const useToasts = (): readonly Toast[] => toasts.use()

/** A failure stays until it is dismissed. */
export function say(words: string, tone: Toast['tone'] = 'done'): void {
  const toast = { id: ++count, words, tone }
  toasts.set([...toasts.get().slice(-2), toast])
  if (tone === 'done') setTimeout(dismiss, shownMs, toast.id)
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}
