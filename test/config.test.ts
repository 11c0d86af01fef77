import { describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'

describe('configuration', () => {
  test('has a sensible default for everything', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      dataDir: './data',
      logLevel: 'info',
      bodyLimitBytes: 10_485_760,
      lotNumberRequiredFrom: '2026-01-01',
      retentionYears: 2,
      rateLimitPerMinute: 0,
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

  test('retention cannot be set below the two years of §8', () => {
    expect(readConfig({ RETENTION_YEARS: '1' })).toHaveProperty('problem')
    expect(readConfig({ RETENTION_YEARS: '7' })).toMatchObject({ retentionYears: 7 })
  })
})
