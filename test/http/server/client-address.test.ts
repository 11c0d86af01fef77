// Who a request comes from, as clouds' proxies say it: limits count one caller as one, and nobody
// chooses an address for himself. Source: decision 0042.
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalAddress } from '../../../src/http/client-address.ts'
import { startLimitedServer } from '../../support/servers/own-server.ts'
import { type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const proxies = '127.0.0.1, 10.0.0.0/8, 2001:db8:ffff::/48'

/** What the second of two requests without a key is answered, when a caller may send one. */
async function statusOfSecond(first: string | string[], second: string | string[], trusted = proxies) {
  const { server, url } = await startLimitedServer(service.database.pool, { failedSignInsPerMinute: 1 }, trusted)
  const ask = async (forwarded: string | string[]) => {
    const sent = request(`${url}/keys/own`, { agent: false, headers: { 'x-forwarded-for': forwarded } }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    return answer.statusCode
  }
  expect(await ask(first)).toBe(401)
  const status = await ask(second)
  await server.close()
  return status
}

const forms: Readonly<Record<string, readonly (string | string[])[]>> = {
  '203.0.113.7': [
    '203.0.113.7',
    '203.0.113.7:4711', // Azure Application Gateway
    '"203.0.113.7:4711"',
    '  203.0.113.7\t',
    '::ffff:203.0.113.7',
    '::FFFF:cb00:7107',
    '[::ffff:203.0.113.7]:443',
    '0:0:0:0:0:ffff:203.0.113.7',
    '198.51.100.9, 203.0.113.7', // AWS ALB behind whatever its caller wrote
    'unknown, 203.0.113.7',
    '203.0.113.7, 10.1.2.3', // Google Cloud: caller, balancer
    '203.0.113.7:4711, 10.1.2.3:80',
    '203.0.113.7, 2001:DB8:FFFF::1, ::ffff:10.0.0.9',
    '203.0.113.7,, 10.1.2.3,',
    ['198.51.100.9', '203.0.113.7'], // of two lines the last
    ['203.0.113.7', '10.1.2.3'],
  ],
  // One caller has a /64.
  '2001:db8:0:1::5': [
    '2001:db8:0:1::5',
    '2001:DB8:0:1:0:0:0:6',
    '[2001:db8:0:1::7]',
    '[2001:db8:0:1::8]:51234',
    '2001:0db8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1::9%eth0',
    '203.0.113.7, 2001:db8:0:1::a',
  ],
  // What names nobody is the proxy that says it: its own address.
  unknown: ['unknown', '_hidden', 'banana', '203.0.113.700', '203.0.113.7:', '[', '[::1', '10.0.0.1.', '', '127.0.0.1'],
}

describe.each(Object.entries(forms))('the caller %s', (caller, written) => {
  test.each(written.map((one) => [one]))('is one caller when a proxy writes %j', async (one) => {
    expect(await statusOfSecond(caller, one)).toBe(429)
  })
})

test.each([
  ['another address', '203.0.113.8'],
  ['another address with the same port', '203.0.113.8:4711'],
  ['another network of IPv6', '2001:db8:0:2::5'],
  ['nobody that is known', 'unknown'],
])('%s is another caller', async (_name, other) => {
  expect(await statusOfSecond('203.0.113.7:4711', other)).toBe(401)
})

test('of a proxy that is not trusted nothing is believed', async () => {
  expect(await statusOfSecond('203.0.113.7', '203.0.113.8', '192.0.2.1')).toBe(429)
})

test.each([
  ['2001:DB8::A%3', '2001:db8::a'],
  ['::ffff:0:0', '0.0.0.0'],
  ['fe80::1%eth0', 'fe80::1'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ['1.2.3', undefined],
  ['2001:db8::g', undefined],
  ['[1.2.3.4]:80', '1.2.3.4'],
  ['[::FFFF:CB00:7107%1]:443', '203.0.113.7'],
  ['"[2001:DB8::A]:443"', '2001:db8::a'],
  ['[2001:db8::a%25eth0]', '2001:db8::a'],
  ['[]', undefined],
  ['[2001:db8::a', undefined],
  ['0xcb.0.113.7', undefined],
])('the log writes %s as %s', (text, address) => {
  expect(canonicalAddress(text)).toBe(address)
})
