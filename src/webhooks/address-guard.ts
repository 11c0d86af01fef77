// Checks the addresses of webhooks. A webhook makes this service send requests, so it must not
// reach addresses that only this service can reach: this machine, private networks, the metadata of
// clouds. Source: decision 0072.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Resolves a host name to its IP addresses. Fails with an error that has a code when there are
 * none.
 */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** Longest time to resolve a name, in milliseconds. */
const resolveMsMax = 5_000
/** Time until a name server is asked again, in milliseconds. */
const serverMsMax = 2_000

/**
 * Asks the name servers directly. The system resolver shares four threads with the file access of
 * this process, and names without an answer would block them all.
 */
export const resolvePublicHost: ResolveHost = async (host) => {
  const resolver = new Resolver({ timeout: serverMsMax, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length === 0)
    throw four.status === 'rejected' ? four.reason : Object.assign(new Error(), { code: 'ENODATA' })
  return found
}

/** Asks the system resolver, which also knows local names and the hosts file. */
export const resolveKnownHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

/**
 * Metadata addresses of clouds outside of the link-local range: Azure, Alibaba, AWS, Google. Never
 * allowed, because they hand out the credentials of a machine.
 */
const cloudAddresses = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
)

/** The IPv6 addresses that are assigned. All others, such as `::127.0.0.1`, are refused. */
const assignedIpv6 = ipaddr.parseCIDR('2000::/3')

/** Names of the refused ranges, for messages. */
const refusedRanges: Readonly<Record<string, string>> = {
  private: 'an address of a private network',
  uniqueLocal: 'an address of a private network',
  carrierGradeNat: 'an address of a private network',
  loopback: 'an address of the machine of this service',
  linkLocal: 'an address of the local network, where clouds serve their metadata',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'no address of a machine',
}

/**
 * Ranges that `WEBHOOK_ALLOW_PRIVATE` allows. Metadata, and addresses embedded in others, stay
 * refused.
 */
const privateRanges = ['private', 'uniqueLocal', 'carrierGradeNat', 'loopback']

/** Why an IP address is refused, as the end of a sentence; undefined when it is allowed. */
function faultOfIp(text: string, { allowPrivate }: { readonly allowPrivate: boolean }): string | undefined {
  const address = ipaddr.parse(text)
  const range: string = address.range()
  if (cloudAddresses.includes(address.toNormalizedString()))
    return 'an address at which a cloud answers its own machines'
  if (allowPrivate && privateRanges.includes(range)) return undefined
  const isPublic = range === 'unicast' && (address.kind() === 'ipv4' || address.match(assignedIpv6))
  return isPublic ? undefined : (refusedRanges[range] ?? 'an address that is reserved or contains another address')
}

const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? /(^|\.)localhost$/.test(host) : ipaddr.parse(host).range() === 'loopback'

/** The host of an address as a name or IP address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Why an address is refused, as sentences; undefined when it is allowed. */
export function faultOfUrl(text: string, { allowPrivate }: { readonly allowPrivate: boolean }): string | undefined {
  const quoted = JSON.stringify(text)
  if (!URL.canParse(text))
    return `${quoted} is not a web address. It must be one such as https://erp.example.com/lotkeeper.`
  const url = new URL(text)
  const host = hostOf(url)
  if (url.protocol === 'http:' && !(allowPrivate && isLoopback(host)))
    return `${quoted} begins with http. It must begin with https, so that nobody on the way reads or changes messages.`
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${quoted} must begin with https://.`
  if (url.username !== '' || url.password !== '')
    return `${quoted} contains a user name or password. Remove it: the receiver checks the signature instead.`
  if (url.hash !== '') return `${quoted} contains a fragment (#), which is never sent. Remove it.`
  if (isLoopback(host) && !allowPrivate) return `${host} is ${refusedRanges.loopback}. Webhooks are not sent there.`
  if (isIP(host) === 0) return undefined
  const fault = faultOfIp(host, { allowPrivate })
  return fault && `${host} is ${fault}. Webhooks are not sent there.`
}

/** Fails with a code when the look-up takes too long. The look-up itself cannot be cancelled. */
async function inTime<Found>(looking: Promise<Found>): Promise<Found> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'ETIMEOUT' })), resolveMsMax)
  })
  try {
    return await Promise.race([looking, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The IP addresses that a message may be sent to, or why there are none. */
export type AllowedAddresses = { readonly addresses: readonly string[] } | { readonly fault: string }

/**
 * Resolves the host once. The connection uses these addresses and does not resolve again, which
 * defeats DNS rebinding. One refused address refuses all, because a name with public and private
 * addresses is an attack.
 */
export async function allowedAddresses(
  text: string,
  allowPrivate: boolean,
  resolve: ResolveHost,
): Promise<AllowedAddresses> {
  const fault = faultOfUrl(text, { allowPrivate })
  if (fault !== undefined) return { fault }
  const host = hostOf(new URL(text))
  if (isIP(host) !== 0) return { addresses: [host] }
  let addresses: readonly string[]
  try {
    addresses = await inTime(resolve(host))
  } catch (error) {
    const { code = 'no cause given' } = error as { code?: string }
    return { fault: `The name server has no address of ${host} (${code}).` }
  }
  for (const address of addresses) {
    const refused = isIP(address) === 0 ? 'no IP address' : faultOfIp(address, { allowPrivate })
    if (refused !== undefined)
      return { fault: `${host} is ${address}, which is ${refused}. Webhooks are not sent there.` }
  }
  return addresses.length > 0 ? { addresses } : { fault: `The name server has no address of ${host}.` }
}
