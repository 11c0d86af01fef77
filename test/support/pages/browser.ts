// A real browser on a real server, and everything that must never happen in it.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { allowMs } from '../patience.ts'
import { cookieOf } from '../servers/service.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Longest wait for anything on a page, in milliseconds. */
export const pageWaitMs = (): number => allowMs(20_000)

let shared: Promise<Browser> | undefined

/**
 * A browser. The files of a worker share one, which ends with the worker: a start takes 2 s of
 * processor time.
 */
export async function openBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) {
    shared = launchBrowser()
    Object.assign(await shared, { close: async () => undefined })
  }
  return shared as Promise<Browser>
}

/**
 * A browser of the caller, who closes it: that of the machine when CHROMIUM_PATH names one, else that
 * of the npm package. Further arguments are those of Chromium.
 */
export async function launchBrowser(further: readonly string[] = []): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH
  const args = [
    ...['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    // A page of a test lives seconds: to compile its scripts well, and beside them, took an eighth of
    // the processor time of console tests.
    '--js-flags=--max-lazy --no-opt --single-threaded',
    ...further,
  ]
  if (given) return chromium.launch({ executablePath: given, args })
  const folder = await unpacked()
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args,
    // Slim machines have neither its libraries nor a font.
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') },
  })
}

/**
 * The package holds the browser compressed: unpacked once for each installed version, beside the
 * packages.
 */
async function unpacked(): Promise<string> {
  const source = join(root, 'node_modules/@sparticuz/chromium')
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string }
  const cache = join(root, 'node_modules/.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  const line = `import(${JSON.stringify(pathToFileURL(join(source, 'build/esm/index.js')).href)}).then(({ default: chromium }) => chromium.executablePath())`
  // It unpacks into the temporary folder, and its libraries only where it takes the machine for one
  // that has none.
  const env = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', line], { env })
  try {
    await rename(fresh, folder)
  } catch (error) {
    // Another worker was faster.
    await rm(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

export interface Visit {
  readonly page: Page
  /**
   * Ends the visit; fails when a script of a payload ran, a policy was broken, another host was
   * asked, or the page failed.
   */
  end(): Promise<void>
}

interface VisitOptions {
  readonly url: string
  /** Signs in with this key at once. */
  readonly key?: string
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Another address that it may go to: that of an identity provider. */
  readonly elsewhere?: string
  /**
   * What else the browser may say in its console: an answer that is no success is said there too.
   */
  readonly expected?: RegExp
}

/** Opens the console in a browser of its own: nothing is left over from another visit. */
export async function visit(
  browser: Browser,
  path: string,
  { url, key, width = 1280, colorScheme = 'light', elsewhere, expected }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
  const faults: string[] = []
  if (key !== undefined) {
    const [name = '', value = ''] = (await cookieOf(url, key)).split('=')
    await context.addCookies([{ name, value, url }])
  }
  const page = await context.newPage()
  page.setDefaultTimeout(pageWaitMs())
  page.on('dialog', (dialog) => {
    faults.push(`A dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  page.on('pageerror', (error) => faults.push(`An error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!expected?.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && ![url, elsewhere].includes(new URL(request.url()).origin))
      faults.push(`A request to ${request.url()}`)
  })
  await page.goto(`${url}/console${path}`)
  return {
    page,
    end: async () => {
      await context.close()
      expect(faults).toEqual([])
    },
  }
}

/** Goes to a page by the menu it is in. */
export async function goByMenu(page: Page, menu: string, title: string): Promise<void> {
  const menus = page.getByRole('navigation', { name: 'Console' })
  await menus.getByRole('button', { name: menu, exact: true }).click()
  await menus.getByRole('link', { name: title, exact: true }).click()
}

/** Waits until nothing on the page is being asked for. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  await page.getByText('Checking…').first().waitFor({ state: 'detached' })
  await page.getByText('loading', { exact: true }).first().waitFor({ state: 'detached' })
}
