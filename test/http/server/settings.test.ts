// The settings that the rules use, as a client is told them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calling, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ lotNumberRequiredFrom: '2028-07-20' })
})
afterAll(() => service?.close())

describe('GET /settings', () => {
  test.each(['reader', 'writer', 'administrator'] as const)('tells a %s the date the rules use', async (role) => {
    const provider = await service.provider()
    const { status, body } = await calling(service.url, await provider.key(role))('GET', '/settings')
    expect(status).toBe(200)
    expect(body).toEqual({ lotNumberRequiredFrom: '2028-07-20' })
  })
})
