// Finds the page of an address. Pure.
import { decodePercent } from '../../../contract/text/percent-encoding.ts'

/** The values of `:name` if the path matches the pattern, else undefined. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const given = path.replace(/(?<=.)\/$/, '').split('/')
  if (wanted.length !== given.length) return undefined
  const values: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const value = decodePercent(given[i] ?? '')
    if (value === undefined) return undefined
    if (part.startsWith(':')) {
      if (value === '') return undefined
      values[part.slice(1)] = value
    } else if (part !== value) return undefined
  }
  return values
}

/** The first of the pages whose pattern fits, with the values. */
export function pageAt<P extends { readonly path: string }>(
  pages: readonly P[],
  path: string,
): { readonly page: P; readonly values: Readonly<Record<string, string>> } | undefined {
  for (const page of pages) {
    const values = matchPath(page.path, path)
    if (values !== undefined) return { page, values }
  }
  return undefined
}
