// The server: the operations of the catalogue behind authentication, and the few public pages.
import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { encodingNamed } from '../contract/text/document-text.ts'
import type { Handlers } from '../handlers/catalogue.ts'
import type { OpenPackage } from '../handlers/sharing/package-links.ts'
import type { LargeWork } from '../large-work.ts'
import { declareLimit, type SetLimits } from '../limits.ts'
import type { Operation } from '../operations/base/operation.ts'
import { catalogue, type OperationName } from '../operations/catalogue.ts'
import { Addresses } from './addresses.ts'
import { type Caller, type Identify, keylessWords, keyOf, remembering } from './authenticate.ts'
import { readBodyText } from './body-text.ts'
import { refusalOf, refuseOnSocket, refuseTunnel, trackResponse } from './broken-requests.ts'
import { type ClientAddressOf, clientAddresses } from './client-address.ts'
import { mountConsole } from './console.ts'
import { isPacked, packAnswers } from './content-coding.ts'
import { isFromOwnPage, sessionTokenOf, setSessionCookie } from './cookies.ts'
import { mountDocs } from './docs.ts'
import { Drain } from './drain.ts'
import { LargeAnswers, largePagesAtOnceMax, largePagesOfProviderMax, largePageWaitMsMax } from './large-answers.ts'
import { connectionsMax, Listeners } from './listeners.ts'
import { mountPackageLinks } from './package-links.ts'
import { type Overloaded, Pressure, packingFactorMax, requestsAtWorkMax } from './pressure.ts'
import { safeHeaders, sendShared } from './problem.ts'
import { limitFailedSignIns, limitRequests } from './rate-limit.ts'
import type { CountRequest } from './request-counts.ts'
import { RequestLog, withoutValues } from './request-log.ts'
import { noOperation, type RequestTally } from './request-tally.ts'
import { type AnyHandler, isJson, mount } from './route.ts'
import { type FindSession, mountSignIn, type SignInParts } from './sign-in.ts'
import { detailOf, type Unavailability } from './unavailable.ts'

const arrivalMsMax = declareLimit('requestArrival', 30_000, 'ms', 'Time for a request to arrive.')
export const headersMsMax = declareLimit('headersArrival', 10_000, 'ms', 'Time for the headers of a request to arrive.')
const headersBytesMax = declareLimit('headers', 16 * 1024, 'bytes', 'Headers of a request.')
const keepAliveMsMax = declareLimit('keepAlive', 72_000, 'ms', 'Time a connection stays open between two requests.')
/** The reader takes nothing, or no response is produced. */
const silenceMsMax = declareLimit(
  'silence',
  90_000,
  'ms',
  'Idle time of a connection during a request, after which it is closed.',
)

declare module 'fastify' {
  interface FastifyInstance {
    /** Run it before closing the server. */
    drain: Drain
    listeners: Listeners
  }
}

export interface ServerParts {
  readonly handlers: Handlers
  readonly identify: Identify
  /** The same for the token of a session. */
  readonly identifySession: Identify
  /** Undefined when people sign in with keys only. */
  readonly identityProvider?: SignInParts | undefined
  /** Sends a package to a caller with the address and the code of its link. */
  readonly openPackage: OpenPackage
  /** Called once per request with the caller. Must not throw. */
  readonly noteUse: (caller: Caller) => void
  /**
   * Why the database cannot be used, or its damaged records, as sentences; undefined for an error
   * with another cause.
   */
  readonly unavailabilityOf: (error: unknown) => Unavailability | { readonly damage: string } | undefined
  /** Called for each request that is answered with 503. Must not throw. */
  readonly reportUnavailable: (why: Unavailability) => void
  /** Counts how each request ended. */
  readonly tally: Pick<RequestTally, 'ended'>
  /** Why the service is not ready; undefined when it is. */
  readonly notReady: () => Promise<string | undefined>
  readonly limits: SetLimits
  /** The queue for large work of this process, which handlers share. */
  readonly largeWork: LargeWork
  /** Called once per request that counts against a limit. */
  readonly countRequest: CountRequest
  readonly trustProxy: string | undefined
  /** Folder of the built console. */
  readonly consoleFolder: URL
  readonly logger: FastifyBaseLogger
}

/** Longest part of a path, percent-encoded: a lot code of 100 characters takes up to 1,200. */
const addressPartMax = 2_000

/**
 * Interval of the check for slow connections, in milliseconds. With Node's default of 30 s, every
 * time limit would be up to three times as long.
 */
const connectionLookMs = 500

export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const addressOf = clientAddresses(parts.trustProxy)
  const server = Fastify({
    loggerInstance: parts.logger,
    logController: new RequestLog(addressOf),
    // Log lines name their request themselves: a logger per request costs more than the line.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: parts.limits.bodyBytesMax,
    requestTimeout: arrivalMsMax,
    connectionTimeout: silenceMsMax,
    keepAliveTimeout: keepAliveMsMax,
    trustProxy: parts.trustProxy ?? false,
    // A request that still arrives while the server closes is answered as any other.
    return503OnClosing: false,
    http: {
      headersTimeout: headersMsMax,
      maxHeaderSize: headersBytesMax,
      connectionsCheckingInterval: connectionLookMs,
      // Checked below: Node would answer without a body.
      requireHostHeader: false,
    },
    // Percent-encoded, a lot code of 100 characters takes up to 1,200, and a link that contains one
    // takes more.
    routerOptions: { maxParamLength: addressPartMax },
    // The shape check rejects a `__proto__` key as an unknown field.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    frameworkErrors: (error, request, reply) => {
      begin(request, reply)
      if (drain.begun) reply.header('connection', 'close')
      const why =
        error.code === 'FST_ERR_MAX_PARAM_LENGTH'
          ? `A segment of the address has more than ${addressPartMax} characters. An id has 36, a lot code at most 100.`
          : 'The address cannot be decoded. Check its percent-encoding.'
      sendShared(request, reply, 'badAddress', why)
    },
    clientErrorHandler: (error, socket) => refuseOnSocket(error, socket, allowedAt),
  })
  server.server.maxConnections = connectionsMax

  const addresses = new Addresses(server)
  const allowedAt = (path: string) => addresses.allowedAt(path)
  server.server.on('connect', ({ url = '' }, socket) => refuseTunnel(url, socket, allowedAt))
  // Node would answer without a body. The hook below refuses it.
  server.server.on('checkExpectation', (request, answer) => server.server.emit('request', request, answer))
  const drain = new Drain(server.server, (count) =>
    parts.logger.warn({ count }, 'The service is stopping. Requests that did not end in time were broken off.'),
  )
  server.decorate('drain', drain)
  const listeners = new Listeners(server)
  server.decorate('listeners', listeners)
  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    drain.seen()
    reply.headers(safeHeaders).header('request-id', request.id)
    trackResponse(reply.raw)
  }
  // Hooks use callbacks: a PUT passes five hooks, and each promise would be a turn of the queue.
  server.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    const refusal = refusalOf(request.raw)
    if (refusal !== undefined) sendShared(request, reply.header('connection', 'close'), refusal.name, refusal.detail)
    // Before the body is read, because no handler needs it.
    else if (request.is404) addresses.answer(request, reply)
    else done()
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    // Otherwise the connection of a call in progress stays open, and a shutdown waits until the
    // client closes it.
    if (drain.begun) reply.header('connection', 'close')
    done(null, payload)
  })
  // Nothing may keep a connection open during shutdown but a request under way.
  server.addHook('preClose', (done) => {
    drain.closeConnections()
    listeners.close()
    done()
  })
  server.addHook('onClose', () => listeners.closed())
  packAnswers(server)
  server.decorateRequest('outcome', undefined)
  server.decorateRequest('assumedEncoding', undefined)
  server.addHook('onResponse', (request, reply, done) => {
    parts.tally.ended(request.routeOptions.config.operation ?? noOperation, request.outcome, reply.elapsedTime)
    done()
  })
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    switch (error.code) {
      case 'FST_ERR_CTP_BODY_TOO_LARGE':
      case 'LK_TOO_LARGE':
        return sendShared(
          request,
          reply,
          'tooLarge',
          `The body is larger than ${request.routeOptions.bodyLimit ?? parts.limits.bodyBytesMax} bytes. Send fewer records at once; of an event, leave out products and locations that are set up as master data.`,
        )
      case 'LK_TOO_DENSE':
        return sendShared(
          request,
          reply,
          'tooLarge',
          `The body unpacks to more than ${packingFactorMax} times its size. Send it uncompressed.`,
        )
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        return sendShared(request, reply, 'wrongMediaType', 'Send Content-Type: application/json.')
      case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
        return sendShared(request, reply, 'malformed', 'The length of the body differs from Content-Length.')
      case 'LK_WRONG_MEDIA_TYPE':
        return sendShared(request, reply, 'wrongMediaType', error.message)
      case 'LK_WRONG_CODING':
        return sendShared(request, reply.header('accept-encoding', 'gzip'), 'wrongMediaType', error.message)
      case 'LK_NOT_PACKED':
        return sendShared(
          request,
          reply,
          'malformed',
          'Content-Encoding is gzip, but the body is not gzip or is incomplete.',
        )
      case 'LK_OVERLOADED':
        return sendUnavailable(parts, request, reply, { is: (error as FastifyError & Overloaded).why })
      case 'LK_NOT_UTF8':
        return sendShared(request, reply, 'malformed', 'The body is not valid UTF-8.')
    }
    const why = parts.unavailabilityOf(error)
    if (why !== undefined && 'damage' in why) {
      request.log.error({ requestId: request.id, damage: why.damage }, 'The database is damaged.')
      return sendShared(request, reply, 'damaged', why.damage)
    }
    if (why !== undefined) {
      // The cause is logged once. This line is for each request in the meantime.
      request.log.debug({ requestId: request.id, code: error.code }, 'The database is not available.')
      return sendUnavailable(parts, request, reply, why)
    }
    // The log gets the stack, and the answer the id that finds it. Of database errors only the code
    // is logged, since their messages may quote values.
    request.log.error({ requestId: request.id, code: error.code, stack: withoutValues(error) }, 'The service failed.')
    return sendShared(
      request,
      reply,
      'failed',
      `The service failed. The log has the cause under request ${request.id}.`,
    )
  })
  const findSession = remembering(parts.identifySession)
  const { bodyBytesAtOnceMax, lateMsMax } = parts.limits
  const pressure = new Pressure({ requestsAtWorkMax, bodyBytesAtOnceMax, lateMsMax })
  await server.register((operations) => mountOperations(operations, parts, findSession, pressure, addressOf))
  mountSignIn(server, findSession, parts)
  await server.register(async (pages) => mountPackageLinks(pages, parts, pressure, addressOf))
  await server.register(async (pages) => {
    await pages.register(helmet, {
      // Pages that need more set their own.
      contentSecurityPolicy: false,
      // TLS ends in front of the service, so the proxy decides.
      strictTransportSecurity: false,
    })
    await mountDocs(pages)
    await mountConsole(pages, parts.consoleFolder)
  })
  server.get('/health/live', async () => ({ status: 'live' }))
  server.get('/health/ready', async (_request, reply) => {
    const why = drain.begun ? 'The service is shutting down.' : await parts.notReady()
    return why === undefined ? { status: 'ready' } : reply.code(503).send({ status: 'not ready', why })
  })
  addresses.refuseOtherMethods()
  return server
}

function sendUnavailable(
  { reportUnavailable }: Pick<ServerParts, 'reportUnavailable'>,
  request: FastifyRequest,
  reply: FastifyReply,
  why: Unavailability,
): FastifyReply {
  reportUnavailable(why)
  return sendShared(request, reply, 'unavailable', detailOf(why.is))
}

async function mountOperations(
  server: FastifyInstance,
  parts: ServerParts,
  findSession: FindSession,
  pressure: Pressure,
  addressOf: ClientAddressOf,
): Promise<void> {
  const identify = remembering(parts.identify)
  const refuseSignIn = limitFailedSignIns(parts.limits.failedSignInsPerMinute, parts.countRequest)
  server.addHook('onListen', (done) => {
    pressure.watch()
    done()
  })
  server.addHook('onClose', (_server, done) => {
    pressure.endWatch()
    done()
  })
  server.decorateRequest('caller', undefined)
  server.addHook('onRequest', (request, reply, done) => {
    const overload = pressure.overload
    if (overload !== undefined) {
      sendUnavailable(parts, request, reply, { is: overload })
      return
    }
    const key = keyOf(request.headers)
    // A key takes precedence, and saves the look-up of the cookie.
    const token = key === undefined ? sessionTokenOf(request) : undefined
    // Read before the key is looked up, because a connection that ends meanwhile has no address.
    const address = addressOf(request.raw)
    const admit = (caller: Caller | undefined): void => {
      request.caller = caller
      if (caller === undefined) {
        refuseSignIn(
          request,
          reply,
          address,
          key !== undefined
            ? 'The key is not valid: mistyped, revoked or expired. `lotkeeper keys list` lists the keys.'
            : token !== undefined
              ? 'The session has ended, or its key was revoked or has expired. Sign in again.'
              : keylessWords(request.headers),
        ).catch(done)
        return
      }
      if (caller.session !== undefined && !isFromOwnPage(request)) {
        sendShared(
          request,
          reply,
          'foreignPage',
          'The request carries the cookie of a session, but no page of this service sent it. Programs send a key.',
        )
        return
      }
      if (caller.renewed !== undefined) setSessionCookie(request, reply, caller.renewed)
      parts.noteUse(caller)
      done()
    }
    if (key === undefined && token === undefined) return admit(undefined)
    const caller = key === undefined ? findSession(token ?? '', request.raw.socket) : identify(key, request.raw.socket)
    if (caller instanceof Promise) caller.then(admit).catch(done)
    else admit(caller)
  })
  limitRequests(server, parts.limits.requestsPerMinute, parts.countRequest)
  server.addHook('preParsing', (request, reply, _payload, done) => {
    const encoding = request.headers['content-encoding']
    const packed = request.method === 'GET' || request.method === 'DELETE' ? false : isPacked(encoding)
    if (packed === undefined)
      return done(
        withCode(
          'LK_WRONG_CODING',
          `The Content-Encoding is ${String(encoding).slice(0, 40)}. Send gzip, or an uncompressed body.`,
        ),
      )
    const unpackedBytesMax = request.routeOptions.bodyLimit ?? parts.limits.bodyBytesMax
    done(null, pressure.countBytes(request.raw, reply.raw, packed ? { unpackedBytesMax } : undefined))
  })
  // No operation reads the body of a DELETE.
  server.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  // Fastify's JSON parser keeps the last of two equal keys. The contract parses the text instead.
  server.removeAllContentTypeParsers()
  const mediaTypes = new Set(['application/json', ...catalogue.flatMap(({ bodyTypes = [] }) => bodyTypes)])
  const operations = new Map<string | undefined, Operation>(catalogue.map((one) => [one.name, one]))
  server.addContentTypeParser([...mediaTypes], { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    const operation = operations.get(request.routeOptions.config.operation)
    const isFile = operation?.fileField !== undefined && !isJson(request.headers['content-type'])
    if (charset !== undefined && !/^utf-?8$/i.test(charset) && (!isFile || encodingNamed(charset) === undefined))
      return done(withCode('LK_WRONG_MEDIA_TYPE', `The charset is ${charset.slice(0, 40)}. Send UTF-8.`))
    void parts.largeWork.run(body.length, () => {
      const read = readBodyText(body as Buffer, operation ?? {}, isFile ? { charset } : undefined)
      if (read === undefined) return done(withCode('LK_NOT_UTF8', 'The body is not valid UTF-8.'))
      request.assumedEncoding = read.assumedEncoding
      done(null, read.text)
    })
  })
  const largeAnswers = new LargeAnswers({
    atOnceMax: largePagesAtOnceMax,
    ofProviderMax: largePagesOfProviderMax,
    waitMsMax: largePageWaitMsMax,
  })
  const limits = { pressure, largeAnswers, bodyBytesMax: parts.limits.bodyBytesMax }
  for (const operation of catalogue)
    mount(server, operation, parts.handlers[operation.name as OperationName] as AnyHandler, limits)
}

const withCode = (code: string, message: string): Error & { code: string } =>
  Object.assign(new Error(message), { code })
