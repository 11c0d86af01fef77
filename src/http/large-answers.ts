// Limits concurrent large answers: each takes some megabytes until its client has read it, and
// clients may be many and slow.
import type { ServerResponse } from 'node:http'
import { declareLimit } from '../limits.ts'
import { Overloaded } from './pressure.ts'

export const largePagesAtOnceMax = declareLimit(
  'largePages',
  4,
  'pages',
  'Pages larger than 1 MiB that one process sends at once.',
)
export const largePagesOfProviderMax = declareLimit(
  'largePagesOfProvider',
  2,
  'pages',
  'Pages larger than 1 MiB that one process sends at once for one provider.',
)
export const largePageWaitMsMax = declareLimit(
  'largePageWait',
  30_000,
  'ms',
  'Waiting time of a large page for its turn, after which the answer is 503.',
)

export interface LargeAnswerLimits {
  /** Large answers at the same time, and how many of them may be of one provider. */
  readonly atOnceMax: number
  readonly ofProviderMax: number
  readonly waitMsMax: number
}

interface Waiting {
  readonly provider: string
  readonly enter: () => void
}

/** The slots for large answers in one process. */
export class LargeAnswers {
  readonly #limits: LargeAnswerLimits
  readonly #inside: string[] = []
  #waiting: Waiting[] = []

  constructor(limits: LargeAnswerLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a slot, in the order of arrival. The answer keeps it until it is sent or its client
   * disconnects. @throws Overloaded when no slot is free in time, or the client stops waiting.
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
      const timer = setTimeout(() => giveUp(new Overloaded('tooManyAnswers')), this.#limits.waitMsMax)
      answer.once('close', leaveQueue)
      this.#waiting.push(waiting)
      this.#admit()
    })
  }

  /**
   * Admits those for whom there is a slot. A provider that has its share does not hold up others.
   */
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

const cancelledError = () => new Overloaded('tooManyAnswers')
