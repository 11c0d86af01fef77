// A version that is missing: its row was lost, or is not the one that its record names. Every read
// names it; no older version takes its place (decision 0075).

/** A version of a record, by its number. */
export interface VersionName {
  readonly id: string
  readonly version: number
}

/** Versions that an answer needs are missing: there is one at least. */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord'

  constructor(...missing: readonly VersionName[]) {
    super(missingWords(missing))
  }
}

/** What to do about missing versions. */
export const missingRemedy =
  'Have the operator of the service restore them. `lotkeeper doctor` names all that is damaged.'

/** Most of them that one sentence names. */
const namedMax = 20

/** Which versions are missing, as a sentence. */
export function missingWords(missing: readonly VersionName[]): string {
  const named = missing.slice(0, namedMax).map(({ id, version }) => `version ${version} of record ${id}`)
  const more = missing.length > namedMax ? `, and ${missing.length - namedMax} more` : ''
  return `Missing in the database: ${named.join(', ')}${more}.`
}
