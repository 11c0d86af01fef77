// The guide of the compliance manager, followed in the page of a running service.
import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from '../../../house/tree.ts'
import { type OwnDatabase, ownDatabase } from '../../../support/databases/database.ts'
import { openBrowser } from '../../../support/pages/browser.ts'
import { followGuide } from '../../../support/pages/guide-journey.ts'
import { type ServerProcess, startServerProcess } from '../../../support/servers/server-process.ts'

let database: OwnDatabase
let server: ServerProcess
let browser: Browser
beforeAll(async () => {
  database = await ownDatabase()
  ;[server, browser] = await Promise.all([startServerProcess(database.env), openBrowser()])
})
afterAll(async () => {
  await Promise.all([browser?.close(), server?.end('SIGTERM')])
  await database?.drop()
})

test('every step of the guide works, and has its picture', async () => {
  const pictures: string[] = []
  await followGuide(browser, {
    url: server.address,
    key: server.firstKey ?? '',
    take: async (_, name) => void pictures.push(name),
  })
  expect(pictures).toContain('explanation')
  expect(pictures.filter((name) => !existsSync(placeOf(`docs/screenshots/${name}.webp`)))).toEqual([])
})
