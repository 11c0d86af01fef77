// Large answers take turns: each holds some megabytes until its reader took them, and readers may
// be many and slow.
import type { ServerResponse } from 'node:http'
import { Overloaded } from './pressure.ts'

export interface LargeAnswerLimits {
  /** Answers that have room at once, and those of one provider among them. */
  readonly atOnceMax: number
  readonly ofProviderMax: number
  readonly waitMsMax: number
}

interface Waiting {
  readonly provider: string
  readonly enter: () => void
}

/** The room for large answers in one process. */
export class LargeAnswers {
  readonly #limits: LargeAnswerLimits
  readonly #inside: string[] = []
  #waiting: Waiting[] = []

  constructor(limits: LargeAnswerLimits) {
    this.#limits = limits
  }

  /**
   * Waits for room, in the order of arrival. The answer has it until it is closed: when it was
   * sent, or when its reader is gone.
   * @throws Overloaded when there is no room in time, or nobody waits for the answer any more.
   */
  room(provider: string, answer: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      if (answer.closed || answer.destroyed) return reject(cancelledError())
      const waiting: Waiting = {
        provider,
        enter: () => {
          clearTimeout(timer)
          answer.off('close', leaveQueue)
          this.#inside.push(provider)
          answer.once('close', () => {
            this.#inside.splice(this.#inside.indexOf(provider), 1)
            this.#admit()
          })
          resolve()
        },
      }
      const giveUp = (why: Error) => {
        clearTimeout(timer)
        answer.off('close', leaveQueue)
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(why)
      }
      const leaveQueue = () => giveUp(cancelledError())
      const timer = setTimeout(
        () => giveUp(new Overloaded('Too many large responses are being sent.')),
        this.#limits.waitMsMax,
      )
      answer.once('close', leaveQueue)
      this.#waiting.push(waiting)
      this.#admit()
    })
  }

  /** Lets those in who have room; one whose provider has its share lets others pass. */
  #admit(): void {
    for (const one of [...this.#waiting]) {
      if (this.#inside.length >= this.#limits.atOnceMax) return
      const own = this.#inside.filter((provider) => provider === one.provider).length
      if (own >= this.#limits.ofProviderMax) continue
      this.#waiting = this.#waiting.filter((other) => other !== one)
      one.enter()
    }
  }
}

const cancelledError = () => new Overloaded('Nobody waits for the answer any more.')
