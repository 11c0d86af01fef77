// Profiles: the addresses and keys of services, in a file that only its owner can read. Commands
// take both from there when neither an option nor the environment gives a key.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeWholeFile } from '../../terminal/whole-file.ts'

interface Profile {
  readonly url: string
  readonly key: string
}

export const profileDefault = 'default'

/** As on each system: XDG_CONFIG_HOME, APPDATA, or `.config` in the folder of the user. */
const placeIn = ({ XDG_CONFIG_HOME, APPDATA }: NodeJS.ProcessEnv): string =>
  join(XDG_CONFIG_HOME || APPDATA || join(homedir(), '.config'), 'lotkeeper', 'profiles.json')

/** @throws Error when others can read the file, or it is none of profiles. */
export function readProfiles(): ReadonlyMap<string, Profile> {
  const place = placeIn(process.env)
  if (!existsSync(place)) return new Map()
  const isOpen = process.platform !== 'win32' && (statSync(place).mode & 0o077) !== 0
  if (isOpen) throw new Error(`Others on this machine can read ${place}, which has keys. Run chmod 600 on it.`)
  try {
    const profiles = JSON.parse(readFileSync(place, 'utf8')) as Readonly<Record<string, Profile>>
    return new Map(
      Object.entries(profiles).filter(([, { url, key }]) => typeof url === 'string' && typeof key === 'string'),
    )
  } catch {
    throw new Error(`${place} is not a file of profiles. Delete it, and run lotkeeper login again.`)
  }
}

/** Returns where they are. */
export async function writeProfiles(profiles: ReadonlyMap<string, Profile>): Promise<string> {
  const place = placeIn(process.env)
  if (profiles.size === 0) {
    rmSync(place, { force: true })
    return place
  }
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`
  await writeWholeFile(place, [text], { mode: 0o600 })
  return place
}

/** What a command was given, and from where. */
interface Given {
  readonly url: string
  readonly urlIsGiven: boolean
  readonly key: string | undefined
  /** The name of a profile that was asked for. */
  readonly profile: string | undefined
}

/**
 * The service of a command. A key goes to the address that it was stored with, and to no other.
 */
export function addressAndKey({ url, urlIsGiven, key, profile }: Given): { url: string; key: string | undefined } {
  if (key && profile === undefined) return { url, key }
  const name = profile ?? profileDefault
  const found = readProfiles().get(name)
  if (found !== undefined && (profile !== undefined || !urlIsGiven || found.url === url)) return found
  if (profile !== undefined) throw new Error(`There is no profile ${name}. Run lotkeeper login --profile ${name}.`)
  return { url, key }
}
