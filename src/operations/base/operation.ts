// The declaration of an operation of the API. Route, OpenAPI, reference page and tests are derived
// from it.
import type { TSchema } from 'typebox'
import type { RecordKind } from '../../contract/record-kinds.ts'
import { mayAs, type Role } from '../../contract/role.ts'
import type { DocumentEncoding } from '../../contract/text/document-text.ts'
import type { QueryParameter } from './query.ts'

/** One way an operation can end. */
export interface Outcome {
  readonly status: number
  /** When this outcome occurs, as one sentence. */
  readonly when: string
  /** Shape of the success body; absent for a problem document, and for an answer without body. */
  readonly body?: TSchema
  /** Media type of that body, when it is not plain JSON. */
  readonly bodyType?: string
  /** Headers that a standard requires on every answer of this kind. */
  readonly headers?: Readonly<Record<string, string>>
  /** Media types of a success other than JSON, with a description of each. */
  readonly media?: Readonly<Record<string, string>>
  /**
   * Whether sending the request again can help: never, after the sender has changed it, or
   * unchanged at a later time.
   */
  readonly retry: 'never' | 'changed' | 'later'
}

export type Outcomes = Readonly<Record<string, Outcome>>

/** Request headers an operation reads, besides the credential. */
export type RequestHeader =
  | 'If-Match'
  | 'If-None-Match'
  | 'Prefer'
  | 'Idempotency-Key'
  | 'Last-Event-ID'
  | 'Change-Reason'

export interface Operation<O extends Outcomes = Outcomes> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path, with `{id}`, `{version}` and `{lotCode}` as placeholders. */
  readonly path: string
  readonly cites: string
  readonly summary: string
  readonly description: string
  /** The lowest role that may call it. */
  readonly role: Role
  /** The group it belongs to in documents. */
  readonly topic: string
  /** The kind of record it creates, replaces or reads. */
  readonly record?: RecordKind
  readonly query: Readonly<Record<string, QueryParameter>>
  readonly headers: readonly RequestHeader[]
  /**
   * `content`: the answer shows more than its version counts, such as names and states, so its ETag
   * has both. A write compares the version alone.
   */
  readonly tag?: 'content'
  /** Shape of the request body, for operations that take one. */
  readonly body?: TSchema
  /**
   * Which of its files get an entry in the access log (decision 0039): every one, or those that are
   * sent with a file name.
   */
  readonly recorded?: 'everyFile' | 'savedFiles'
  /**
   * True when it can wait for something to happen, or sends events as a stream. It has a limit of
   * its own, and does not count as a request in progress.
   */
  readonly waits?: true
  /** Media types of its body, besides JSON. */
  readonly bodyTypes?: readonly string[]
  /**
   * Field of the body that a file fills which is sent as it is, in one of those media types instead
   * of inside JSON. Types that are JSON themselves are read as JSON.
   */
  readonly fileField?: string
  /** Encoding of files that are not UTF-8; the answer says that they were read so. */
  readonly otherEncoding?: DocumentEncoding
  /** Limit of its body, as a multiple of the usual one, because it holds other bodies as text. */
  readonly bodyFactor?: number
  /** In order of precedence: the answer is the first that applies. */
  readonly outcomes: O
}

/** True for JSON and its forms, such as JSON-LD. */
export const isJsonType = (mediaType: string): boolean =>
  mediaType === 'application/json' || mediaType.endsWith('+json')

/** Outcomes that any operation can have before or after its own work. Source: decision 0002. */
export const commonOutcomes = {
  notAuthenticated: {
    status: 401,
    when: 'No key was sent, or the key is not valid now.',
    retry: 'changed',
  },
  foreignPage: {
    status: 403,
    when: 'The request carries the cookie of a session, but no page of this service sent it.',
    retry: 'changed',
  },
  notAllowed: { status: 403, when: 'The operation is not for keys of this role.', retry: 'changed' },
  tooManyRequests: {
    status: 429,
    when: 'The key sent more requests than allowed per minute, or too many requests without a valid key came from the address.',
    retry: 'later',
  },
  badQuery: {
    status: 400,
    when: 'A query parameter is unknown, missing, repeated or invalid, or a header cannot be parsed.',
    retry: 'changed',
  },
  failed: {
    status: 500,
    when: 'The service failed. The answer contains only the id of the request.',
    retry: 'later',
  },
  damaged: {
    status: 500,
    when: 'A version that the answer needs is missing in the database, or is not the one that its record names. The answer names record and version.',
    retry: 'never',
  },
  unavailable: {
    status: 503,
    when: 'The service is overloaded, or its database cannot be reached or cannot write.',
    retry: 'later',
  },
} as const satisfies Outcomes

/** Outcomes that any operation for partners can have. Source: decision 0077. */
export const sharingOutcomes = {
  sharingIsUpdated: {
    status: 503,
    when: 'What is shared with the partner is being updated: what is no longer shared is withdrawn first.',
    retry: 'later',
  },
} as const satisfies Outcomes

/** Outcomes that any operation with a request body can have. */
export const bodyOutcomes = {
  tooLarge: {
    status: 413,
    when: 'The body, or its stored form, is larger than the service accepts.',
    retry: 'changed',
  },
  wrongMediaType: {
    status: 415,
    when: 'The body is not `application/json` in UTF-8, plain or in gzip.',
    retry: 'changed',
  },
  malformed: {
    status: 400,
    when: 'The body is not one JSON object, has two equal names in one object, or more names, objects, list entries or levels than a payload can have.',
    retry: 'changed',
  },
} as const satisfies Outcomes

/**
 * Outcomes of a change to something that exists and has no ETag, so that a condition cannot hold.
 */
export const conditionOutcomes = {
  conditionFailed: {
    status: 412,
    when: 'If-Match names a tag, or If-None-Match is `*`: neither can hold at this address.',
    retry: 'changed',
  },
} as const satisfies Outcomes

export type CommonOutcome = keyof typeof commonOutcomes | keyof typeof bodyOutcomes

/** Headers and outcome of a write that may name the version it follows. Source: decision 0013. */
export const conditionHeaders = ['If-Match', 'If-None-Match'] as const
export const staleEdit = {
  status: 412,
  when: 'If-Match does not name the current version, or If-None-Match names it. Nothing is changed.',
  retry: 'changed',
} as const satisfies Outcome

/** A read whose ETag is that of a version and of all that the answer shows. */
export const taggedRead = { tag: 'content', headers: ['If-None-Match'] } as const
export const unmodified = {
  status: 304,
  when: 'The answer is the one that If-None-Match names. There is no body.',
  retry: 'never',
} as const satisfies Outcome

/**
 * Every outcome of an operation in order of precedence, its own ones last: authentication comes
 * before the body, and the body before the work.
 */
export const outcomesOf = (operation: Operation): Outcomes => ({
  ...commonOutcomes,
  ...(mayAs('partner', operation.role) && sharingOutcomes),
  ...(operation.body && bodyOutcomes),
  ...(changesWithoutTag(operation) && conditionOutcomes),
  ...operation.outcomes,
})

/**
 * True for an operation that changes something without a version for If-Match. Source: RFC 9110,
 * 13.1.
 */
export const changesWithoutTag = ({ method, headers }: Operation): boolean =>
  method !== 'GET' && !headers.includes('If-Match')
