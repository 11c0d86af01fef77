import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'

describe('configuration', () => {
  test('has a sensible default for everything', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      dataDir: './data',
      workers: 1,
      logLevel: 'info',
      bodyLimitBytes: 10_485_760,
      lotNumberRequiredFrom: '2026-01-01',
      identifierBase: 'https://w3id.org/lotkeeper',
      retentionYears: 2,
      rateLimitPerMinute: 0,
      signingKeyFile: undefined,
      checkpointMinutes: 5,
      metricsHost: '127.0.0.1',
      metricsPort: undefined,
      failedSignInsPerMinute: 100,
      trustProxy: undefined,
    })
  })

  test('names every bad value at once, with what it may be', () => {
    const config = readConfig({
      PORT: '70000',
      RETENTION_YEARS: '1',
      BODY_LIMIT_BYTES: '1e6',
      RATE_LIMIT_PER_MINUTE: '-1',
    })
    for (const name of ['PORT', 'RETENTION_YEARS', 'BODY_LIMIT_BYTES', 'RATE_LIMIT_PER_MINUTE'])
      expect(config).toEqual({ problem: expect.stringContaining(`${name} is `) })
  })

  test.each([
    'http://trace.example.com',
    'trace.example.com',
    'https://a.example/x?y',
    'https://a.example/../b',
    'https://a.example/ä',
  ])('IDENTIFIER_BASE %s is refused', (IDENTIFIER_BASE) => {
    expect(readConfig({ IDENTIFIER_BASE })).toEqual({ problem: expect.stringContaining('IDENTIFIER_BASE is ') })
  })

  test('IDENTIFIER_BASE is taken without a slash at its end', () => {
    expect(readConfig({ IDENTIFIER_BASE: 'https://trace.example.com/id/' })).toMatchObject({
      identifierBase: 'https://trace.example.com/id',
    })
  })

  test('WORKERS is one per core on PostgreSQL, and never more than one on the embedded database', () => {
    const DATABASE_URL = 'postgres://localhost/lotkeeper'
    expect(readConfig({ DATABASE_URL })).toMatchObject({ workers: availableParallelism() })
    expect(readConfig({ DATABASE_URL, WORKERS: '5' })).toMatchObject({ workers: 5 })
    expect(readConfig({ WORKERS: '1' })).toMatchObject({ workers: 1 })
    expect(readConfig({ WORKERS: '2' })).toEqual({
      problem:
        'WORKERS is "2", but only one process can use the embedded database. Set DATABASE_URL, or unset WORKERS.',
    })
  })

  test.each(['0', '65', 'all'])('WORKERS %s is refused', (WORKERS) => {
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/lotkeeper', WORKERS })).toEqual({
      problem: `WORKERS is "${WORKERS}". It must be a whole number from 1 to 64.`,
    })
  })

  test.each(['banana', '10.0.0.1/99', '10.0.0.1, x', '::1/129'])('TRUST_PROXY %s is refused', (text) => {
    expect(readConfig({ TRUST_PROXY: text })).toEqual({ problem: expect.stringContaining('TRUST_PROXY') })
  })

  test('TRUST_PROXY takes addresses and networks', () => {
    expect(readConfig({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, ::1' })).not.toHaveProperty('problem')
  })

  test('retention cannot be set below the two years of §8', () => {
    expect(readConfig({ RETENTION_YEARS: '1' })).toHaveProperty('problem')
    expect(readConfig({ RETENTION_YEARS: '7' })).toMatchObject({ retentionYears: 7 })
  })
})
