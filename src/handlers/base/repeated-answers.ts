// Answers that partners got a short while ago: programs that poll get one answer over and over, and
// the access log has it once an hour. Source: decision 0077.
import { createHash } from 'node:crypto'

/** How long an answer counts as the same access, in milliseconds. */
const sameAccessMs = 3_600_000
const rememberedMax = 1_000

export class RepeatedAnswers {
  readonly #now: () => number
  /** When each was noted, by the hash of question and answer, oldest first. */
  readonly #noted = new Map<string, number>()

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Calls `note` unless it noted the same answer to the same question within the hour. One whose
   * note fails is not remembered.
   */
  async noteOnce(question: readonly unknown[], answer: string, note: () => Promise<unknown>): Promise<void> {
    const name = createHash('sha256').update(JSON.stringify(question)).update('\n').update(answer).digest('base64')
    const notedAt = this.#noted.get(name)
    if (notedAt !== undefined && this.#now() - notedAt < sameAccessMs) return
    await note()
    this.#noted.delete(name)
    const [oldest] = this.#noted.keys()
    if (this.#noted.size >= rememberedMax && oldest !== undefined) this.#noted.delete(oldest)
    this.#noted.set(name, this.#now())
  }
}
