// Detects that a rule reads a value that the shape rejected: the rule would report it as missing
// (decision 0054).

/** Shared: most sets are empty. */
const noValues: ReadonlySet<never> = new Set()

export class RefusedReads {
  /** True after such a read; the caller resets it before each rule. */
  any = false
  /** False for a payload with a valid shape: then nothing is wrapped. */
  arePossible = true

  readonly note = (): undefined => {
    this.any = true
    return undefined
  }

  /**
   * A set of values of the payload. If one of them was rejected, not finding a value counts as
   * reading it.
   */
  set<V>(values: () => readonly V[]): ReadonlySet<V> {
    const { made, isIncomplete } = this.#making(values)
    if (isIncomplete) return new IncompleteSet(made, this.note)
    return made.length === 0 ? noValues : new Set(made)
  }

  map<K, V>(entries: () => Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
    const { made, isIncomplete } = this.#making(() => new Map(entries()))
    return isIncomplete ? new IncompleteMap(made, this.note) : made
  }

  /** A list of values of the payload. If one of them was rejected, every use counts. */
  list<V>(values: () => readonly V[]): readonly V[] {
    const { made, isIncomplete } = this.#making(values)
    if (!isIncomplete) return made
    const get = (list: readonly V[], name: string | symbol): unknown => this.note() ?? Reflect.get(list, name)
    return new Proxy(made, { get })
  }

  #making<T>(make: () => T): { readonly made: T; readonly isIncomplete: boolean } {
    if (!this.arePossible) return { made: make(), isIncomplete: false }
    const before = this.any
    this.any = false
    const made = make()
    const isIncomplete = this.any
    this.any = before
    return { made, isIncomplete }
  }
}

class IncompleteSet<V> extends Set<V> {
  readonly #noteMiss: () => void
  constructor(values: Iterable<V>, noteMiss: () => void) {
    super(values)
    this.#noteMiss = noteMiss
  }
  override has(value: V): boolean {
    const found = super.has(value)
    if (!found) this.#noteMiss()
    return found
  }
}

class IncompleteMap<K, V> extends Map<K, V> {
  readonly #noteMiss: () => void
  constructor(entries: Iterable<readonly [K, V]>, noteMiss: () => void) {
    super(entries)
    this.#noteMiss = noteMiss
  }
  override has(key: K): boolean {
    const found = super.has(key)
    if (!found) this.#noteMiss()
    return found
  }
  override get(key: K): V | undefined {
    return this.has(key) ? super.get(key) : undefined
  }
}

/** Replaces a rejected object: each of its fields counts as rejected. */
export function refusedEntry<T extends object>(holder: object, name: string | number): T | undefined {
  const refused = Object.getOwnPropertyDescriptor(holder, name)
  if (refused?.get === undefined) return undefined
  return new Proxy({} as T, { get: refused.get, getOwnPropertyDescriptor: () => refused })
}
