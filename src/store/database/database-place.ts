// Where the database is.

/** The place of a database: an address, or a folder. */
export interface DatabasePlace {
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** Processes that share the connections; 1 when not said. */
  readonly workers?: number
}

/** Host and port for people, without user and password. */
export const serverAddress = (databaseUrl: string): string =>
  URL.canParse(databaseUrl) ? new URL(databaseUrl).host || 'a local socket' : 'DATABASE_URL'
