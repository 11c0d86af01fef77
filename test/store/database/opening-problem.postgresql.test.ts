// A database that cannot be opened: the line names the place, the cause and what to do, and never a
// password.
import { createServer, type Server } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMigratedDatabase } from '../../../src/store/database/migrated-database.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { inDatabase } from '../../support/databases/in-database.ts'
import { certificateFor } from '../../support/servers/certificate.ts'

const own = await ownPostgresqlDatabase()
const superuser = new URL(own.url)
const database = superuser.pathname.slice(1)
const role = `${database}_role`
const password = 'sesame-open'

const onServer = (text: string) => inDatabase(own.url, [text])

/** The address of the database with other parts. */
function addressWith({ search, ...parts }: Partial<URL>): string {
  const url = new URL(own.url)
  Object.assign(url, { username: role, password }, parts)
  if (search !== undefined) url.search = search
  return url.href
}

async function problemAt(databaseUrl: string): Promise<string> {
  const opened = await openMigratedDatabase({ databaseUrl, dataDir: '' })
  if ('problem' in opened) return opened.problem
  await opened.database.close()
  return 'opened'
}

beforeAll(async () => {
  await onServer(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`)
  await onServer(
    `CREATE DATABASE ${database}_ascii ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
  )
})
afterAll(async () => {
  await onServer(`DROP DATABASE ${database}_ascii`)
  await onServer(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await own.drop()
})

test('a role that does not own the database is told who has to', async () => {
  expect(await problemAt(addressWith({}))).toMatch(
    /permission denied for schema public\. .*ALTER DATABASE … OWNER TO …/,
  )
})

test('a database that is not there is named, with how to create it', async () => {
  expect(await problemAt(addressWith({ pathname: '/nowhere' }))).toMatch(
    /database "nowhere" does not exist\. Create it/,
  )
})

test('a role that takes no more connections is told, with what takes fewer', async () => {
  await onServer(`ALTER ROLE ${role} CONNECTION LIMIT 0`)
  expect(await problemAt(addressWith({}))).toMatch(/too many connections for role .* set WORKERS to fewer/)
  await onServer(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
})

test('a read-only database is told from one that cannot be reached', async () => {
  await onServer(`ALTER DATABASE ${database} OWNER TO ${role}`)
  await onServer(`ALTER ROLE ${role} SET default_transaction_read_only = on`)
  expect(await problemAt(addressWith({}))).toMatch(/read-only transaction\. Set DATABASE_URL to the primary server/)
  await onServer(`ALTER ROLE ${role} RESET default_transaction_read_only`)
})

test('an encoding that cannot hold every name is refused before anything is made there', async () => {
  expect(await problemAt(addressWith({ ...userOf(superuser), pathname: `/${database}_ascii` }))).toMatch(
    /has the encoding SQL_ASCII, .* ENCODING 'UTF8'/,
  )
})

const userOf = ({ username, password: word }: URL) => ({ username, password: word })

test.each([
  [
    'a server that is away',
    { host: '127.0.0.1:1' },
    /at 127\.0\.0\.1:1 cannot .*ECONNREFUSED.* Start PostgreSQL there/,
  ],
  ['a host without an address', { host: 'db.invalid:5432' }, /(?:ENOTFOUND|EAI_AGAIN).* Correct the host/],
  ['TLS that the server does not have', { search: '?sslmode=verify-full' }, /does not support SSL.*ssl = on/],
  ['a file of certificates that is not there', { search: '?sslrootcert=/no/ca.pem' }, /ENOENT.*Correct sslrootcert/],
  ['an option that PostgreSQL does not know', { search: '?options=-c%20no_such%3D1' }, /no_such.* Correct options/],
])('%s is told with the part of DATABASE_URL to correct', async (_what, parts, words) => {
  const told = await problemAt(addressWith(parts))
  expect(told).toMatch(words)
  expect(told).not.toContain(password)
})

test.each([
  'postgres://lotkeeper:sesame#open@127.0.0.1:5432/lotkeeper',
  'postgres://lotkeeper:sesame/open@127.0.0.1:5432/lotkeeper',
  'postgres://lotkeeper:sesame-open@127.0.0.1:99999/lotkeeper',
])('an address that is none is not repeated, since its password is in it: %s', async (address) => {
  const told = await problemAt(address)
  expect(told).toMatch(/not an address\. Write postgres:\/\/user:password@host:5432\/database\. Percent-encode/)
  expect(told).not.toMatch(/sesame|open@/)
})

/** A server of another kind, until the work is done. */
async function withServer(server: Server, work: (host: string) => Promise<void>): Promise<void> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  await work(`127.0.0.1:${address.port}`)
  await new Promise((closed) => server.close(closed))
}

test('a certificate that nobody vouches for is told with how to name its authority', async () => {
  const secureContext = createSecureContext(certificateFor('db.example'))
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    // The driver asks for TLS first, and is told to go on.
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined)
    })
  })
  await withServer(server, async (host) => {
    const told = await problemAt(addressWith({ host, search: '?sslmode=verify-full' }))
    expect(told).toMatch(new RegExp(`at ${host} cannot .*self-signed certificate\\. .*sslrootcert=`))
  })
})

test('a program that is not PostgreSQL is told from a server that is away', async () => {
  const server = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400')),
  )
  await withServer(server, async (host) => {
    expect(await problemAt(addressWith({ host }))).toMatch(/closed before PostgreSQL answered\. .*no other program/)
  })
})
