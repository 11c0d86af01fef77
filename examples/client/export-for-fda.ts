// Saves the package that FDA asks for: the lines of some lots, as a ZIP file.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { lotkeeper } from 'lotkeeper-client'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const lotCode = process.argv.slice(2)
const client = lotkeeper({ url: LOTKEEPER_URL, key: LOTKEEPER_KEY })

const { file } = await client.exportFdaPackage({ lotCode, gaps: true, contact: 'Quality desk, +1.614.555.0170' })
if (file === undefined) throw new Error('The service answered without a file.')
const name = file.name ?? 'fda-package.zip'
await pipeline(file.stream, createWriteStream(name))
console.log(`Saved ${name}: ${file.records} records.`)
