// Sums of decimal numbers, exact: 0.1 and 0.2 are 0.3, and subtracting all summands leaves nothing.

import { Fraction } from './fraction.ts'

export class ExactSum {
  /** The sum while all numbers are whole and it fits a double; else in `#scaled`. */
  #whole = 0
  /** The sum times ten to the power of `#scale`. */
  #scaled: bigint | undefined
  #scale = 0

  add(number: number): void {
    if (this.#scaled === undefined) {
      const sum = this.#whole + number
      if (Number.isSafeInteger(sum) && Number.isSafeInteger(number)) {
        this.#whole = sum
        return
      }
      this.#scaled = BigInt(this.#whole)
    }
    const { digits, scale } = decimalOf(number)
    const common = Math.max(scale, this.#scale)
    this.#scaled = this.#scaled * tenTo(common - this.#scale) + digits * tenTo(common - scale)
    this.#scale = common
  }

  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    const sum = this.#scaled ?? this.#whole
    return sum < 0 ? -1 : sum > 0 ? 1 : 0
  }

  get fraction(): Fraction {
    return new Fraction(this.#scaled ?? BigInt(this.#whole), tenTo(this.#scale))
  }

  /** The nearest double. A sum beyond the largest one is that one: JSON has no infinity. */
  get value(): number {
    const near = this.#scaled === undefined ? this.#whole : Number(`${this.#scaled}e-${this.#scale}`)
    return Number.isFinite(near) ? near : Math.sign(near) * Number.MAX_VALUE
  }
}

const tenTo = (power: number): bigint => 10n ** BigInt(power)

export const fractionOf = (number: number): Fraction => {
  const { digits, scale } = decimalOf(number)
  return new Fraction(digits, tenTo(scale))
}

/** The number as JSON writes it: its digits, and how many of them are behind the point. */
function decimalOf(number: number): { readonly digits: bigint; readonly scale: number } {
  const [mantissa = '0', power = '0'] = String(number).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(power)
  const digits = BigInt(whole + fraction)
  return scale < 0 ? { digits: digits * tenTo(-scale), scale: 0 } : { digits, scale }
}
