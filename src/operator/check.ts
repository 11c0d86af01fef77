// The result of one check of `lotkeeper doctor`.

/** One check. */
export interface Check {
  readonly about: string
  readonly is: 'ok' | 'warning' | 'problem'
  readonly found: string
  readonly remedy?: string
}

export const ok = (about: string, found: string): Check => ({ about, is: 'ok', found })
export const warning = (about: string, found: string, remedy: string): Check => ({
  about,
  is: 'warning',
  found,
  remedy,
})
export const problem = (about: string, found: string, remedy: string): Check => ({
  about,
  is: 'problem',
  found,
  remedy,
})

/** A name as it is written in a finding. */
export const quote = (name: string): string => JSON.stringify(name)
