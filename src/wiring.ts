// The one place where the rooms are wired together.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { logDatabaseEvents, throttled } from './database-log.ts'
import type { BackgroundWork } from './handlers/base/background-work.ts'
import type { HandlerContext } from './handlers/base/handler.ts'
import { handlersAt } from './handlers/catalogue.ts'
import { ChangeListeners } from './handlers/changes/change-listeners.ts'
import { checkpointRounds } from './handlers/changes/checkpoint-rounds.ts'
import { noWebhooks, webhookSender } from './handlers/changes/webhook-sender.ts'
import { correctionRounds } from './handlers/corrections/bulk-correction-steps.ts'
import { searchRounds } from './handlers/records/search-index.ts'
import { type CurrentVersion, otherSearchValues } from './handlers/records/search-values.ts'
import { packageOpener, packageSender } from './handlers/sharing/package-links.ts'
import { sharingCopier } from './handlers/sharing/sharing-copier.ts'
import { recountRounds } from './handlers/traceability/recount-rounds.ts'
import { sourceDescriber } from './handlers/traceability/source-addresses.ts'
import { type AlertCounts, alertRounds } from './handlers/vendors/alert-looks.ts'
import type { Caller } from './http/authenticate.ts'
import { type CountRequest, type RequestCount, requestCounts } from './http/request-counts.ts'
import { RequestTally } from './http/request-tally.ts'
import { buildServer } from './http/server.ts'
import type { Admission } from './http/sign-in.ts'
import { logLineOf, type Unavailability } from './http/unavailable.ts'
import { IdentityProvider, type SignedInPerson } from './identity-provider.ts'
import { LargeWork } from './large-work.ts'
import { setLimitsOf } from './limits.ts'
import { mergeReports, type Report } from './metrics/declared.ts'
import { DeliveryTally } from './metrics/delivery-tally.ts'
import { type MetricsAddress, openMetricsAddress } from './metrics/metrics-address.ts'
import { processReport, refreshedEvery, type ServingSources } from './metrics/process-report.ts'
import { workerReports } from './metrics/worker-reports.ts'
import { consoleFolder } from './program-folders.ts'
import { openSigningKey, type Signer } from './signing-key.ts'
import { openSpans, type Spans, spanPackages } from './spans.ts'
import { createFirstKey, identifier, recordKeyUse } from './store/base/api-keys.ts'
import { type OpenDatabase, openDatabase } from './store/database/database.ts'
import { openMigratedDatabase } from './store/database/migrated-database.ts'
import { MonitoredDatabase } from './store/database/monitored-database.ts'
import { findProvider, hasProviders } from './store/database/providers.ts'
import { unreadiness } from './store/database/readiness.ts'
import { countConnections, ServerPool } from './store/database/server-pool.ts'
import { readSizes } from './store/database/sizes.ts'
import type { Queryable } from './store/database/statement.ts'
import { admitPerson } from './store/people/people.ts'
import { beginSession, sessionFinder } from './store/people/sessions.ts'
import { storeOn } from './store/store.ts'
import { unavailabilityOf } from './store/unavailability.ts'
import { countOpenAlerts } from './store/vendors/alerts.ts'
import { resolveKnownHost, resolvePublicHost } from './webhooks/address-guard.ts'
import { delivererOf } from './webhooks/delivery.ts'
import { primaryOfWorker, startWorkers } from './workers.ts'

export interface Running {
  readonly address: string
  readonly databaseName: string
  /** The first key, when this start made it. */
  readonly firstKey: string | undefined
  /** Address of the metrics endpoint, if any. */
  readonly metricsPort: number | undefined
  /** Settles only when the service cannot go on. */
  readonly failed: Promise<{ readonly problem: string }>
  /** Finishes requests in progress, then closes. */
  stop(): Promise<void>
}

/** Name of the provider that the first start of an empty database makes. */
const firstProviderName = 'default'

/**
 * Serves on a database whose schema is up to date, with workers where there are to be several.
 * `opening` is a database that is being opened already. `problem` is one line for the operator.
 */
export async function start(
  config: Config,
  opening = openMigratedDatabase(config),
): Promise<Running | { readonly problem: string }> {
  const opened = await opening
  if ('problem' in opened) return opened
  const { database } = opened
  const signer = openSigningKey(config)
  if ('problem' in signer) {
    await database.close()
    return signer
  }
  const logger = loggerOf(config)
  let gather: () => Promise<Report> = async () => ({})
  // Before the service listens, so a port in use is reported before any request is served.
  const metrics = await listenForMetrics(config, () => gather())
  if (metrics !== undefined && 'problem' in metrics) {
    await database.close()
    return metrics
  }
  const starting =
    config.workers === 1 ? startAlone(database, config, logger, signer) : startTogether(database, config, logger)
  const started = await starting.catch(endingWith(async () => metrics?.close()))
  if ('problem' in started) {
    await metrics?.close()
    return started
  }
  gather = started.gather
  return {
    ...started,
    metricsPort: metrics?.port,
    stop: async () => {
      await started.stop()
      await metrics?.close()
    },
  }
}

/** Ends what was begun when the start fails: a process that listens does not end by itself. */
const endingWith =
  (end: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    await end()
    throw error
  }

type Started = Omit<Running, 'metricsPort'> & { readonly gather: () => Promise<Report> }

async function startAlone(
  database: OpenDatabase,
  config: Config,
  logger: Logger,
  signer: Signer,
): Promise<Started | { readonly problem: string }> {
  const listening = await listen(database, config, { logger, signer, countRequest: requestCounts() })
  if ('problem' in listening) return listening
  return {
    ...listening,
    gather: async () => listening.report(),
    databaseName: database.name,
    firstKey: await firstKeyOn(database).catch(endingWith(listening.stop)),
    failed: new Promise(() => undefined),
  }
}

async function startTogether(
  database: OpenDatabase,
  config: Config,
  logger: Logger,
): Promise<Started | { readonly problem: string }> {
  let replacements = 0
  const workers = await startWorkers(config.workers, {
    answer: requestCounts(),
    onReplaced: ({ worker, by, replacedBy }) => {
      replacements++
      logger.error({ worker, by, replacedBy }, `Worker ${worker} ended by ${by}; worker ${replacedBy} takes its place.`)
    },
  })
  const firstKey = 'problem' in workers ? undefined : await firstKeyOn(database).catch(endingWith(workers.stop))
  await database.close()
  if ('problem' in workers) return workers
  const own = processReport()
  const ofAll = workerReports()
  return {
    ...workers,
    gather: async () =>
      mergeReports([
        own(),
        { lotkeeper_worker_replacements_total: replacements },
        ofAll((await workers.reports()) as ReadonlyMap<number, Report>),
      ]),
    databaseName: `${database.name}, with ${config.workers} workers`,
    firstKey,
  }
}

async function listenForMetrics(
  { metricsHost: host, metricsPort: port }: Config,
  gather: () => Promise<Report>,
): Promise<MetricsAddress | { readonly problem: string } | undefined> {
  if (port === undefined) return undefined
  try {
    return await openMetricsAddress({ host, port }, gather)
  } catch (error) {
    const { code } = error as { code?: string }
    return {
      problem: `The metrics endpoint cannot listen on ${host}:${port} (${code}). Set METRICS_HOST and METRICS_PORT.`,
    }
  }
}

/**
 * In a worker: serves, on the database that the primary brought up to date. `end` is called when
 * the primary says so.
 */
export async function work(config: Config, end: (stop: () => Promise<void>) => void): Promise<void> {
  let stop = async (): Promise<void> => undefined
  let report = (): Report => ({})
  const primary = primaryOfWorker<RequestCount>(
    () => end(stop),
    () => report(),
  )
  const opened = await openDatabase(config)
  if ('heldBy' in opened) throw new Error('The embedded database has no workers.')
  const signer = openSigningKey(config)
  if ('problem' in signer) return primary.tell(signer)
  const listening = await listen(opened, config, { logger: loggerOf(config), signer, countRequest: primary.ask })
  if ('problem' in listening) return primary.tell(listening)
  stop = listening.stop
  report = listening.report
  primary.tell({ address: listening.address })
}

const loggerOf = ({ logLevel }: Config): Logger => pino({ level: logLevel })

/** What a service is given beside its database and its settings. */
interface ServiceParts {
  readonly logger: Logger
  readonly signer: Signer
  readonly countRequest: CountRequest
  readonly due?: HandlerContext['due']
  readonly onCaller?: () => void
}

/** Serves on an open database, which is closed when that ends or cannot be. */
async function listen(
  database: OpenDatabase,
  config: Config,
  { logger, signer, countRequest }: ServiceParts,
): Promise<(Pick<Running, 'address' | 'stop'> & { report(): Report }) | { readonly problem: string }> {
  try {
    // Work is due before it is started: the look at its beginning finds it too.
    let background: StartedWork | undefined
    const { server, sources, context, nodes, spans } = await wireService(database, config, {
      logger,
      signer,
      countRequest,
      due: (name, provider) => background?.works.find((work) => work.name === name)?.due(provider),
      onCaller: () => background?.webhooks?.stir(),
    })
    // A single process says in words where it listens, without a line of JSON beside it. Of
    // workers, the lines name the processes.
    const { level } = server.log
    if (config.workers === 1) server.log.level = 'silent'
    await server.listeners.listen(config.host, config.port)
    server.log.level = level
    background = startWork(context, config, logger)
    nodes.watch()
    const { works, checkpoints, metrics } = background
    return {
      address: addressOf(server, config),
      report: processReport({ ...sources, ...metrics }),
      stop: async () => {
        await server.drain.run()
        await Promise.all([server.close(), ...works.map((work) => work.end())])
        // They take in what the last requests and steps wrote.
        await checkpoints.end()
        await database.close()
        await spans?.end()
      },
    }
  } catch (error) {
    await database.close()
    const problem = listeningProblem((error as { code?: string }).code, config)
    if (problem === undefined) throw error
    return { problem }
  }
}

function listeningProblem(code: string | undefined, { host, port }: Config): string | undefined {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the program that listens there, or set PORT.`
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `Cannot listen on ${host}:${port} (${code}). Set HOST and PORT.`
  return undefined
}

type StartedWork = ReturnType<typeof startWork>

/** Starts the work beside the serving of requests. */
function startWork(context: HandlerContext, config: Config, logger: Logger) {
  const { store, signer, reportDropped } = context
  const isAlone = config.databaseUrl === undefined
  const deliveries = new DeliveryTally()
  const recounts = recountRounds(context, reportDropped, { isAlone })
  const sharing = sharingCopier(context, { isAlone })
  const webhooks =
    config.webhooks === 'on'
      ? webhookSender(context, {
          isAlone,
          pauseSecondsMax: config.webhookRetrySeconds,
          onDelivery: (delivery) => deliveries.add(delivery),
          onFailing: (trouble) => logger.warn(trouble, `Webhook ${trouble.webhook} fails: ${trouble.error}`),
          onDisabled: (trouble) => logger.error(trouble, `Webhook ${trouble.webhook} was disabled: ${trouble.error}`),
        })
      : undefined
  const works: readonly BackgroundWork[] = [
    recounts,
    searchRounds(context, reportDropped),
    correctionRounds(context),
    alertRounds(context, config.checkpointMinutes, (provider, begun) => logAlerts(logger, provider, begun)),
    sharing,
    ...(webhooks === undefined ? [] : [webhooks]),
  ]
  return {
    works,
    webhooks,
    checkpoints: checkpointRounds(store, signer, config.checkpointMinutes * 60_000, reportDropped),
    metrics: {
      recounts: recounts.report,
      deliveries,
      webhooks: webhooks?.report ?? (() => noWebhooks),
      sharing: sharing.report,
      changesBehind: refreshedEvery(async () => webhooks?.readChangesBehind() ?? 0),
    },
  }
}

/**
 * Makes the first key of a database that nobody has used yet. Only once the service listens: a
 * start that fails shows no key, and the next would make none.
 */
const firstKeyOn = async ({ pool }: OpenDatabase): Promise<string | undefined> =>
  (await hasProviders(pool)) ? undefined : createFirstKey(pool, firstProviderName)

/** The server on an open database, without listening. */
export const serverOn = async (
  database: Pick<OpenDatabase, 'pool'>,
  config: Config,
  logger: Logger,
  signer: Signer,
): Promise<FastifyInstance> =>
  (await wireService(database, config, { logger, signer, countRequest: requestCounts() })).server

/** Compares search values in a database with what versions say, for whoever checks it in place. */
export const searchComparison = (db: Queryable, { lotNumberRequiredFrom }: Config) => {
  const context = { store: storeOn(db), settings: { lotNumberRequiredFrom } }
  return (provider: string, versions: readonly CurrentVersion[]) => otherSearchValues(context, provider, versions)
}

/** One line for each look that begins alerts. Most are for the people of a provider, one is not. */
function logAlerts(logger: Logger, provider: string, begun: AlertCounts): void {
  if (begun['alert.checkpointOverdue'] !== undefined) logger.warn({ provider, begun }, 'A checkpoint is overdue.')
  else if (Object.keys(begun).length > 0) logger.info({ provider, begun }, 'Alerts began.')
}

/** Spans that are sent beside requests; without its packages a service goes on, and says so. */
async function spansTo(logger: Logger): Promise<Spans | undefined> {
  const spans = await openSpans(
    throttled((count, fault) => logger.warn({ count, fault }, 'Spans could not be sent to the collector.')),
  )
  if (spans === undefined)
    logger.warn(
      `A collector of spans is set, but the packages of OpenTelemetry are not installed, so none are sent. Run npm install ${spanPackages.join(' ')}, or unset OTEL_EXPORTER_OTLP_ENDPOINT.`,
    )
  return spans
}

/** The server, and where its numbers are. */
async function wireService(
  { pool }: Pick<OpenDatabase, 'pool'>,
  config: Config,
  { logger, signer, countRequest, due = () => undefined, onCaller = () => undefined }: ServiceParts,
): Promise<{
  readonly server: FastifyInstance
  readonly sources: Omit<ServingSources, 'recounts' | 'deliveries' | 'webhooks' | 'changesBehind' | 'sharing'>
  readonly context: HandlerContext
  readonly nodes: MonitoredDatabase['nodes']
  readonly spans: Spans | undefined
}> {
  const spans = config.otelExporterOtlpEndpoint === undefined ? undefined : await spansTo(logger)
  const database = new MonitoredDatabase(pool, logDatabaseEvents(logger), spans)
  const { nodes } = database
  pool.on('connect', (client) => client.on('notice', ({ message = '' }) => nodes.warned(message)))
  if (pool instanceof ServerPool) pool.nodesAway = () => nodes.away
  const store = storeOn(database, due)
  const tally = new RequestTally()
  const noteUse = noteKeyUses(database, logger)
  const { webhookAllowPrivate: allowPrivate } = config
  const limits = setLimitsOf(config)
  const largeWork = new LargeWork()
  const identityProvider = config.identityProvider && new IdentityProvider(config.identityProvider)
  const reportDropped = (what: string) => logger.warn(what)
  const changeListeners = new ChangeListeners(store, signer, reportDropped)
  const context: HandlerContext = {
    store,
    signer,
    reportDropped,
    changeListeners,
    webhooks: delivererOf({ allowPrivate, resolve: allowPrivate ? resolveKnownHost : resolvePublicHost, spans }),
    settings: { lotNumberRequiredFrom: config.lotNumberRequiredFrom },
    identifierBase: config.identifierBase,
    retentionYears: config.retentionYears,
    identityProvider,
    limits,
    runLargeWork: (bodyBytes, work) => largeWork.run(bodyBytes, work, 'continuing'),
    due,
  }
  const server = await buildServer({
    handlers: handlersAt(context),
    identify: identifier(database),
    identifySession: sessionFinder(database),
    identityProvider: identityProvider && {
      provider: identityProvider,
      admit: (person, requestId) => admit(database, identityProvider.settings.provider, person, requestId),
    },
    openPackage: packageOpener(context),
    packageSender: packageSender(context),
    describeSource: sourceDescriber(context),
    noteUse: (caller) => {
      onCaller()
      noteUse(caller)
    },
    unavailabilityOf,
    reportUnavailable: reportUnavailable(logger),
    tally,
    spans,
    notReady: async () => {
      onCaller()
      return unreadiness(database)
    },
    nodesAway: () => nodes.away,
    limits,
    largeWork,
    countRequest,
    trustProxy: config.trustProxy,
    consoleFolder,
    logger,
  })
  // Before the server waits for the requests that are under way: some of them wait for changes.
  server.addHook('preClose', async () => {
    nodes.end()
    await changeListeners.end()
  })
  const sizes = refreshedEvery(() => readSizes(database))
  const openAlerts = refreshedEvery(() => countOpenAlerts(database))
  const sources = {
    operations: tally.operations,
    groups: store.groups,
    database,
    changeListeners,
    connections: () => countConnections(pool),
    sizes,
    openAlerts,
  }
  return { server, sources, context, nodes, spans }
}

/** Records the use of each key once a minute: it costs a statement then, not per request. */
function noteKeyUses(database: MonitoredDatabase, logger: Logger): (caller: Caller) => void {
  const noted = new Map<string, number>()
  return (caller) => {
    const now = performance.now()
    if (now - (noted.get(caller.keyId) ?? Number.NEGATIVE_INFINITY) < 60_000) return
    noted.set(caller.keyId, now)
    recordKeyUse(database, caller).catch(() =>
      logger.warn({ keyId: caller.keyId }, 'The last use of a key was not recorded.'),
    )
  }
}

/** Logs why requests are answered with 503: each cause once, and then some seconds later. */
function reportUnavailable(logger: Logger): (why: Unavailability) => void {
  const reports = new Map<string, (code?: string) => void>()
  return ({ is, code }) => {
    const line = logLineOf(is)
    if (line === undefined) return
    const report = reports.get(is) ?? throttled((count, code) => logger.error({ count, cause: is, code }, line))
    reports.set(is, report)
    report(code)
  }
}

/** Begins a session of a person who signed in with the identity provider. */
async function admit(
  db: MonitoredDatabase,
  providerName: string,
  { idToken, ...person }: SignedInPerson,
  requestId: string,
): Promise<Admission> {
  const provider = await findProvider(db, providerName)
  if (provider === undefined) return 'noProvider'
  const admitted = await admitPerson(db, provider, person, requestId)
  return typeof admitted === 'string' ? admitted : beginSession(db, { provider, keyId: admitted.keyId }, false, idToken)
}

function addressOf(server: FastifyInstance, { host }: Config): string {
  const { port } = server.server.address() as AddressInfo
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
