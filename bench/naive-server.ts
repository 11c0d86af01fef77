// Floor (b): the common way. One transaction per request on a pool of 10 connections, every
// statement a round trip. It checks nothing, authenticates nobody and keeps no codes or locations:
// only the path of the write is compared.
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'

const [databaseUrl, provider] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })

async function replace(id: string, body: string): Promise<number | undefined> {
  const content = JSON.parse(body) as object
  const hash = createHash('sha256').update(JSON.stringify(content)).digest()
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query<{ version: number }>(
      'SELECT version, content_hash FROM record WHERE provider_id = $1 AND id = $2 FOR UPDATE',
      [provider, id],
    )
    const [stored] = rows
    if (stored !== undefined) {
      await client.query('UPDATE record SET version = $3, content_hash = $4 WHERE provider_id = $1 AND id = $2', [
        provider,
        id,
        stored.version + 1,
        hash,
      ])
      await client.query(
        `INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body)
         VALUES ($1, $2, $3, 'receivingEvent', '0000000000000000', $4, NULL, $5, '[]', $6)`,
        [provider, id, stored.version + 1, randomUUID(), hash, body],
      )
    }
    await client.query('COMMIT')
    return stored && stored.version + 1
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const id = request.url?.split('/').at(-1) ?? ''
    replace(id, Buffer.concat(chunks).toString()).then(
      (version) => {
        const answer = JSON.stringify({ request_ids: [id] })
        response
          .writeHead(version === undefined ? 404 : 200, {
            'content-type': 'application/json',
            'content-length': answer.length,
            etag: `"${version}"`,
          })
          .end(answer)
      },
      (error) => {
        console.error(error)
        response.writeHead(500, { 'content-length': 0 }).end()
      },
    )
  })
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
