// ZIP archives as hostile as a test wants them.
import { crc32, deflateRawSync } from 'node:zlib'

const number = (bytes: number, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}

/** An archive of these entries; bytes are taken as compressed already. */
export function zipOf(entries: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const data = typeof content === 'string' ? deflateRawSync(content) : Buffer.from(content)
    const common = Buffer.concat([
      number(2, 20),
      number(2, 0x0800),
      number(2, 8),
      number(4, 0),
      number(4, typeof content === 'string' ? crc32(content) : 0),
      number(4, data.length),
      number(4, data.length),
      number(2, name.length),
      number(2, 0),
    ])
    const local = Buffer.concat([number(4, 0x04034b50), common, Buffer.from(name), data])
    directory.push(
      Buffer.concat([
        number(4, 0x02014b50),
        number(2, 20),
        common,
        Buffer.alloc(10),
        number(4, offset),
        Buffer.from(name),
      ]),
    )
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const count = number(2, directory.length)
  const end = [
    number(4, 0x06054b50),
    number(4, 0),
    count,
    count,
    number(4, list.length),
    number(4, offset),
    number(2, 0),
  ]
  return Buffer.concat([...parts, list, ...end])
}
