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
import type { Handlers } from '../handlers/catalogue.ts'
import type { OpenPackage, PackageSender } from '../handlers/sharing/package-links.ts'
import type { DescribeSource } from '../handlers/traceability/source-addresses.ts'
import type { LargeWork } from '../large-work.ts'
import { declareLimit, type SetLimits } from '../limits.ts'
import { catalogue, type OperationName } from '../operations/catalogue.ts'
import type { Spans } from '../spans.ts'
import { Addresses } from './addresses.ts'
import { type AdmissionParts, admitCallers, type Doorway } from './admission.ts'
import { mountAssistants } from './assistants.ts'
import { type Identify, remembering } from './authenticate.ts'
import { refusalOf, refuseOnSocket, refuseTunnel, trackResponse } from './broken-requests.ts'
import { clientAddresses } from './client-address.ts'
import { mountConsole } from './console.ts'
import { packAnswers } from './content-coding.ts'
import { mountDigitalLinks } from './digital-links.ts'
import { mountDocs } from './docs.ts'
import { Drain } from './drain.ts'
import { type ErrorParts, sendError } from './error-answers.ts'
import { LargeAnswers, largePagesAtOnceMax, largePagesOfProviderMax, largePageWaitMsMax } from './large-answers.ts'
import { connectionsMax, Listeners } from './listeners.ts'
import { mountPackageLinks } from './package-links.ts'
import { Pressure, requestsAtWorkMax } from './pressure.ts'
import { safeHeaders, sendShared } from './problem.ts'
import { limitRequests } from './rate-limit.ts'
import { readBodies } from './request-body.ts'
import { RequestLog } from './request-log.ts'
import { traceRequests } from './request-spans.ts'
import { noOperation, type RequestTally } from './request-tally.ts'
import { type AnyHandler, mount } from './route.ts'
import { mountSignIn, type SignInParts } from './sign-in.ts'
import { mountSourceAddresses } from './source-addresses.ts'

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

export interface ServerParts extends ErrorParts, AdmissionParts {
  readonly handlers: Handlers
  /** Looks up the token of a session. */
  readonly identifySession: Identify
  /** Undefined when people sign in with keys only. */
  readonly identityProvider?: SignInParts | undefined
  /** Sends a package to a caller with the address and the code of its link. */
  readonly openPackage: OpenPackage
  readonly packageSender: PackageSender
  /** Describes the source of lot codes at a web address, to callers without a key. */
  readonly describeSource: DescribeSource
  /** Counts how each request ended. */
  readonly tally: Pick<RequestTally, 'ended'>
  /** Undefined when the operator asks for no spans. */
  readonly spans?: Pick<Spans, 'request'> | undefined
  /** Why the service is not ready; undefined when it is. */
  readonly notReady: () => Promise<string | undefined>
  /** Nodes of the database that do not answer, as last looked up. */
  readonly nodesAway: () => readonly string[]
  readonly limits: SetLimits
  /** The queue for large work of this process, which handlers share. */
  readonly largeWork: LargeWork
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

/** What does not depend on the settings of this service. */
const fixedOptions = {
  // Log lines name their request themselves: a logger per request costs more than the line.
  childLoggerFactory: (logger: FastifyBaseLogger) => logger,
  genReqId: () => randomUUID(),
  requestTimeout: arrivalMsMax,
  connectionTimeout: silenceMsMax,
  keepAliveTimeout: keepAliveMsMax,
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
} as const

export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { limits, logger } = parts
  const addressOf = clientAddresses(parts.trustProxy)
  const server = Fastify({
    ...fixedOptions,
    loggerInstance: logger,
    logController: new RequestLog(addressOf),
    bodyLimit: limits.bodyBytesMax,
    trustProxy: parts.trustProxy ?? false,
    frameworkErrors: (error, request, reply) => {
      begin(request, reply, drain)
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
  // Node would answer without a body. A hook refuses it.
  server.server.on('checkExpectation', (request, answer) => server.server.emit('request', request, answer))
  const drain = new Drain(server.server, (count) =>
    logger.warn({ count }, 'The service is stopping. Requests that did not end in time were broken off.'),
  )
  server.decorate('drain', drain)
  server.decorate('listeners', new Listeners(server))
  if (parts.spans !== undefined) traceRequests(server, parts.spans)
  addHooks(server, addresses, parts.tally)
  server.setErrorHandler<FastifyError>((error, request, reply) => sendError(parts, error, request, reply))
  const findSession = remembering(parts.identifySession)
  const { bodyBytesAtOnceMax, lateMsMax } = limits
  const pressure = new Pressure({ requestsAtWorkMax, bodyBytesAtOnceMax, lateMsMax })
  await server.register((operations) => mountOperations(operations, parts, { findSession, pressure, addressOf }))
  mountSignIn(server, findSession, parts)
  await server.register(async (pages) => mountPackageLinks(pages, parts, pressure, addressOf))
  mountSourceAddresses(server, parts, pressure, addressOf)
  await server.register((pages) => mountPages(pages, parts.consoleFolder))
  mountHealth(server, parts)
  addresses.refuseOtherMethods()
  return server
}

function begin(request: FastifyRequest, reply: FastifyReply, drain: Drain): void {
  drain.seen()
  reply.headers(safeHeaders).header('request-id', request.id)
  trackResponse(reply.raw)
}

/** Of every request. Hooks use callbacks: a PUT passes five, and each promise would be a turn. */
function addHooks(server: FastifyInstance, addresses: Addresses, tally: ServerParts['tally']): void {
  const { drain, listeners } = server
  server.addHook('onRequest', (request, reply, done) => {
    begin(request, reply, drain)
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
    tally.ended(request.routeOptions.config.operation ?? noOperation, request.outcome, reply.elapsedTime)
    done()
  })
}

async function mountPages(server: FastifyInstance, consoleFolder: URL): Promise<void> {
  await server.register(helmet, {
    // Pages that need more set their own.
    contentSecurityPolicy: false,
    // TLS ends in front of the service, so the proxy decides.
    strictTransportSecurity: false,
  })
  await mountDocs(server)
  await mountConsole(server, consoleFolder)
  mountDigitalLinks(server)
}

function mountHealth(server: FastifyInstance, { notReady, nodesAway }: ServerParts): void {
  server.get('/health/live', async () => ({ status: 'live' }))
  server.get('/health/ready', async (_request, reply) => {
    const why = server.drain.begun ? 'The service is shutting down.' : await notReady()
    if (why !== undefined) return reply.code(503).send({ status: 'not ready', why })
    const away = nodesAway()
    return { status: 'ready', ...(away.length > 0 && { nodesAway: away }) }
  })
}

async function mountOperations(server: FastifyInstance, parts: ServerParts, doorway: Doorway): Promise<void> {
  const { pressure } = doorway
  server.addHook('onListen', (done) => {
    pressure.watch()
    done()
  })
  server.addHook('onClose', (_server, done) => {
    pressure.endWatch()
    done()
  })
  admitCallers(server, parts, doorway)
  limitRequests(server, parts.limits.requestsPerMinute, parts.countRequest)
  readBodies(server, parts, pressure)
  const largeAnswers = new LargeAnswers({
    atOnceMax: largePagesAtOnceMax,
    ofProviderMax: largePagesOfProviderMax,
    waitMsMax: largePageWaitMsMax,
  })
  const limits = { pressure, largeAnswers, bodyBytesMax: parts.limits.bodyBytesMax }
  for (const operation of catalogue)
    mount(server, operation, parts.handlers[operation.name as OperationName] as AnyHandler, limits)
  mountAssistants(server, doorway.addressOf)
}
