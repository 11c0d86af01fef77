// A second process for the tests. `open` says on its first line how opening went and stays; `write`
// then tells what it found and writes until killed.
import pg from 'pg'
import { openEmbeddedDatabase } from '../src/embedded-database.ts'

const [task, dataDir = ''] = process.argv.slice(2)
const database = await openEmbeddedDatabase(dataDir)
if ('heldBy' in database) {
  console.log(JSON.stringify(database))
  process.exit(0)
}
console.log(JSON.stringify({ pid: process.pid }))
if (task === 'write') {
  const pool = new pg.Pool(database.poolConfig)
  await pool.query('CREATE TABLE IF NOT EXISTS written (n integer PRIMARY KEY)')
  const { rows } = await pool.query<{ most: number; all: number }>(
    'SELECT coalesce(max(n), 0) AS most, count(*)::int AS all FROM written',
  )
  console.log(JSON.stringify(rows[0]))
  for (let n = (rows[0]?.most ?? 0) + 1; ; n += 1) {
    await pool.query('INSERT INTO written VALUES ($1)', [n])
    console.log(String(n))
  }
}
