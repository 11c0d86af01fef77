// Why a request is answered with 503, in words: for its sender, and for the log of the operator.
// Each cause has its own text and remedy.

/** A cause for which the service is not to blame, or not alone: it names the work that was lost. */
export type UnavailabilityCause =
  | 'queueFull'
  | 'late'
  | 'tooManyRequests'
  | 'tooManyBodies'
  | 'tooManyAnswers'
  | 'unreachable'
  | 'noConnection'
  | 'notLetIn'
  | 'restarting'
  | 'timedOut'
  | 'locked'
  | 'readOnly'
  | 'diskFull'
  | 'outOfMemory'
  | 'conflict'
  | 'unsettled'
  | 'purgedMeanwhile'

export interface Unavailability {
  readonly is: UnavailabilityCause
  /** Of the error of the database, if it has one. */
  readonly code?: string | undefined
}

interface Words {
  /** The cause, and what the caller can do other than wait. */
  readonly detail: string
  /** The line of the log; undefined where another line reports it, or no action is needed. */
  readonly log?: string
}

const retry = 'Retry after the time in Retry-After.'
const overloaded = 'The service is overloaded. Nothing was done.'
const inDoubt =
  'It is not known whether a write was stored. Send it again: a replacement as it is, a create with the same Idempotency-Key.'

const words: Readonly<Record<UnavailabilityCause, Words>> = {
  queueFull: {
    detail: `Too many requests of this account wait for the database. Nothing was done. Send fewer at once. ${retry}`,
    log: 'Too many requests are waiting for the database. Others were answered with 503.',
  },
  late: {
    detail: `${overloaded} Its process is more than half a second late. ${retry}`,
    log: 'The process is late: it has more to do than one core can. Requests were answered with 503.',
  },
  tooManyRequests: {
    detail: `${overloaded} As many requests as it takes at once are in progress. Send fewer at once. ${retry}`,
    log: 'As many requests as the process takes at once are in progress. Others were answered with 503.',
  },
  tooManyBodies: {
    detail: `${overloaded} Too many large bodies arrive at once. Send large payloads one after another. ${retry}`,
    log: 'Too many large bodies arrive at once. Their requests were answered with 503.',
  },
  tooManyAnswers: {
    detail: `${overloaded} Too many large answers are being sent. Ask for smaller pages, or for fewer at once. ${retry}`,
    log: 'Too many large answers are being sent. Others were answered with 503.',
  },
  // The database's own lines say when it goes away and comes back.
  unreachable: { detail: `The database cannot be reached. ${inDoubt} ${retry}` },
  noConnection: {
    detail: `All connections to the database are in use, or it accepts no more. Send fewer requests at once. ${retry}`,
    log: 'The database gave the service no connection in time. Requests were answered with 503.',
  },
  notLetIn: {
    detail: `The database does not let the service in. Tell the operator: DATABASE_URL, or the user it names, was changed. ${retry}`,
    log: 'The database does not let the service in. Requests are answered with 503.',
  },
  restarting: { detail: `The database is starting, stopping or being restored. ${inDoubt} ${retry}` },
  timedOut: {
    detail: `The database did not finish in 30 seconds and cancelled the work. Nothing was written. Ask for less, such as a shorter period or a smaller page. ${retry}`,
    log: 'The database cancelled a statement after 30 s. Its requests were answered with 503.',
  },
  locked: {
    detail: `Other work in the database holds what the request needs. Nothing was written. ${retry}`,
    log: 'A statement waited too long for a lock. Its requests were answered with 503.',
  },
  readOnly: {
    detail: `The database is read-only: records can be read, and none can be written. Nothing was written. Tell the operator. ${retry}`,
    log: 'The database is read-only. Writes are answered with 503.',
  },
  diskFull: {
    detail: `The disk of the database is full. Nothing was written. Tell the operator. ${retry}`,
    log: 'The disk of the database is full. Writes are answered with 503.',
  },
  outOfMemory: {
    detail: `The database has no memory left for the request. Nothing was written. Ask for less, such as a shorter period. ${retry}`,
    log: 'The database is out of memory. Requests were answered with 503.',
  },
  conflict: {
    detail: `Other requests kept changing the same records. Nothing was written. ${retry}`,
  },
  unsettled: { detail: `Other requests keep changing the record. ${inDoubt} ${retry}` },
  purgedMeanwhile: {
    detail: `Events were purged while the file was being prepared. Request it again. ${retry}`,
  },
}

/** The text for the caller: without the code, which belongs in the log. */
export const detailOf = (is: UnavailabilityCause): string => words[is].detail

/** The log line of a cause; undefined for none. */
export const logLineOf = (is: UnavailabilityCause): string | undefined => words[is].log
