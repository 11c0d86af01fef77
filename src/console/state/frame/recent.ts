// Recent results of the search. Kept in the browser until signing out, for their provider.

/** Where a search led. */
export interface RecentFind {
  readonly title: string
  readonly kind: string
  /** A path of the console. */
  readonly to: string
}

const place = 'lotkeeper.recent'
const recentMax = 5

export function recentFinds(provider: string): readonly RecentFind[] {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? '{}') as { provider?: string; finds?: readonly RecentFind[] }
    return kept.provider === provider ? (kept.finds ?? []) : []
  } catch {
    return []
  }
}

export function keepFind(provider: string, find: RecentFind): void {
  const finds = [find, ...recentFinds(provider).filter(({ to }) => to !== find.to)].slice(0, recentMax)
  localStorage.setItem(place, JSON.stringify({ provider, finds }))
}

export const forgetFinds = (): void => localStorage.removeItem(place)
