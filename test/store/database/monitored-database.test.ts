// What an operator is told of a database that goes away, whole or in part.
import { expect, test } from 'vitest'
import { type DatabaseEvents, MonitoredDatabase } from '../../../src/store/database/monitored-database.ts'
import type { Queryable } from '../../../src/store/database/statement.ts'

/** A database that answers each statement with the next of these: an error, or no rows. */
function watched(answers: (Error | undefined)[]) {
  const told: string[] = []
  const news: DatabaseEvents = {
    slow: () => told.push('slow'),
    away: (code) => told.push(`away ${code}`),
    back: () => told.push('back'),
    nodeAway: (message) => told.push(`node away: ${message}`),
    nodeBack: ({ node }) => told.push(`node back: ${node}`),
  }
  const db: Queryable = {
    query: async () => {
      const answer = answers.shift()
      if (answer !== undefined) throw answer
      return { rows: [] }
    },
  }
  const database = new MonitoredDatabase(db, news)
  const ask = () => database.query({ text: 'SELECT 1', values: [] }).catch(() => undefined)
  return { database, told, ask }
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
const workerAway = Object.assign(new Error('connection to the remote node lotkeeper@worker-2:5432 failed'), {
  code: '08006',
  severity: 'ERROR',
})

test('a database that is away is said to be so once, and to be back with the first answer', async () => {
  const { database, told, ask } = watched([refused, refused, undefined])
  await ask()
  await ask()
  expect(database.isUp).toBe(false)
  await ask()
  expect(database.isUp).toBe(true)
  expect(told).toEqual(['away ECONNREFUSED', 'back'])
})

test('a node of a cluster that is away leaves the database up, whoever is answered in between', async () => {
  const { database, told, ask } = watched([workerAway, undefined, workerAway])
  for (let i = 0; i < 3; i++) {
    await ask()
    expect(database.isUp).toBe(true)
  }
  expect(told).toEqual([workerAway, workerAway].map(({ message }) => `node away: ${message}`))
})

test('a disk that is full is reported until a write like the one that failed succeeds', async () => {
  const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  const { database } = watched([full, undefined, undefined])
  const ask = (name: string) => database.query({ name, text: 'SELECT 1', values: [] }).catch(() => undefined)
  expect(database.diskIsFull).toBe(false)
  await ask('writeRecords')
  expect(database.diskIsFull).toBe(true)
  await ask('readRecord')
  expect(database.diskIsFull).toBe(true)
  await ask('writeRecords')
  expect(database.diskIsFull).toBe(false)
})
