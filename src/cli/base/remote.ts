// The service of a command: its address and the key.

import { type Client, lotkeeper } from '../../client/client.ts'
import { ProblemError, UnreachableError } from '../../client/failure.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { urlDefault } from './options.ts'

export interface RemoteOptions {
  readonly url: string
  readonly key?: string
  /** True for output to programs, which also get problems of the service there. */
  readonly json?: boolean | undefined
  /** Where address and key are given, for a service that is not the one of every command. */
  readonly names?: ServiceNames
}

/** The names of the service and the key, in messages. */
interface ServiceNames {
  readonly option: string
  readonly url: string
  readonly key: string
}

const usualNames: ServiceNames = { option: '--url', url: 'LOTKEEPER_URL or --url', key: 'LOTKEEPER_KEY or --key' }

/** Most retries of a call: a person is waiting. */
const retriesMax = 2

/** An address without slashes at its end, so that paths can follow. */
export function withoutEndSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

/**
 * Creates a client, and turns refusals of the service, or its absence, into the end of the command.
 */
export async function withClient(
  { url, key, json, names = usualNames }: RemoteOptions,
  work: (api: Client) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  const address = withoutEndSlashes(url || urlDefault)
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    return {
      problem: `${names.option} is ${address}. It must begin with http:// or https://.`,
      calledWrongly: true,
    }
  if (!key) return { problem: `No key is given. Set ${names.key}, or run lotkeeper login once.`, calledWrongly: true }
  if (!/^[\x21-\x7e]+$/.test(key))
    return { problem: 'The key contains characters that no key has. Copy the whole key again.', calledWrongly: true }
  const api = lotkeeper({
    url: address,
    key,
    retries: retriesMax,
    onRetry: (pauseMs, why) => {
      remarks.say(`${why.message} Trying again in ${(pauseMs / 1_000).toFixed(1)} s…`)
    },
  })
  try {
    return await work(api)
  } catch (error) {
    if (error instanceof ProblemError) {
      if (json) await results.write(`${JSON.stringify(error.problem)}\n`)
      return { problem: problemText(error, names.key) }
    }
    if (error instanceof UnreachableError)
      return { problem: `${error.message} ${whyUnreachable(error, address, names.url)}` }
    throw error
  }
}

/**
 * Why the service does not respond, and the remedy: its name, its certificate, or nothing at the
 * address.
 */
function whyUnreachable(error: Error, address: string, name: string): string {
  const codes: string[] = []
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    codes.push((cause as NodeJS.ErrnoException).code ?? '')
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN'))
    return `There is no host ${new URL(address).hostname}. Check ${name}.`
  if (codes.includes('ERR_SSL_WRONG_VERSION_NUMBER') || codes.includes('ERR_SSL_PACKET_LENGTH_TOO_LONG'))
    return `The server there does not use TLS. Begin ${name} with http://.`
  const certificate = codes.find((code) => /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/.test(code))
  if (certificate !== undefined)
    return `Its certificate is not accepted (${certificate}). Check the address; NODE_EXTRA_CA_CERTS names a file with certificates to trust.`
  return `Start it with lotkeeper serve, or set ${name}.`
}

const problemText = ({ outcome, message, problem }: ProblemError, keyName: string): string => {
  if (outcome === 'notAuthenticated') return `${message} Set ${keyName} to a valid key.`
  if (outcome === 'failed') return `${message} Its log has this request: ${problem.instance}.`
  return message
}
