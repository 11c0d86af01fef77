// Serves the built files of the console, without a key (decision 0033).
import { existsSync, readdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sendShared } from './problem.ts'

const consolePath = '/console/'

/**
 * A page of the console may load its own files and call this server. Its reader of barcodes is
 * WebAssembly, which a browser compiles with this permission only; it allows no script from text.
 */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Names of files below `assets/`. Each contains the hash of its content. */
const assetForm = /^assets\/[\w.-]+\.(?:css|js|png|svg|wasm|woff2)$/

/**
 * Opens the console without a network (decision 0027). Asked for each time, like the page, and
 * beside it, since a worker is in charge of its own folder.
 */
const worker = 'worker.js'

const forever = { cacheControl: true, maxAge: '1y', immutable: true }

const notBuilt =
  'The console is not built. Run npm run build, then start the service again.\nThe API works without it: /docs\n'

/** Serves the console from a folder. If it was not built, a page says so. */
export async function mountConsole(server: FastifyInstance, folder: URL): Promise<void> {
  server.get('/', (_request, reply) => reply.redirect(consolePath))
  server.get('/console', (_request, reply) => reply.redirect(consolePath))
  if (!existsSync(folder)) {
    server.get('/favicon.ico', (request, reply) =>
      sendShared(request, reply, 'unknownAddress', 'The console is not built.'),
    )
    server.get(`${consolePath}*`, (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(notBuilt))
    return
  }
  await server.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    acceptRanges: false,
    cacheControl: false,
    setHeaders: (answer) => {
      answer.setHeader('vary', 'accept-encoding')
      answer.setHeader('cache-control', 'no-cache')
    },
  })
  const picture = readdirSync(new URL('assets/', folder)).find((name) => name.endsWith('.svg')) ?? ''
  server.get('/favicon.ico', (_request, reply) => reply.sendFile(`assets/${picture}`))
  server.get<{ Params: { '*': string } }>(`${consolePath}*`, (request, reply) => {
    const name = request.params['*']
    // Every other address is a page of the console, which reports unknown ones itself.
    if (!name.startsWith('assets/'))
      return reply
        .header('content-security-policy', contentSecurityPolicy)
        .sendFile(name === worker ? worker : 'index.html')
    return assetForm.test(name) ? reply.sendFile(name, forever) : reply.callNotFound()
  })
}
