// The settings of the operator, read from the environment once. A bad value stops the start with
// one clear line.
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { lotNumberRequiredFromDefault } from './contract/product-line.ts'
import { ownRoles, type Role } from './contract/role.ts'
import { isCalendarDate } from './contract/shape/date-and-time.ts'

export interface Config {
  readonly host: string
  readonly port: number
  /** Connection address of a PostgreSQL server; absent for the embedded database. */
  readonly databaseUrl: string | undefined
  /** Folder of the embedded database. */
  readonly dataDir: string
  /** Processes that serve; one on the embedded database. */
  readonly workers: number
  readonly logLevel: string
  readonly bodyLimitBytes: number
  /** `yyyy-MM-dd`; see decisions 0008 and 0020. */
  readonly lotNumberRequiredFrom: string
  /**
   * Address below which EPCIS exports name objects without a GS1 key, without a slash at its end;
   * see decision 0032.
   */
  readonly identifierBase: string
  /** At least 2: §8 keeps records for two years. */
  readonly retentionYears: number
  /** Requests a key may send in a minute; 0 for no limit. */
  readonly rateLimitPerMinute: number
  /**
   * File with the private key that signs checkpoints; without it one is made in the folder of the
   * data.
   */
  readonly signingKeyFile: string | undefined
  /** Longest a version waits for its checkpoint while the service runs. */
  readonly checkpointMinutes: number
  /** Where metrics are read; nowhere without a port. */
  readonly metricsHost: string
  readonly metricsPort: number | undefined
  /** Requests without a valid key that an address may send in a minute; 0 for no limit. */
  readonly failedSignInsPerMinute: number
  /** Trusted proxies, comma separated; none by default. */
  readonly trustProxy: string | undefined
  /** Where people sign in with their account of the organisation; undefined: with keys only. */
  readonly identityProvider: IdentityProviderSettings | undefined
  /** Whether this service sends the messages of webhooks; off for a copy of a database. */
  readonly webhooks: 'on' | 'off'
  /** Whether webhooks may be sent to private networks and to this machine. */
  readonly webhookAllowPrivate: boolean
  /** Longest pause between two attempts to send a message. */
  readonly webhookRetrySeconds: number
  /** The collector of spans, if any; the packages of OpenTelemetry read their other variables. */
  readonly otelExporterOtlpEndpoint: string | undefined
}

/** The identity provider of an organisation; see decision 0062. */
export interface IdentityProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  /** As the page for signing in names it. */
  readonly name: string
  readonly scope: string
  /** The claim whose values give roles, and the role of each value. */
  readonly roleClaim: string | undefined
  readonly roles: ReadonlyMap<string, Role>
  /** Name of the data provider that its people belong to. */
  readonly provider: string
  /** Whether an address is trusted that the identity provider does not call verified. */
  readonly trustEmails: boolean
  /** Address at which browsers reach the service, without a slash at its end. */
  readonly publicUrl: string
}

const isRole = (text: string): text is Role => ownRoles.some((role) => role === text)

/** An address of TLS; without it only on this machine, for trying things out. */
const isSafeAddress = (text: string): boolean =>
  URL.canParse(text) && (/^https:\/\//.test(text) || /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/|$)/.test(text))

const oidcVariables = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_SCOPE',
  'OIDC_ROLE_CLAIM',
  'OIDC_ROLES',
  'OIDC_PROVIDER',
  'OIDC_TRUST_EMAILS',
] as const

/** The variables of the identity provider, and their mistakes. */
function readIdentityProvider(
  text: (name: string) => string | undefined,
  problems: string[],
): IdentityProviderSettings | undefined {
  const issuer = text('OIDC_ISSUER')
  const publicUrl = text('PUBLIC_URL')?.replace(/\/$/, '')
  if (publicUrl !== undefined && !(isSafeAddress(publicUrl) && new URL(publicUrl).origin === publicUrl))
    problems.push(
      `PUBLIC_URL is ${JSON.stringify(publicUrl)}. It must be an address such as https://lots.example.com, without a path.`,
    )
  if (issuer === undefined) {
    const others = oidcVariables.filter((name) => text(name) !== undefined)
    if (others.length > 0) problems.push(`${others.join(', ')} need OIDC_ISSUER, the address of the identity provider.`)
    return undefined
  }
  if (!isSafeAddress(issuer))
    problems.push(`OIDC_ISSUER is ${JSON.stringify(issuer)}. It must be an address such as https://login.example.com.`)
  const clientId = text('OIDC_CLIENT_ID')
  if (clientId === undefined)
    problems.push('OIDC_ISSUER needs OIDC_CLIENT_ID, which the identity provider gives to this service.')
  if (publicUrl === undefined)
    problems.push('OIDC_ISSUER needs PUBLIC_URL, the address at which browsers reach this service.')
  if (publicUrl?.startsWith('https:') && text('TRUST_PROXY') === undefined)
    problems.push('PUBLIC_URL begins with https, so a proxy ends TLS. Set TRUST_PROXY to its address.')
  const trustEmails = text('OIDC_TRUST_EMAILS') ?? 'false'
  if (!['true', 'false'].includes(trustEmails))
    problems.push(`OIDC_TRUST_EMAILS is ${JSON.stringify(trustEmails)}. It must be true or false.`)
  const roleClaim = text('OIDC_ROLE_CLAIM')
  const pairs = text('OIDC_ROLES')?.split(',') ?? []
  if ((roleClaim === undefined) !== (pairs.length === 0))
    problems.push('OIDC_ROLE_CLAIM and OIDC_ROLES need each other: a claim, and the role of each of its values.')
  const ofValues = new Map<string, Role>()
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=')
    const [value, role] = [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
    if (value !== '' && isRole(role)) ofValues.set(value, role)
    else
      problems.push(
        `OIDC_ROLES contains ${JSON.stringify(pair)}. It must be values and roles such as lot-admins=administrator,lot-team=writer.`,
      )
  }
  return {
    issuer,
    clientId: clientId ?? '',
    clientSecret: text('OIDC_CLIENT_SECRET'),
    name: text('OIDC_NAME') ?? (URL.canParse(issuer) ? new URL(issuer).host : issuer),
    scope: text('OIDC_SCOPE') ?? 'openid profile email',
    roleClaim,
    roles: ofValues,
    provider: text('OIDC_PROVIDER') ?? 'default',
    trustEmails: trustEmails === 'true',
    publicUrl: publicUrl ?? '',
  }
}

/** The address of the collector of spans; undefined when there is none, or they are turned off. */
function readCollector(text: (name: string) => string | undefined, problems: string[]): string | undefined {
  const addresses = {
    OTEL_EXPORTER_OTLP_ENDPOINT: text('OTEL_EXPORTER_OTLP_ENDPOINT'),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
  }
  const protocols = {
    OTEL_EXPORTER_OTLP_PROTOCOL: text('OTEL_EXPORTER_OTLP_PROTOCOL'),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: text('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'),
  }
  const isOff = text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || text('OTEL_TRACES_EXPORTER') === 'none'
  if (isOff) return undefined
  for (const [name, address] of Object.entries(addresses))
    if (address !== undefined && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
      problems.push(`${name} is ${JSON.stringify(address)}. It must be an address such as http://127.0.0.1:4318.`)
  for (const [name, protocol] of Object.entries(protocols))
    if (protocol === 'grpc' && Object.values(addresses).some((address) => address !== undefined))
      problems.push(`${name} is "grpc". Spans are sent by HTTP: unset it, and name the port of the collector for HTTP.`)
  return addresses.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? addresses.OTEL_EXPORTER_OTLP_ENDPOINT
}

/** An address, or an address and the length of its network part. */
function isProxyAddress(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/')
  const version = isIP(address)
  // A zone belongs to one machine, and no proxy is named by it.
  return (
    version !== 0 &&
    !address.includes('%') &&
    more.length === 0 &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) <= (version === 4 ? 32 : 128)
  )
}

/**
 * An https address that stays as it is when a program reads it, in characters that every part of a
 * URI takes.
 */
const isIdentifierBase = (text: string): boolean =>
  /^https:\/\/[a-z0-9.-]+(:\d+)?(\/[A-Za-z0-9._~-]+)*$/.test(text) &&
  URL.canParse(text) &&
  new URL(text).href.replace(/\/$/, '') === text

const workersMax = 64

/**
 * Three quarters of the cores: beside three busy workers PostgreSQL on the same machine needs about
 * one core. On two cores, two workers store a tenth to a third fewer replacements a second than one
 * (decision 0026).
 */
export const workersOn = (cores: number): number => Math.min(Math.max(Math.floor((cores * 3) / 4), 1), workersMax)

/** Of a redirect service that gives names away for good (w3id.org). */
const identifierBaseDefault = 'https://w3id.org/lotkeeper'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the configuration, or names the wrong variable and its possible values. */
export function readConfig(env: NodeJS.ProcessEnv): Config | { readonly problem: string } {
  const problems: string[] = []
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max)
      problems.push(`${name} is ${JSON.stringify(text)}. It must be a whole number from ${min} to ${max}.`)
    return value
  }
  const text = (name: string): string | undefined => env[name] || undefined
  const choice = <const V extends string>(name: string, fallback: V, other: V): V => {
    const value = text(name) ?? fallback
    if (value !== fallback && value !== other)
      problems.push(`${name} is ${JSON.stringify(value)}. It must be ${fallback} or ${other}.`)
    return value === other ? other : fallback
  }

  const databaseUrl = text('DATABASE_URL')
  const workersDefault = databaseUrl === undefined ? 1 : workersOn(availableParallelism())

  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: whole('PORT', 3000, 0, 65_535),
    databaseUrl,
    dataDir: text('DATA_DIR') ?? './data',
    workers: whole('WORKERS', workersDefault, 1, workersMax),
    logLevel: text('LOG_LEVEL') ?? 'info',
    bodyLimitBytes: whole('BODY_LIMIT_BYTES', 10 * 1024 * 1024, 1024, 100 * 1024 * 1024),
    lotNumberRequiredFrom: text('LOT_NUMBER_REQUIRED_FROM') ?? lotNumberRequiredFromDefault,
    identifierBase: (text('IDENTIFIER_BASE') ?? identifierBaseDefault).replace(/\/$/, ''),
    retentionYears: whole('RETENTION_YEARS', 2, 2, 100),
    rateLimitPerMinute: whole('RATE_LIMIT_PER_MINUTE', 0, 0, 10_000_000),
    signingKeyFile: text('SIGNING_KEY_FILE'),
    checkpointMinutes: whole('CHECKPOINT_MINUTES', 5, 1, 1_440),
    metricsHost: text('METRICS_HOST') ?? '127.0.0.1',
    metricsPort: text('METRICS_PORT') === undefined ? undefined : whole('METRICS_PORT', 0, 0, 65_535),
    failedSignInsPerMinute: whole('FAILED_SIGN_INS_PER_MINUTE', 100, 0, 10_000_000),
    trustProxy: text('TRUST_PROXY'),
    identityProvider: readIdentityProvider(text, problems),
    webhooks: choice('WEBHOOKS', 'on', 'off'),
    webhookAllowPrivate: choice('WEBHOOK_ALLOW_PRIVATE', 'false', 'true') === 'true',
    webhookRetrySeconds: whole('WEBHOOK_RETRY_SECONDS', 86_400, 1, 86_400),
    otelExporterOtlpEndpoint: readCollector(text, problems),
  }
  if (!logLevels.includes(config.logLevel))
    problems.push(`LOG_LEVEL is ${JSON.stringify(config.logLevel)}. It must be one of ${logLevels.join(', ')}.`)
  if (!isCalendarDate(config.lotNumberRequiredFrom))
    problems.push(
      `LOT_NUMBER_REQUIRED_FROM is ${JSON.stringify(config.lotNumberRequiredFrom)}. It must be a date, yyyy-MM-dd.`,
    )
  if (!isIdentifierBase(config.identifierBase))
    problems.push(
      `IDENTIFIER_BASE is ${JSON.stringify(config.identifierBase)}. It must be an address such as https://trace.example.com/id, without query and fragment.`,
    )
  const strange = config.trustProxy?.split(',').find((address) => !isProxyAddress(address.trim()))
  if (strange !== undefined)
    problems.push(
      `TRUST_PROXY contains ${JSON.stringify(strange)}. It must be addresses such as 10.0.0.7 or 10.0.0.0/8, comma separated.`,
    )
  if (config.databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(config.databaseUrl))
    problems.push('DATABASE_URL must begin with postgres:// or postgresql://.')
  if (databaseUrl === undefined && config.workers > 1)
    problems.push(
      `WORKERS is "${config.workers}", but only one process can use the embedded database. Set DATABASE_URL, or unset WORKERS.`,
    )
  return problems.length > 0 ? { problem: problems.join(' ') } : config
}
