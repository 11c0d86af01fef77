// Why a database cannot be opened, and the remedy for the operator.
import { codeOf, connectionTimedOut } from './database-errors.ts'
import { type DatabasePlace, serverAddress } from './database-place.ts'

/** Both in whole sentences. Neither contains the password of the address. */
export interface OpeningProblem {
  readonly found: string
  readonly remedy: string
}

interface Cause {
  /** SQLSTATE, or code of the system or of Node. */
  readonly codes?: readonly string[]
  /** Words of the driver or server, where the code says too little or is missing. */
  readonly words?: RegExp
  readonly remedy: string
  /** Replaces these words, which mislead. */
  readonly found?: string
}

export const readOnlyRemedy =
  'Set DATABASE_URL to the primary server. If it is the primary, reset default_transaction_read_only of the database and of the role.'

const namesCertificate =
  'Name the certificate of its authority: DATABASE_URL=postgres://…?sslmode=verify-full&sslrootcert=/path/to/ca.pem'

/** The first that fits counts. */
const causes: readonly Cause[] = [
  {
    codes: ['ERR_INVALID_URL'],
    found: 'this is not an address.',
    remedy:
      'Write postgres://user:password@host:5432/database. Percent-encode the characters / ? # @ : and % of the password, such as %23 for #.',
  },
  {
    words: /client password must be a (?:non-empty )?string/,
    found: 'it asks for a password, and DATABASE_URL has none.',
    remedy: 'Write it as postgres://user:password@host:5432/database, percent-encoded.',
  },
  {
    words: /, open '|PEM routines|^EISDIR/,
    remedy: 'Correct sslrootcert, sslcert or sslkey in DATABASE_URL: each names a PEM file that this user can read.',
  },
  {
    words: /does not support SSL/,
    remedy: 'Turn TLS on in PostgreSQL (ssl = on), or take sslmode out of DATABASE_URL where the network is trusted.',
  },
  {
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_UNTRUSTED',
    ],
    remedy: namesCertificate,
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    remedy: 'Set the host of DATABASE_URL to a name that the certificate of PostgreSQL contains.',
  },
  { codes: ['CERT_HAS_EXPIRED'], remedy: 'Renew the certificate of PostgreSQL.' },
  {
    codes: ['CERT_NOT_YET_VALID'],
    remedy: 'Synchronize the clocks of this machine and of PostgreSQL, or replace its certificate.',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    remedy: 'Correct the host of DATABASE_URL, or the name resolution of this machine.',
  },
  {
    codes: ['ECONNREFUSED', 'ENOENT'],
    remedy: 'Start PostgreSQL there, or correct host and port of DATABASE_URL.',
  },
  { codes: ['EACCES'], remedy: 'Let this user reach the socket of PostgreSQL that DATABASE_URL names.' },
  {
    codes: ['28P01'],
    remedy:
      'Correct user and password of DATABASE_URL. Percent-encode characters of the password that are not letters or digits.',
  },
  {
    codes: ['28000'],
    words: /does not exist|is not permitted to log in/,
    remedy: 'Create the role in PostgreSQL (CREATE ROLE … LOGIN PASSWORD …), or correct the user of DATABASE_URL.',
  },
  {
    codes: ['28000'],
    remedy:
      'Allow the user, the database and this machine in pg_hba.conf of PostgreSQL. Where it demands TLS, add ?sslmode=verify-full to DATABASE_URL.',
  },
  {
    codes: ['3D000'],
    remedy: 'Create it (CREATE DATABASE … OWNER …), or correct the name at the end of DATABASE_URL.',
  },
  {
    codes: ['42501'],
    remedy: 'Make the user of DATABASE_URL the owner of the database: ALTER DATABASE … OWNER TO …',
  },
  {
    codes: ['25006'],
    remedy: readOnlyRemedy,
  },
  {
    codes: ['53300'],
    remedy:
      'Raise the connection limit of the role or max_connections of PostgreSQL, or set WORKERS to fewer: each uses up to 10 connections.',
  },
  { codes: ['53100'], remedy: 'Free some space on the disk of PostgreSQL.' },
  { codes: ['57P03', '57P01'], remedy: 'PostgreSQL is starting or stopping. Try again when it is ready.' },
  {
    // The statement was prepared on another connection to the server, or there already.
    codes: ['26000', '42P05'],
    found: 'the pooler in front of it loses prepared statements.',
    remedy:
      'Set max_prepared_statements of PgBouncer (1.21 or later) to 1000, or its pool_mode to session, or set DATABASE_URL to PostgreSQL itself.',
  },
  {
    codes: ['08P01'],
    words: /unsupported startup parameter/,
    remedy:
      'The pooler in front of PostgreSQL does not take it. Take it out of DATABASE_URL, or add it to ignore_startup_parameters of PgBouncer.',
  },
  { codes: ['42704', '22023'], remedy: 'Correct options in DATABASE_URL.' },
  {
    words: /Connection terminated unexpectedly|^Received unexpected|read ECONNRESET/,
    found: 'the connection was closed before PostgreSQL answered.',
    remedy:
      'Check that PostgreSQL, and no other program, listens at host and port of DATABASE_URL, and whether it demands TLS (?sslmode=verify-full).',
  },
]

const unreachable: Cause = {
  found: 'it does not answer.',
  remedy:
    'Correct host and port of DATABASE_URL, let this machine through the firewall, or see whether PostgreSQL is overloaded.',
}

/** The problem behind an error of opening a database. */
export function openingProblem(error: unknown, { databaseUrl, dataDir }: DatabasePlace): OpeningProblem {
  const words = error instanceof Error && error.message !== '' ? error.message : (codeOf(error) ?? 'no cause given')
  if (databaseUrl === undefined)
    return {
      found: asSentence(`The database in ${dataDir} cannot be opened: ${words}`),
      remedy: 'Check the folder, its owner, its permissions and the space on its disk, or set DATA_DIR.',
    }
  const cause = causeOf(error, words)
  // The program's own messages about an address contain the remedy.
  const otherRemedy = words.includes('DATABASE_URL') ? '' : 'Check DATABASE_URL, and the log of PostgreSQL.'
  return {
    found: asSentence(`The database at ${serverAddress(databaseUrl)} cannot be opened: ${cause?.found ?? words}`),
    remedy: cause?.remedy ?? otherRemedy,
  }
}

function causeOf(error: unknown, words: string): Cause | undefined {
  if (connectionTimedOut(error) || ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(codeOf(error) ?? ''))
    return unreachable
  const code = codeOf(error)
  return causes.find(
    (cause) =>
      (cause.codes === undefined || (code !== undefined && cause.codes.includes(code))) &&
      (cause.words === undefined || cause.words.test(words)),
  )
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Another process has the folder of the embedded database open. */
export const folderInUse = (dataDir: string, heldBy: string): OpeningProblem => ({
  found: `The folder ${dataDir} is in use by ${heldBy}.`,
  remedy: 'Stop that process, or set DATA_DIR to another folder.',
})

/** In one line, for a command that ends with it. */
export const inOneLine = ({ found, remedy }: OpeningProblem): string => (remedy === '' ? found : `${found} ${remedy}`)
