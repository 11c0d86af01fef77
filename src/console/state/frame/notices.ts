// Short words about what was just done, shown in a corner and read out.
import { signal } from './signal.ts'

export interface Notice {
  readonly id: number
  readonly words: string
  readonly tone: 'done' | 'failed'
}

const shownMs = 6_000

const notices = signal<readonly Notice[]>([])
let count = 0

export const useNotices = (): readonly Notice[] => notices.use()

/** What failed stays until it is put away. */
export function say(words: string, tone: Notice['tone'] = 'done'): void {
  const notice = { id: ++count, words, tone }
  notices.set([...notices.get().slice(-2), notice])
  if (tone === 'done') setTimeout(dismiss, shownMs, notice.id)
}

export function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id))
}
