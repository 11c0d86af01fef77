// Routes of the lot: paths along the links of one source, from places that only sent it on to
// places that only received it.
import { groupsOf } from '../groups.ts'
import type { Link } from './links.ts'

/** Most chains, and most places in one: the number of routes grows exponentially with the links. */
const chainsMax = 100
const chainPlacesMax = 100

export interface Chain {
  readonly source: number
  readonly places: readonly number[]
}

/**
 * Chains in the order of their links. A chain never contains a place twice. A cycle begins a chain
 * only where nothing else does.
 */
export function chainsOf(links: readonly Link[]): { readonly chains: readonly Chain[]; readonly truncated: boolean } {
  const found = new FoundChains()
  for (const [source, own] of groupsOf(links, (link) => link.source)) {
    const next = nextPlaces(own)
    const reached = new Set(own.filter(({ from, to }) => from !== to).map(({ to }) => to))
    const starts = [...next.keys()].filter((place) => !reached.has(place))
    for (const start of [...starts, ...next.keys()]) if (!found.isAt(source, start)) found.from(source, start, next)
  }
  return found
}

/** The links of one source; no two connect the same places. */
const nextPlaces = (links: readonly Link[]): ReadonlyMap<number, readonly number[]> =>
  new Map([...groupsOf(links, ({ from }) => from)].map(([from, own]) => [from, own.map(({ to }) => to)]))

class FoundChains {
  readonly chains: Chain[] = []
  truncated = false
  readonly #passed = new Set<string>()

  isAt = (source: number, place: number): boolean => this.#passed.has(`${source} ${place}`)

  /** Every path from a place, depth first, with an explicit stack. */
  from(source: number, start: number, next: ReadonlyMap<number, readonly number[]>): void {
    const way = [start]
    const on = new Set(way)
    const tries = [0]
    this.#passed.add(`${source} ${start}`)
    let ended = false
    while (way.length > 0) {
      const at = way[way.length - 1] as number
      const choices = next.get(at) ?? []
      const tried = tries[tries.length - 1] as number
      const choice = choices[tried]
      tries[tries.length - 1] = tried + 1
      if (choice !== undefined && way.length < chainPlacesMax) {
        if (on.has(choice)) continue
        way.push(choice)
        on.add(choice)
        tries.push(0)
        this.#passed.add(`${source} ${choice}`)
        ended = false
        continue
      }
      if (choice !== undefined) this.truncated = true
      if (!ended && this.chains.length === chainsMax) {
        this.truncated = true
        return
      }
      if (!ended) this.chains.push({ source, places: [...way] })
      // Stepping back from a place that led somewhere does not end a path.
      ended = true
      on.delete(at)
      way.pop()
      tries.pop()
    }
  }
}
