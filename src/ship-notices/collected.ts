// Fields of the objects of a payload, and where each stands in the file.

import type { Place } from 'lotkeeper-x12/finding'
import type { Placed } from 'lotkeeper-x12/segment-values'
import { pointerStep } from '../contract/shape/finding.ts'

/** More than a segment has elements. */
const elementsMax = 128

/** Elements of a notice that are stored, or that a finding names. */
export class TakenElements {
  readonly #taken = new Set<number>()

  take({ segment, element = 0 }: Place): void {
    this.#taken.add(segment * elementsMax + element)
  }

  has(segment: number, element: number): boolean {
    return this.#taken.has(segment * elementsMax + element)
  }
}

export class Collected {
  readonly fields: Record<string, unknown> = {}
  readonly #places: Map<string, Place>
  readonly #taken: TakenElements
  readonly #at: string

  constructor(places: Map<string, Place>, taken: TakenElements, at: string) {
    this.#places = places
    this.#taken = taken
    this.#at = at
  }

  /** The object in this field. */
  within(field: string): Collected {
    return new Collected(this.#places, this.#taken, `${this.#at}${pointerStep(field)}`)
  }

  put(field: string, from: Place | undefined, value: unknown): void {
    if (value === undefined || value === '' || field in this.fields) return
    this.fields[field] = value
    if (from === undefined) return
    this.#places.set(`${this.#at}${pointerStep(field)}`, from)
    this.#taken.take(from)
  }

  /** The text as it is written. */
  putText(field: string, text: Placed | undefined): void {
    this.put(field, text, text?.text)
  }
}
