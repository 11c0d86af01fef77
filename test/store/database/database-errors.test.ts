// What errors of a database mean, as one server raises them and as the coordinator of Citus passes
// them on. The fixtures are what Citus 13.2 sent when it was tried by hand, and the texts of its
// sources; without Citus nothing here raises them anew.
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import {
  cannotWriteNow,
  connectionLost,
  keyIsHeld,
  mayRetry,
  nodeLost,
  takenOnConflict,
} from '../../../src/store/database/database-errors.ts'

/** An error as the driver makes it of what a server sends. */
const sent = (code: string, message: string, fields: Partial<pg.DatabaseError> = {}): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { severity: 'ERROR', code, ...fields })

const index = 'receiving_event_one_per_identity'
const duplicate = (name: string): string => `duplicate key value violates unique constraint "${name}"`

const takenKey = {
  'as one server raises it': sent('23505', duplicate(index), { constraint: index }),
  'of a worker, without the name of the index': sent('23505', duplicate(`${index}_102041`)),
  'of a worker that rows were copied to, without a code': sent('XX000', duplicate(`${index}_102041`)),
}

const retried = {
  'a serialization failure': sent('40001', 'could not serialize access due to concurrent update'),
  'a deadlock': sent('40P01', 'deadlock detected'),
  'a deadlock across workers': sent(
    '40P01',
    'canceling the transaction since it was involved in a distributed deadlock',
  ),
  'a deadlock of a worker that rows were copied to': sent('XX000', 'deadlock detected'),
  'a serialization failure of a worker that rows were copied to': sent(
    'XX000',
    'could not serialize access due to concurrent update',
  ),
  'a shard that was split meanwhile': sent('40001', 'shard for the given value does not exist'),
  'a lost result of a step': sent(
    'CIINF',
    'Query could not find the intermediate result file "12_3", it was mostly likely deleted due to an error in a parallel process within the same distributed transaction',
  ),
}

const lost = {
  'a server that shuts down': sent('57P01', 'terminating connection due to administrator command', {
    severity: 'FATAL',
  }),
  'a worker that is away': sent(
    '08006',
    'connection to the remote node postgres@127.0.0.1:9701 failed with the following error: connection refused',
  ),
  'a worker that does not answer': sent(
    '08006',
    'could not establish any connections to the node 127.0.0.1:9701 after 30000 ms',
  ),
  'a worker that goes away in a transaction': sent(
    'XX000',
    'failure on connection marked as essential: 127.0.0.1:9701',
  ),
  'a worker that closes the connection': sent(
    'XX000',
    'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally\n\tbefore or while processing the request.',
  ),
  'a worker that shuts down while rows are copied to it': sent(
    'XX000',
    'terminating connection due to administrator command',
  ),
  'a worker that starts while rows are copied to it': sent('XX000', 'the database system is starting up'),
  'a copy to a worker that breaks off': sent('58030', 'failed to COPY to shard 102041 on 127.0.0.1:9701'),
  'a copy to a worker that does not end': sent('58030', 'failed to complete COPY on 127.0.0.1:9701'),
  'a worker without free connections': sent('XX000', 'sorry, too many clients already'),
}

const notWritten = {
  'a disk that is full': sent('53100', 'could not extend file "base/5/16400": No space left on device'),
  'the full disk of a worker that rows were copied to': sent(
    'XX000',
    'could not extend file "base/5/16400": No space left on device',
  ),
  'a statement of a worker that took too long': sent('XX000', 'canceling statement due to statement timeout'),
  'a worker that only reads': sent('XX000', 'cannot execute COPY FROM in a read-only transaction'),
}

const none = {
  'an error of the program': sent('42703', 'column "x" does not exist'),
  'an internal error': sent('XX000', 'cache lookup failed for relation 16400'),
  'a disk that fails': sent('58030', 'could not read block 3 in file "base/5/16400": Input/output error'),
  'an error without a code': new Error('deadlock detected'),
}

const of = (errors: Readonly<Record<string, Error>>) => Object.entries(errors)
const all = { ...takenKey, ...retried, ...lost, ...notWritten, ...none }

/** What each error means: one thing, or nothing. */
const meanings = (error: unknown): readonly string[] =>
  Object.entries({ keyIsHeld, mayRetry, connectionLost, cannotWriteNow }).flatMap(([name, holds]) =>
    holds(error) ? [name] : [],
  )

describe('an error means one thing', () => {
  test.each(of(takenKey))('a taken key, %s', (_name, error) => {
    expect(meanings(error)).toEqual(['keyIsHeld'])
  })

  test.each(of(retried))('%s: the statement runs again', (_name, error) => {
    expect(meanings(error)).toEqual(['mayRetry'])
  })

  test.each(of(lost))('%s: the write is looked for', (_name, error) => {
    expect(meanings(error)).toEqual(['connectionLost'])
  })

  test.each(of(notWritten))('%s: the service cannot write now', (_name, error) => {
    expect(meanings(error)).toEqual(['cannotWriteNow'])
  })

  test.each(of(none))('%s: nothing that helps', (_name, error) => {
    expect(meanings(error)).toEqual([])
  })
})

test('a node behind the server is lost when the server says so, and not when the server itself is', () => {
  const names = of({ ...all, unreachable: new Error('Connection terminated unexpectedly') })
  expect(names.filter(([, error]) => nodeLost(error)).map(([name]) => name)).toEqual(
    Object.keys(lost).filter((name) => name.includes('worker')),
  )
})

describe('a write that came alone is answered `taken`', () => {
  const answered = (error: Error, writes: readonly unknown[]) =>
    takenOnConflict(writes, index, async () => {
      throw error
    })

  test.each(of(takenKey))('when it breaks the index, %s', async (_name, error) => {
    expect(await answered(error, [1])).toEqual([{ is: 'taken' }])
    await expect(answered(error, [1, 2])).rejects.toBe(error)
  })

  test('and for no other index, and no other error', async () => {
    const others = {
      ...all,
      other: sent('23505', duplicate('location_one_per_code_102041')),
      longer: sent('23505', duplicate(`${index}_and_vendor_102041`)),
    }
    for (const [name, error] of of(others))
      if (!(name in takenKey)) await expect(answered(error, [1]), name).rejects.toBe(error)
  })
})
