// The address a request comes from: that of the connection, or the one that trusted proxies name in
// X-Forwarded-For, in one form for each caller (decision 0042).
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net'

/** Undefined when the connection has ended. */
export type ClientAddressOf = (request: IncomingMessage) => string | undefined

/** `trusted` are addresses and networks of proxies, comma separated. */
export function clientAddresses(trusted: string | undefined): ClientAddressOf {
  const proxies = new BlockList()
  for (const one of trusted?.split(',') ?? []) {
    const [address = '', bits] = one.trim().split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return ({ socket, headers }) => {
    let address = canonicalAddress(socket.remoteAddress ?? '')
    const hops = trusted === undefined ? [] : hopsIn(headers['x-forwarded-for'])
    // Each proxy appends the address that called it. Entries before the first untrusted one may be
    // forged.
    for (const hop of hops.reverse()) {
      if (address === undefined || !proxies.check(address, familyOf(address))) return address
      const caller = canonicalAddress(hop)
      // Not an address, such as `unknown`: its callers count as one, the proxy that wrote it.
      if (caller === undefined) return address
      address = caller
    }
    return address
  }
}

/** Node joins several lines of the header with commas. */
const hopsIn = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')

/**
 * An address in its one form: without port, brackets, quotes and zone, an IPv4 address within IPv6
 * as itself, IPv6 in lower case and short. Undefined for any other text.
 */
export function canonicalAddress(text: string): string | undefined {
  // Of nearly every connection.
  if (isIPv4(text)) return text
  const plain = text.replace(/^"(.*)"$/, '$1')
  const [, host = plain] = /^\[([^\]]*)\](?::\d+)?$/.exec(plain) ?? /^([\d.]+):\d+$/.exec(plain) ?? []
  const address = host.split('%', 1)[0] ?? ''
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined
  const short = new SocketAddress({ address, family: 'ipv6' }).address
  return short.startsWith('::ffff:') && short.includes('.') ? short.slice('::ffff:'.length) : short
}
