// What node:http alone does. Reads and parses a body, and answers with one as long as a
// record.
import { createServer } from 'node:http'
import { exampleOf } from './records.ts'

const answer = Buffer.from(exampleOf('usual'))

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
