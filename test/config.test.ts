import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { readConfig, workersOn } from '../src/config.ts'

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
      identityProvider: undefined,
      webhooks: 'on',
      webhookAllowPrivate: false,
      webhookRetrySeconds: 86_400,
      otelExporterOtlpEndpoint: undefined,
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

  test('WEBHOOKS and WEBHOOK_ALLOW_PRIVATE take two values each, WEBHOOK_RETRY_SECONDS a second to a day', () => {
    const set = { WEBHOOKS: 'off', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SECONDS: '60' }
    expect(readConfig(set)).toMatchObject({ webhooks: 'off', webhookAllowPrivate: true, webhookRetrySeconds: 60 })
    for (const [name, value] of [
      ['WEBHOOKS', 'no'],
      ['WEBHOOK_ALLOW_PRIVATE', '1'],
      ['WEBHOOK_RETRY_SECONDS', '0'],
    ] as const)
      expect(readConfig({ [name]: value })).toEqual({ problem: expect.stringContaining(`${name} is `) })
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

  test('WORKERS leave a quarter of the cores to PostgreSQL, and are never more than one on the embedded database', () => {
    expect([1, 2, 4, 8, 32, 128].map(workersOn)).toEqual([1, 1, 3, 6, 24, 64])
    const DATABASE_URL = 'postgres://localhost/lotkeeper'
    expect(readConfig({ DATABASE_URL })).toMatchObject({ workers: workersOn(availableParallelism()) })
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

  test.each(['banana', '10.0.0.1/99', '10.0.0.1, x', '::1/129', 'fe80::1%eth0'])(
    'TRUST_PROXY %s is refused',
    (text) => {
      expect(readConfig({ TRUST_PROXY: text })).toEqual({ problem: expect.stringContaining('TRUST_PROXY') })
    },
  )

  test('TRUST_PROXY takes addresses and networks', () => {
    expect(readConfig({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, ::1' })).not.toHaveProperty('problem')
  })

  test('retention cannot be set below the two years of §8', () => {
    expect(readConfig({ RETENTION_YEARS: '1' })).toHaveProperty('problem')
    expect(readConfig({ RETENTION_YEARS: '7' })).toMatchObject({ retentionYears: 7 })
  })

  describe('of the identity provider', () => {
    const whole = {
      OIDC_ISSUER: 'https://login.example.com/tenant',
      OIDC_CLIENT_ID: 'lots',
      OIDC_CLIENT_SECRET: 'secret',
      PUBLIC_URL: 'https://lots.example.com/',
      TRUST_PROXY: '10.0.0.7',
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLES: 'lot-admins=administrator, lot=team=writer',
    }

    test('is read whole, with what is usual', () => {
      expect(readConfig(whole)).toMatchObject({
        identityProvider: {
          issuer: 'https://login.example.com/tenant',
          clientId: 'lots',
          clientSecret: 'secret',
          name: 'login.example.com',
          scope: 'openid profile email',
          roleClaim: 'groups',
          roles: new Map([
            ['lot-admins', 'administrator'],
            ['lot=team', 'writer'],
          ]),
          provider: 'default',
          trustEmails: false,
          publicUrl: 'https://lots.example.com',
        },
      })
      expect(readConfig({ ...whole, OIDC_ROLE_CLAIM: '', OIDC_ROLES: '', OIDC_CLIENT_SECRET: '' })).toMatchObject({
        identityProvider: { roleClaim: undefined, clientSecret: undefined },
      })
    })

    test.each([
      [
        'an issuer without TLS',
        { OIDC_ISSUER: 'http://login.example.com' },
        'OIDC_ISSUER is "http://login.example.com"',
      ],
      ['an issuer that is no address', { OIDC_ISSUER: 'login' }, 'OIDC_ISSUER is "login"'],
      ['no issuer', { OIDC_ISSUER: '' }, 'need OIDC_ISSUER'],
      ['no client id', { OIDC_CLIENT_ID: '' }, 'needs OIDC_CLIENT_ID'],
      ['no address of the service', { PUBLIC_URL: '' }, 'needs PUBLIC_URL'],
      ['an address with a path', { PUBLIC_URL: 'https://lots.example.com/x' }, 'PUBLIC_URL is'],
      ['an address without TLS', { PUBLIC_URL: 'http://lots.example.com' }, 'PUBLIC_URL is'],
      ['TLS and nobody who ends it', { TRUST_PROXY: '' }, 'Set TRUST_PROXY'],
      ['a claim without roles', { OIDC_ROLES: '' }, 'need each other'],
      ['roles without a claim', { OIDC_ROLE_CLAIM: '' }, 'need each other'],
      ['a role that there is not', { OIDC_ROLES: 'a=owner' }, 'OIDC_ROLES contains "a=owner"'],
      ['a value without a role', { OIDC_ROLES: 'a' }, 'OIDC_ROLES contains "a"'],
      ['a word in place of true or false', { OIDC_TRUST_EMAILS: 'yes' }, 'OIDC_TRUST_EMAILS is "yes"'],
    ])('%s is refused', (_what, changed, words) => {
      const config = readConfig({ ...whole, ...changed })
      expect(config).toEqual({ problem: expect.stringContaining(words) })
      expect(JSON.stringify(config)).not.toContain('secret"')
    })
  })
})
