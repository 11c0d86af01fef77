// The types of the client, read off the declarations of the operations: what a call takes, and what it answers with.
import type { Static, TSchema } from 'typebox'
import type { operations } from '../operations/catalogue.ts'

export type Operations = typeof operations

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

type QueryValue<P> = P extends { readonly many: true } ? string | readonly string[] : OneValue<P>

type OneValue<P> = P extends { readonly form: 'boolean' }
  ? boolean
  : P extends { readonly form: 'limit' }
    ? number
    : P extends { readonly values: readonly (infer Value)[] }
      ? Value
      : string

/** What the request headers of an operation are called here. */
interface HeaderOptions {
  'If-Match': {
    /** Replace only this version of the record: `version` of the answer that was read. */
    readonly ifMatch?: number
  }
  'If-None-Match': {
    /** Of a read the version at hand: when it is still the current one, the answer has no body. Of a replacement a version it is not to replace. */
    readonly ifNoneMatch?: number
  }
  Prefer: {
    /** Warnings refuse this payload as errors do. */
    readonly strict?: boolean
    /** The answer also holds findings and changes. */
    readonly representation?: boolean
  }
  'Idempotency-Key': {
    /** Makes a retry return the first answer. The client makes one for each create that brings none. */
    readonly idempotencyKey?: string
  }
}

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Everything one call takes: parts of the path, parameters of the query, headers, body. */
export type Asked<O extends Operations[keyof Operations]> = {
  readonly [Name in PathParameters<O['path']>]: string | number
} & {
  readonly [Name in keyof O['query']]?: QueryValue<O['query'][Name]> | undefined
} & (O['headers'][number] extends never ? unknown : AllOf<HeaderOptions[O['headers'][number]]>) &
  (O extends { readonly body: infer Body extends TSchema } ? { readonly body: Static<Body> } : unknown) & {
    readonly signal?: AbortSignal
  }

type AnyOutcomes = Operations[keyof Operations]['outcomes']

type BodyOf<Outcome> = Outcome extends { readonly status: 200 | 201; readonly body: infer Body extends TSchema }
  ? Static<Body>
  : never

/** Body of a success that is not that of a dry run. */
type SuccessBody<Outcomes extends AnyOutcomes> = BodyOf<Outcomes[Exclude<keyof Outcomes, 'judged'>]>

/**
 * A call of one operation. What it is asked decides what its answer can be: only a dry run is answered with a judgement, and
 * only a call that names the version at hand can come back without a body.
 */
export type Call<O extends Operations[keyof Operations]> = O['outcomes'] extends { readonly judged: infer Judged }
  ? {
      (asked: Asked<O> & { readonly dryRun?: false }): Promise<Answered<SuccessBody<O['outcomes']>>>
      (asked: Asked<O> & { readonly dryRun: true }): Promise<Answered<BodyOf<Judged>>>
    }
  : O['outcomes'] extends { readonly unmodified: unknown }
    ? {
        (asked: Asked<O> & { readonly ifNoneMatch?: never }): Promise<Answered<SuccessBody<O['outcomes']>>>
        (asked: Asked<O>): Promise<Answered<SuccessBody<O['outcomes']> | undefined>>
      }
    : (asked: Asked<O>) => Promise<Answered<SuccessBody<O['outcomes']>>>

export interface Answered<Body> {
  readonly status: number
  readonly body: Body
  /** Version of the record, from its ETag. */
  readonly version: number | undefined
  /** True when this is the answer to an earlier call with the same idempotency key. */
  readonly replayed: boolean
  /** How often the call was sent: more than once when an answer was lost, or the service asked to come back. */
  readonly attempts: number
  /** Address of the next page, where the operation says it in the Link header. */
  readonly next: string | undefined
  /** An answer that is a file, to be read as it arrives. */
  readonly file: AnsweredFile | undefined
}

interface AnsweredFile {
  readonly mediaType: string
  readonly name: string | undefined
  /** Records, or versions of records, it is made of; 0 where nothing fits what was asked for. */
  readonly records: number | undefined
  readonly stream: ReadableStream<Uint8Array>
}
