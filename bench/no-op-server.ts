// Floor (c): what node:http alone does. Reads and parses a body where there is one, and answers
// with a body as long as a record.
import { createServer } from 'node:http'
import { exampleOf } from './records.ts'

const answer = Buffer.from(exampleOf('usual'))

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
