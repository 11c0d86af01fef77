// Loaded before the program (`node --import`): names that the file DNS_SHIM knows resolve as it says.
// It is JSON: for each name a list of answers, each a list of addresses. Each question takes the next
// answer, and the last one stays. Other names are asked of nobody: they do not exist. Each question is
// a line of the file DNS_SHIM with `.asked` after it.
import dns from 'node:dns'
import { appendFileSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'

const counts = new Map()

function resolve(hostname) {
  if (isIP(hostname)) return [hostname]
  const name = hostname.replace(/\.$/, '').toLowerCase()
  const answers = JSON.parse(readFileSync(process.env.DNS_SHIM, 'utf8'))[name]
  appendFileSync(`${process.env.DNS_SHIM}.asked`, `${name}\n`)
  const count = counts.get(name) ?? 0
  counts.set(name, count + 1)
  const addresses = answers?.[Math.min(count, answers.length - 1)]
  if (addresses === undefined)
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
  return addresses
}

const lookUp = (hostname, { all = false, family = 0 } = {}) => {
  const wanted = typeof family === 'number' ? family : Number(String(family).slice(-1))
  const found = resolve(hostname)
    .map((address) => ({ address, family: isIP(address) }))
    .filter((one) => wanted === 0 || one.family === wanted)
  return all ? found : found[0]
}
const only = (hostname, family) => lookUp(hostname, { all: true, family }).map(({ address }) => address)

/** The same with a callback. */
const called =
  (ask) =>
  (hostname, ...rest) => {
    const done = rest.pop()
    let found
    try {
      found = ask(hostname, typeof rest[0] === 'number' ? { family: rest[0] } : rest[0])
    } catch (error) {
      return process.nextTick(done, error)
    }
    if (Array.isArray(found)) process.nextTick(done, null, found)
    else process.nextTick(done, null, found.address, found.family)
  }

dns.lookup = called(lookUp)
dns.resolve4 = called((hostname) => only(hostname, 4))
dns.resolve6 = called((hostname) => only(hostname, 6))
dns.promises.lookup = async (hostname, options) => lookUp(hostname, options)
dns.promises.resolve4 = async (hostname) => only(hostname, 4)
dns.promises.resolve6 = async (hostname) => only(hostname, 6)
for (const [{ prototype }, kind] of [
  [dns.Resolver, called],
  [dns.promises.Resolver, (ask) => async (hostname) => ask(hostname)],
]) {
  prototype.resolve4 = kind((hostname) => only(hostname, 4))
  prototype.resolve6 = kind((hostname) => only(hostname, 6))
}
syncBuiltinESMExports()
