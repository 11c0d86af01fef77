// The files of the console, open without a key: read once at the start, served as they were built (decision 0033).
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAccepted } from './content-coding.ts'
import { sendShared } from './problem.ts'

const consolePath = '/console/'

/** What a page of the console may load and do: its own files, and calls to this server. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** The forms a file is kept in, best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface ConsoleFile {
  readonly mediaType: string
  /** By content coding; `identity` is always there. */
  readonly forms: ReadonlyMap<string, Buffer>
  readonly hash: string
  /** Its name changes with its content. */
  readonly hashed: boolean
}

/** Serves the console from a folder. Where it was not built, a page says so. */
export function mountConsole(server: FastifyInstance, folder: URL): void {
  const files = filesIn(folder)
  server.get('/', (_request, reply) => reply.redirect(consolePath))
  server.get('/console', (_request, reply) => reply.redirect(consolePath))
  const [picture] = [...files].filter(([name]) => name.endsWith('.svg')).map(([, file]) => ({ ...file, hashed: false }))
  server.get('/favicon.ico', (request, reply) =>
    picture === undefined
      ? sendShared(request, reply, 'unknownAddress', 'The console is not built.')
      : sendFile(request, reply, picture),
  )
  server.get<{ Params: { '*': string } }>(`${consolePath}*`, (request, reply) => {
    const name = request.params['*']
    // Every address that is no file is one of the page's own: the page says when it has none such.
    const file = files.get(name) ?? (name.startsWith('assets/') ? undefined : files.get('index.html'))
    if (file !== undefined) return sendFile(request, reply, file)
    if (files.size > 0) return sendShared(request, reply, 'unknownAddress', 'The console has no such file.')
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send(
        'The console is not built. Run npm run build, then start the service again.\nThe API works without it: /docs\n',
      )
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const [encoding = 'identity'] = encodings.find(([name]) => file.forms.has(name) && isAccepted(name, accepted)) ?? []
  const tag = `"${file.hash}-${encoding}"`
  reply.headers({
    'content-security-policy': contentSecurityPolicy,
    'cache-control': file.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag: tag,
  })
  if (request.headers['if-none-match']?.split(/, */).includes(tag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.mediaType).send(file.forms.get(encoding))
}

/** The files of a folder by their path below it; none when there is no folder. */
function filesIn(folder: URL): ReadonlyMap<string, ConsoleFile> {
  const names = namesIn(folder)
  const contentOf = (name: string) => readFileSync(new URL(name, folder))
  return new Map(
    names
      .filter((name) => mediaTypes[extname(name)] !== undefined)
      .map((name) => {
        const content = contentOf(name)
        const forms = new Map([['identity', content]])
        for (const [encoding, ending] of encodings)
          if (names.includes(name + ending)) forms.set(encoding, contentOf(name + ending))
        return [
          name,
          {
            mediaType: mediaTypes[extname(name)] ?? '',
            forms,
            hash: createHash('sha256').update(content).digest('base64url').slice(0, 22),
            hashed: name.startsWith('assets/'),
          },
        ]
      }),
  )
}

function namesIn(folder: URL): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}
