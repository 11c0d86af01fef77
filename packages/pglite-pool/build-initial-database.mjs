// Makes the database that a first start begins with, checks it, and puts it beside the compiled
// program. Part of `npm run build`.
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import url from 'node:url'
import { PGlite } from '@electric-sql/pglite'

// The time zone of this machine is no part of what is made.
process.env.TZ = 'UTC'

const script = url.fileURLToPath(import.meta.url)
const folder = path.join(path.dirname(script), 'dist')
const module = path.join(folder, 'initial-database.js')
const { initialDatabaseName, packFolder, unpackFolder } = await import(url.pathToFileURL(module).href)

const name = initialDatabaseName()
const cached = path.join(path.dirname(script), 'node_modules', '.cache', `${madeBy()}-${name}`)
if (!fs.existsSync(cached)) await make()
fs.copyFileSync(cached, path.join(folder, name))
process.exit(0)

/** What the content depends on besides the version in its name. */
function madeBy() {
  const hash = crypto.createHash('sha256')
  for (const file of [script, module]) hash.update(fs.readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

async function make() {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'pglite-pool-build-'))
  try {
    const made = path.join(work, 'made')
    await (await PGlite.create({ dataDir: made })).close()
    const packed = packFolder(made)
    await check(packed, path.join(work, 'checked'))
    fs.mkdirSync(path.dirname(cached), { recursive: true })
    // Renamed, so that a build that is broken off leaves no half of it.
    fs.writeFileSync(`${cached}.${process.pid}`, packed)
    fs.renameSync(`${cached}.${process.pid}`, cached)
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

/** Opens what is unpacked, and writes to it: only a whole database does that. */
async function check(packed, unpacked) {
  fs.mkdirSync(unpacked)
  unpackFolder(packed, unpacked)
  const pglite = await PGlite.create({ dataDir: unpacked })
  await pglite.exec('CREATE TABLE checked (number integer); INSERT INTO checked VALUES (1); DROP TABLE checked')
  await pglite.close()
}
