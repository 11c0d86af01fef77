// The page the last results stand on: docs/performance.md, between markers. What is outside of them
// is written by people.
import { readFileSync, writeFileSync } from 'node:fs'

const page = new URL('../docs/performance.md', import.meta.url)

/** Puts the text between `<!-- name:begin -->` and `<!-- name:end -->`. */
export function writeToPage(name: 'put' | 'bench' | 'growth' | 'traces' | 'search', text: string): void {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const before = readFileSync(page, 'utf8')
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/performance.md has lost its markers ${begin} and ${end}.`)
  writeFileSync(page, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`)
}
