// What the operator sets, read from the environment once. A bad value stops the start with one
// clear line.
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { isCalendarDate } from './contract/date-and-time.ts'
import { lotNumberRequiredFromDefault } from './contract/product-line.ts'

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
   * Address below which EPCIS exports name what has no GS1 key, without a slash at its end; see
   * decision 0032.
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
  /**
   * Addresses of proxies whose forwarding headers are believed, comma separated; none by default.
   */
  readonly trustProxy: string | undefined
}

/** An address, or an address and the length of its network part. */
function isProxyAddress(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/')
  const version = isIP(address)
  return version !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
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

/** Of a redirect service that gives names away for good (w3id.org). */
const identifierBaseDefault = 'https://w3id.org/lotkeeper'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the configuration, or says which variable is wrong and what it may be. */
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

  const databaseUrl = text('DATABASE_URL')
  const workersDefault = databaseUrl === undefined ? 1 : Math.min(availableParallelism(), workersMax)

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
