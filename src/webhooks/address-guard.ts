// Which addresses webhooks may be sent to. Whoever creates a webhook makes this service send
// requests, so nothing may be reached that only this service can reach: this machine, private
// networks, the metadata of clouds. Source: decision 0072.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The IP addresses of a host name. Fails with an error that has a code when there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** Longest a look-up of a name may take, in milliseconds. */
const resolveMsMax = 5_000
/** How long a name server is waited for before it is asked again. */
const serverMsMax = 2_000

/**
 * Asks the name servers. Not the system: its look-ups share four threads with the files of this
 * process, and names that nobody answers for would hold them all.
 */
export const resolvePublicHost: ResolveHost = async (host) => {
  const resolver = new Resolver({ timeout: serverMsMax, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length === 0)
    throw four.status === 'rejected' ? four.reason : Object.assign(new Error(), { code: 'ENODATA' })
  return found
}

/** Asks the system, which also knows names of the own network and of the hosts file. */
export const resolveKnownHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

/**
 * Addresses outside of the link-local range at which clouds answer their own machines: Azure,
 * Alibaba, AWS, Google. Never allowed, since what they answer are the rights of a machine.
 */
const cloudAddresses = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
)

/**
 * The IPv6 addresses that are assigned. All others, such as `::127.0.0.1`, reach what nobody meant.
 */
const assignedIpv6 = ipaddr.parseCIDR('2000::/3')

/** What each range that is refused is called. */
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

/** What `WEBHOOK_ALLOW_PRIVATE` allows. Metadata and addresses inside of others stay refused. */
const privateRanges = ['private', 'uniqueLocal', 'carrierGradeNat', 'loopback']

/** Why nothing is sent to an IP address, as the end of a sentence; undefined where it may be. */
function faultOfIp(text: string, allowPrivate: boolean): string | undefined {
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

/** Why nothing can be sent to an address, as sentences; undefined where it may be. */
export function faultOfUrl(text: string, allowPrivate: boolean): string | undefined {
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
  const fault = faultOfIp(host, allowPrivate)
  return fault && `${host} is ${fault}. Webhooks are not sent there.`
}

/** Fails with a code when it takes too long. What is still looked up then is left alone. */
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

/** The addresses that a message may be sent to; or why there are none. */
export type AllowedAddresses = { readonly addresses: readonly string[] } | { readonly fault: string }

/**
 * Looks the host up, once: whoever connects uses these addresses and asks nobody again. One address
 * that is refused refuses all: a name that has both is made to be mistaken.
 */
export async function allowedAddresses(
  text: string,
  allowPrivate: boolean,
  resolve: ResolveHost,
): Promise<AllowedAddresses> {
  const fault = faultOfUrl(text, allowPrivate)
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
    const refused = isIP(address) === 0 ? 'no IP address' : faultOfIp(address, allowPrivate)
    if (refused !== undefined)
      return { fault: `${host} is ${address}, which is ${refused}. Webhooks are not sent there.` }
  }
  return addresses.length > 0 ? { addresses } : { fault: `The name server has no address of ${host}.` }
}
