// `lotkeeper mcp`, as an assistant starts it. Source: decision 0098.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

let service: Service
let key: string
beforeAll(async () => {
  service = await startService({ failedSignInsPerMinute: 0 })
  const provider = await service.provider()
  key = await provider.key('reader')
  await provider.call('POST', paths.receivingEvent, {
    body: eventPayload(({ eventList }) => {
      eventList.productList[0].caseLotNumber = 'ASKED-2'
    }),
  })
})
afterAll(() => service?.close())

test.each(['legacy', 'auto'] as const)('an assistant finds and traces a lot over standard input (%s)', async (mode) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const env = { PATH: process.env.PATH ?? '', LOTKEEPER_URL: `${service.url}/`, LOTKEEPER_KEY: key }
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'pipe' })
  await client.connect(transport)
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('traceLot')
    const traced = await client.callTool({ name: 'traceLot', arguments: { lotCode: 'ASKED-2' } })
    expect(traced.structuredContent).toMatchObject({ answer: { lotCode: 'ASKED-2' } })
    const wrong = await client.callTool({ name: 'traceLot', arguments: { lotCode: 'NOBODYS' } })
    expect(wrong).toMatchObject({ isError: true })
    const linked = await client.callTool({ name: 'exportFdaPackage', arguments: { lotCode: 'ASKED-2' } })
    expect(linked.content).toContainEqual(expect.objectContaining({ type: 'resource_link' }))
    await expect(client.callTool({ name: 'createKey', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  } finally {
    await client.close()
  }
})

test('a key that is not valid and a service that is away end the command at once, with the remedy', async () => {
  const wrong = await runCommand(['mcp'], { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: 'lk_0_0_0' })
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Set LOTKEEPER_KEY or --key') })
  const without = await runCommand(['mcp'], { LOTKEEPER_URL: service.url })
  expect(without).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('No key is given') })
})

test('the command ends when its assistant closes standard input, also after what is no message', async () => {
  const given = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: key, NODE_NO_WARNINGS: '1' }
  const { code, stdout } = await runCommand(['mcp'], given, 'no message\n{"jsonrpc":"2.0"}\n')
  expect(code).toBe(0)
  for (const line of stdout.split('\n').filter(Boolean)) expect(JSON.parse(line)).toHaveProperty('jsonrpc')
})
