// What is stored on this device, before the page that stores it is loaded: who was signed in when
// the service last answered, how many receipts it does not have yet (decision 0027), drafts, and
// imports.
import type { OwnKey } from '../../../client/generated/shapes.ts'

/** How long the page works without an answer of the service, in milliseconds: a shift. */
export const keptMsMax = 12 * 3_600_000

interface Device {
  readonly provider: string
  /** The user who may continue offline; null when nobody is signed in. */
  readonly own: OwnKey | null
  /** When the service last confirmed it, in milliseconds. */
  readonly at: number
  readonly unsent: number
}

const place = 'lotkeeper.device'

export const databaseOf = (provider: string): string => `lotkeeper ${provider}`

function readDevice(): Device | undefined {
  try {
    const { provider, own = null, at, unsent } = JSON.parse(localStorage.getItem(place) ?? '') as Partial<Device>
    return typeof provider === 'string' && typeof at === 'number' && typeof unsent === 'number'
      ? { provider, own, at, unsent }
      : undefined
  } catch {
    return undefined
  }
}

const writeDevice = (device: Device): void => localStorage.setItem(place, JSON.stringify(device))

export function keptKey(): OwnKey | undefined {
  const { own, at } = readDevice() ?? {}
  return own && at !== undefined && Math.abs(Date.now() - at) < keptMsMax ? own : undefined
}

/** Receipts of a provider that are on this device alone. */
export function unsentReceipts(provider: string | undefined): number {
  const device = readDevice()
  return device?.provider === provider ? (device?.unsent ?? 0) : 0
}

/** Stores the state of the device; `at` when the service has just answered. */
export const noteDevice = (own: OwnKey, unsent: number, at = readDevice()?.at ?? 0): void =>
  writeDevice({ provider: own.provider, own, at, unsent })

/**
 * Forgets the device's user when another one signs in. Unsent receipts stay for the next user of
 * this provider.
 */
export function lockDevice(signedIn: OwnKey | undefined): void {
  const device = readDevice()
  if (device?.own && device.own.keyId !== signedIn?.keyId) writeDevice({ ...device, own: null })
}

/** Where a draft is on the device: nobody but the key or person who wrote it is shown it. */
export const draftPlace = (key: string, id: string): string => `lotkeeper.draft ${key} ${id}`

/** Places of the drafts of a key or person, of all tabs. */
export const draftPlaces = (key: string): readonly string[] =>
  Object.keys(localStorage).filter((one) => one.startsWith(draftPlace(key, '')))

export function discardDrafts(key: string): void {
  for (const one of draftPlaces(key)) localStorage.removeItem(one)
}

/** Where the progress of imports is on the device. */
export const importPlace = 'lotkeeper.import.'

/** Imports of an account on this device that did not end, counted without reading them. */
export const countBrokenOffImports = (account: string): number =>
  Object.keys(localStorage).filter(
    (one) => one.startsWith(importPlace) && one.includes(`"account":${JSON.stringify(account)}`),
  ).length

/** Deletes everything stored for a provider but drafts, which their person keeps or discards. */
export function clearDevice(provider: string): void {
  localStorage.removeItem(place)
  indexedDB.deleteDatabase(databaseOf(provider))
}
