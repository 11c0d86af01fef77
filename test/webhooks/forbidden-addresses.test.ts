// Where no message may go: each address of the list, however it is written and whatever its name
// resolves to, and when.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allowedAddresses, faultOfUrl, type ResolveHost } from '../../src/webhooks/address-guard.ts'
import { delivererOf } from '../../src/webhooks/delivery.ts'
import { disguisedHosts, forbiddenAddresses, forbiddenUrls, publicAddresses } from '../samples/forbidden-addresses.ts'

const name = 'hooks.example.com'
const url = `https://${name}/lotkeeper`

/** A resolver that gives one answer after another, the last one again and again, and counts the questions. */
function resolving(...answers: readonly (readonly string[])[]): ResolveHost & { asked: number } {
  const resolve = async (): Promise<readonly string[]> => {
    const answer = answers[Math.min(resolve.asked, answers.length - 1)]
    resolve.asked++
    return answer ?? []
  }
  resolve.asked = 0
  return resolve
}

const isAllowed = async (resolve: ResolveHost, allowPrivate = false): Promise<boolean> =>
  'addresses' in (await allowedAddresses(url, allowPrivate, resolve))

const hostOf = (address: string): string => (address.includes(':') ? `[${address}]` : address)

describe('what a webhook may be', () => {
  test('nothing but https addresses of the web without a name or password', () => {
    expect(forbiddenUrls.filter((one) => faultOfUrl(one, { allowPrivate: false }) === undefined)).toEqual([])
    expect(faultOfUrl(url, { allowPrivate: false })).toBeUndefined()
  })

  test('no forbidden address, however it is written', () => {
    expect(
      disguisedHosts.filter((host) => faultOfUrl(`https://${host}/`, { allowPrivate: false }) === undefined),
    ).toEqual([])
    expect(
      disguisedHosts.filter((host) => faultOfUrl(`https://${host}:8443/a?b`, { allowPrivate: false }) === undefined),
    ).toEqual([])
    const open = Object.values(forbiddenAddresses)
      .flat()
      .filter((address) => faultOfUrl(`https://${hostOf(address)}/`, { allowPrivate: false }) === undefined)
    expect(open).toEqual([])
    expect(
      publicAddresses.filter((one) => faultOfUrl(`https://${hostOf(one)}/`, { allowPrivate: false }) !== undefined),
    ).toEqual([])
  })

  test('no name that resolves to one, alone or beside a public address', async () => {
    const [open] = publicAddresses
    for (const [range, addresses] of Object.entries(forbiddenAddresses))
      for (const address of addresses)
        for (const answer of [[address], [open, address], [address, open]])
          expect(await isAllowed(resolving(answer)), `${range}: ${answer}`).toBe(false)
  })

  test('a name with public addresses, all of which are used', async () => {
    expect(await allowedAddresses(url, false, resolving(publicAddresses))).toEqual({ addresses: publicAddresses })
  })

  test('metadata services and reserved addresses not even where private networks are allowed', async () => {
    const { metadata, multicast, broadcast, reserved, 'this host on this network': any } = forbiddenAddresses
    const { NAT64: nat, '6to4': sixToFour, 'IPv4 mapped into IPv6': mapped, 'link-local': link } = forbiddenAddresses
    const never = [
      ...metadata,
      ...multicast,
      ...broadcast,
      ...reserved,
      ...any,
      ...nat,
      ...sixToFour,
      ...mapped,
      ...link,
    ]
    for (const address of never) expect(await isAllowed(resolving([address]), true), address).toBe(false)
    for (const address of ['10.0.0.1', '192.168.0.1', '127.0.0.1', '::1', 'fd00::1', '100.64.0.1'])
      expect(await isAllowed(resolving([address]), true), address).toBe(true)
  })
})

describe('what is connected to', () => {
  /** Stands where no message may arrive; counts who connects. */
  let inside: Server
  let connections = 0
  let port = 0
  beforeAll(async () => {
    inside = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(inside, 'listening')
    port = (inside.address() as AddressInfo).port
  })
  beforeEach(() => {
    connections = 0
  })
  afterAll(() => void inside?.close())

  const message = (address: string) => ({
    url: address,
    headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,' },
    body: '{}',
  })

  test('nothing inside, by a name that was public when the webhook was created', async () => {
    const resolve = resolving([publicAddresses[0]], ['127.0.0.1'])
    const { faultOf, deliver } = delivererOf({ allowPrivate: false, resolve })
    const address = `https://${name}:${port}/`
    expect(await faultOf(address)).toBeUndefined()
    expect(await deliver(message(address))).toMatchObject({ outcome: 'failed', status: undefined })
    expect([resolve.asked, connections]).toEqual([2, 0])
  })

  test('nothing inside, by a name that is public when it is checked and private a moment later', async () => {
    const resolve = resolving([publicAddresses[0]], ['127.0.0.1'])
    const { deliver } = delivererOf({ allowPrivate: false, resolve })
    // Nobody need answer there: what counts is that the name is not asked for again.
    const sent = await deliver(message(`https://${name}:${port}/`), AbortSignal.timeout(1_000))
    expect(sent).toMatchObject({ outcome: 'failed', status: undefined })
    expect([resolve.asked, connections]).toEqual([1, 0])
  })
})
