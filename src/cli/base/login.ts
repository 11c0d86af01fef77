// `lotkeeper login`, `logout` and `profiles`: the key of a service, kept for later commands.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { readProfiles, writeProfiles } from './profiles.ts'
import { withClient, withoutEndSlashes } from './remote.ts'

interface LoginOptions {
  readonly url: string
  readonly profile: string
}

/** Checks the key with the service before it is stored. */
export async function logIn({ url, profile }: LoginOptions): Promise<CommandEnd> {
  const key = await readKey()
  return withClient({ url, key, names: { option: '--url', url: '--url', key: 'standard input' } }, async (api) => {
    const { body } = await api.readOwnKey()
    return changeProfiles((profiles) => {
      profiles.set(profile, { url: withoutEndSlashes(url), key })
      return `Key ${body.keyId} of ${body.provider}, role ${body.role}, is stored as profile ${profile} in`
    })
  })
}

export async function logOut({ profile }: Pick<LoginOptions, 'profile'>): Promise<CommandEnd> {
  if (!readProfiles().has(profile)) return { problem: `There is no profile ${profile}.` }
  return changeProfiles((profiles) => {
    profiles.delete(profile)
    return `Profile ${profile} is removed, but its key stays valid. The profile was in`
  })
}

export async function listProfiles({ json }: { readonly json?: boolean }): Promise<CommandEnd> {
  const profiles = [...readProfiles()].map(([name, { url, key }]) => ({ name, url, keyId: key.split('_')[1] ?? '' }))
  if (json) await results.write(`${JSON.stringify(profiles)}\n`)
  else if (profiles.length === 0) remarks.say('There are no profiles. lotkeeper login stores one.')
  for (const { name, url, keyId } of json ? [] : profiles) await results.write(`${name}  ${url}  key ${keyId}\n`)
  return undefined
}

async function changeProfiles(
  change: (profiles: Map<string, { url: string; key: string }>) => string,
): Promise<CommandEnd> {
  const profiles = new Map(readProfiles())
  const done = change(profiles)
  remarks.say(`${done} ${await writeProfiles(profiles)}.`)
  return undefined
}

/** The key from a terminal, without showing it, or from what is piped in. */
async function readKey(): Promise<string> {
  if (!process.stdin.isTTY) {
    let text = ''
    for await (const part of process.stdin) text += part
    return text.trim()
  }
  const nowhere = new Writable({ write: (_part, _encoding, done) => done() })
  // The terminal shows nothing of what is typed from here on, so the question comes after it.
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write('Key (it is not shown): ')
  try {
    return (await terminal.question('')).trim()
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
