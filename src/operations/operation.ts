// What an operation is: one thing the API can be asked, declared once. Route, OpenAPI, reference
// page and tests are read off it.
import type { TSchema } from 'typebox'
import type { RecordKind } from '../contract/record-kinds.ts'
import type { Role } from '../contract/role.ts'
import type { QueryParameter } from './query.ts'

/** One way an operation can end. */
export interface Outcome {
  readonly status: number
  /** When it ends so, as one sentence. */
  readonly when: string
  /** Shape of the success body; absent for a problem document, and for an answer without body. */
  readonly body?: TSchema
  /** Media type of that body, where it is a special kind of JSON. */
  readonly bodyType?: string
  /** Headers that every answer of this kind carries, because a standard says so. */
  readonly headers?: Readonly<Record<string, string>>
  /** Media types a success can have instead of JSON, each with what it is in that form. */
  readonly media?: Readonly<Record<string, string>>
  /**
   * Whether sending the same request again can help: never, after the sender changed something, or
   * later as it is.
   */
  readonly retry: 'never' | 'changed' | 'later'
}

export type Outcomes = Readonly<Record<string, Outcome>>

/** Request headers an operation reads, besides the credential. */
export type RequestHeader = 'If-Match' | 'If-None-Match' | 'Prefer' | 'Idempotency-Key' | 'Last-Event-ID'

export interface Operation<O extends Outcomes = Outcomes> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `{id}`, `{version}` and `{lotCode}` where they go. */
  readonly path: string
  readonly cites: string
  readonly summary: string
  readonly description: string
  /** The least a key must be allowed to do. */
  readonly role: Role
  /** What it is about, as a heading. */
  readonly topic: string
  /** The kind of record it makes, keeps or reads. */
  readonly record?: RecordKind
  readonly query: Readonly<Record<string, QueryParameter>>
  readonly headers: readonly RequestHeader[]
  /** Shape of the request body, for operations that take one. */
  readonly body?: TSchema
  /**
   * Which of its files the access log has an entry of (decision 0039): every one, or those that
   * come with a name to be saved under.
   */
  readonly recorded?: 'everyFile' | 'savedFiles'
  /**
   * True where it may wait for something to happen, or send it as a stream of events: it has a
   * bound of its own, and does not count as a request at work.
   */
  readonly waits?: true
  /** Its body holds, as text, what came as bodies: it may be so many times as large. */
  readonly bodyFactor?: number
  /** In order of precedence: the first that applies is the answer. */
  readonly outcomes: O
}

/** Ends that any operation can have before or after its own work. Source: decision 0002. */
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
  unavailable: {
    status: 503,
    when: 'The service is overloaded, or its database cannot be reached or cannot write.',
    retry: 'later',
  },
} as const satisfies Outcomes

/** Ends that any operation with a request body can have. */
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
 * Ends that an operation without a version of its own can have when it changes something: its
 * address is there, and has no tag.
 */
export const conditionOutcomes = {
  conditionFailed: {
    status: 412,
    when: 'If-Match names a tag, or If-None-Match is `*`: neither can hold at this address.',
    retry: 'changed',
  },
} as const satisfies Outcomes

export type CommonOutcome = keyof typeof commonOutcomes | keyof typeof bodyOutcomes

/**
 * Every outcome an operation can have, its own ones last: authentication comes before the body, the
 * body before the work.
 */
export const outcomesOf = (operation: Operation): Outcomes => ({
  ...commonOutcomes,
  ...(operation.body && bodyOutcomes),
  ...(changesWithoutTag(operation) && conditionOutcomes),
  ...operation.outcomes,
})

/**
 * True of an operation that changes something, and reads no version of it from If-Match. Source:
 * RFC 9110, 13.1.
 */
export const changesWithoutTag = ({ method, headers }: Operation): boolean =>
  method !== 'GET' && !headers.includes('If-Match')
