// Ends a connection to a server that vanished: it answers no statement, and enforces no limit.
//
// pg's own limit, `query_timeout`, assigns a closure to each query. V8 lets go of such a closure,
// and with it of all rows of the query, at full collections only: three quarters of what queries
// allocated outlived the collections of young objects.
import pg from 'pg'

const lookMs = 1_000

/** A statement that may take longer than others. */
export interface PatientQuery {
  readonly isPatient?: boolean
}

/**
 * The class of clients whose connection is cut when the server has not answered a statement for so
 * many milliseconds as it may take just then. The statement then fails with ETIMEDOUT.
 */
export const watchedClient = (silentMsMaxOf: (client: pg.Client) => number): typeof pg.Client =>
  class extends pg.Client {
    #askedAt: number | undefined

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.on('drain', () => {
        this.#askedAt = undefined
      })
      const timer = setInterval(() => this.#look(), lookMs).unref()
      this.once('end', () => clearInterval(timer))
    }

    override query(...asked: never[]): never {
      const [query] = asked as readonly PatientQuery[]
      this.#askedAt = query?.isPatient ? undefined : performance.now()
      return super.query(...(asked as unknown as [string])) as never
    }

    #look(): void {
      const silentMsMax = silentMsMaxOf(this)
      if (this.#askedAt === undefined || performance.now() - this.#askedAt <= silentMsMax) return
      this.#askedAt = undefined
      const text = `The database has not answered for ${silentMsMax} ms.`
      this.connection.stream.destroy(Object.assign(new Error(text), { code: 'ETIMEDOUT' }))
    }
  }
