// What webhooks may be sent to: the public network, and nothing that only this service can reach.
import { describe, expect, test } from 'vitest'
import { allowedAddresses, faultOfUrl } from '../../src/webhooks/address-guard.ts'

/** What is never reached unless the operator allows private networks: addresses, and names of them. */
const privateAddresses = [
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  'fc00::1',
]

/** What is never reached. */
const refusedAddresses = [
  // This network, link-local with the metadata of clouds, and other addresses that clouds answer.
  '0.0.0.0',
  '0.1.2.3',
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2:0:0::254',
  'fd20:ce::254',
  'fe80::1',
  'fec0::1',
  // Multicast, broadcast, benchmarks, examples, reserved.
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '240.0.0.1',
  'ff02::1',
  '::',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  // IPv4 inside of IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
]

const publicAddresses = [
  '8.8.8.8',
  '93.184.215.14',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
]

const urlOf = (address: string) => `https://${address.includes(':') ? `[${address}]` : address}/hook`
const named = 'https://erp.example.com/hook'

describe.each([false, true])('with private networks allowed: %s', (allowPrivate) => {
  const refused = allowPrivate ? refusedAddresses : [...privateAddresses, ...refusedAddresses]
  const taken = allowPrivate ? [...publicAddresses, ...privateAddresses] : publicAddresses

  test.each(refused)('refuses %s, in an address and behind a name', async (address) => {
    expect(faultOfUrl(urlOf(address), { allowPrivate })).toMatch(/Webhooks are not sent there\.$/)
    expect(await allowedAddresses(named, allowPrivate, async () => [address])).toEqual({
      fault: expect.stringContaining(`erp.example.com is ${address}, which is `),
    })
    // Also where it is one of several: the first may be there to pass.
    expect(await allowedAddresses(named, allowPrivate, async () => ['8.8.8.8', address])).toHaveProperty('fault')
  })

  test.each(taken)('takes %s, in an address and behind a name', async (address) => {
    expect(faultOfUrl(urlOf(address), { allowPrivate })).toBeUndefined()
    expect(await allowedAddresses(named, allowPrivate, async () => [address])).toEqual({ addresses: [address] })
  })
})

test.each([
  ['other spellings of this machine', 'https://2130706433/'],
  ['other spellings of this machine', 'https://0x7f.1/'],
  ['other spellings of this machine', 'https://0177.0.0.1/'],
  ['other spellings of this machine', 'https://127.1/'],
  ['names of this machine', 'https://localhost/'],
  ['names of this machine', 'https://LOCALHOST./'],
  ['names of this machine', 'https://anything.localhost/'],
  ['wide characters', 'https://１２７.０.０.１/'],
  ['http', 'http://erp.example.com/'],
  ['http to this machine', 'http://127.0.0.1:3000/'],
  ['another scheme', 'ftp://erp.example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['a password', 'https://user:secret@erp.example.com/'],
  ['a user name', 'https://user@erp.example.com/'],
  ['a fragment', 'https://erp.example.com/#a'],
  ['no address', 'erp.example.com'],
  ['nothing', ''],
])('refuses %s: %s', (_what, url) => {
  expect(faultOfUrl(url, { allowPrivate: false })).toEqual(expect.any(String))
})

test('where private networks are allowed, http goes to this machine only', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    expect(faultOfUrl(`http://${host}:8080/`, { allowPrivate: true })).toBeUndefined()
  for (const host of ['10.0.0.1', 'erp.example.com', '169.254.169.254'])
    expect(faultOfUrl(`http://${host}/`, { allowPrivate: true })).toContain('begins with http')
})

test('a name without an address is refused with the code of the name server', async () => {
  const unknown = async () => {
    throw Object.assign(new Error('query'), { code: 'ENOTFOUND' })
  }
  expect(await allowedAddresses(named, false, unknown)).toEqual({
    fault: 'The name server has no address of erp.example.com (ENOTFOUND).',
  })
  expect(await allowedAddresses(named, false, async () => [])).toHaveProperty('fault')
  expect(await allowedAddresses(named, false, async () => ['not an address'])).toHaveProperty('fault')
})
