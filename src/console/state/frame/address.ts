// The address of the page. It determines the whole page, so that a page can be shared, reloaded and
// gone back to.

import { decodePercent } from '../../../contract/text/percent-encoding.ts'
import { leaveBy, mayLeaveAtOnce } from './leaving.ts'
import { signal } from './signal.ts'

const base = '/console'

export interface Address {
  /** Below `/console`, with a leading slash. */
  readonly path: string
  /** As in the address, without the question mark. */
  readonly query: string
  /** The place within the page, without the number sign. */
  readonly hash: string
  /** How the reader came here. */
  readonly by: 'start' | 'link' | 'history'
}

const here = (by: Address['by']): Address => ({
  path: location.pathname.slice(base.length) || '/',
  query: location.search.slice(1),
  hash: decodePercent(location.hash.slice(1)) ?? '',
  by,
})

// A page that is drawn in parts restores its own scroll position.
history.scrollRestoration = 'manual'

const address = signal(here('start'))

addEventListener('popstate', () => {
  const next = here('history')
  const { path, query } = address.get()
  if (next.path === path || mayLeaveAtOnce()) return address.set(next)
  const to = location.pathname.slice(base.length) + location.search + location.hash
  history.pushState(null, '', hrefTo(path + (query && `?${query}`)))
  leaveBy(() => go(to))
})

export const useAddress = (): Address => address.use()

/** A path of the console as the target of a link. */
export const hrefTo = (to: string): string => base + to

/** Goes to a path of the console; `replace` leaves no step back to where it was. */
export function go(to: string, options: { readonly replace?: boolean } = {}): void {
  if (to.split(/[?#]/)[0] === address.get().path) move(to, options)
  else leaveBy(() => move(to, options))
}

function move(to: string, { replace = false }: { readonly replace?: boolean }): void {
  if (replace) history.replaceState(null, '', hrefTo(to))
  else history.pushState(null, '', hrefTo(to))
  address.set(here('link'))
}

/** Takes a click on a link of the console, unless it is meant for another tab. */
export function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  if (!link.pathname.startsWith(`${base}/`)) return
  // A step within the page is the browser's own.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return
  event.preventDefault()
  go(link.pathname.slice(base.length) + link.search + link.hash)
}
