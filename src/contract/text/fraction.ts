// Exact fractions: what is divided by three and then multiplied by it is the same again.

export class Fraction {
  static readonly zero = new Fraction(0n, 1n)
  static readonly one = new Fraction(1n, 1n)

  readonly #numerator: bigint
  /** Above 0. */
  readonly #denominator: bigint

  constructor(numerator: bigint, denominator: bigint) {
    const by = commonDivisor(numerator < 0n ? -numerator : numerator, denominator)
    this.#numerator = numerator / by
    this.#denominator = denominator / by
  }

  plus(other: Fraction): Fraction {
    return new Fraction(
      this.#numerator * other.#denominator + other.#numerator * this.#denominator,
      this.#denominator * other.#denominator,
    )
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.negated)
  }

  get negated(): Fraction {
    return new Fraction(-this.#numerator, this.#denominator)
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.#numerator * other.#numerator, this.#denominator * other.#denominator)
  }

  /** Divided by another, which is above 0. */
  over(other: Fraction): Fraction {
    return new Fraction(this.#numerator * other.#denominator, this.#denominator * other.#numerator)
  }

  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    return this.#numerator < 0n ? -1 : this.#numerator > 0n ? 1 : 0
  }

  /** The nearest double. One beyond the largest is that one: JSON has no infinity. */
  get value(): number {
    const size = (this.#numerator < 0n ? -this.#numerator : this.#numerator).toString().length
    // Twenty digits are more than a double holds.
    const scale = BigInt(Math.max(0, 20 + this.#denominator.toString().length - size))
    const near = Number(`${(this.#numerator * 10n ** scale) / this.#denominator}e-${scale}`)
    return Number.isFinite(near) ? near : Math.sign(near) * Number.MAX_VALUE
  }
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [some, rest] = [a, b]
  while (rest > 0n) [some, rest] = [rest, some % rest]
  return some
}
