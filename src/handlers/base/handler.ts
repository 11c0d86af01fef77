// A handler gets a call of a known caller and answers with one of the outcomes that its operation
// declares.
import type { EarlierLot } from '../../contract/earlier-lot.ts'
import type { JsonObjectText } from '../../contract/json/json-text.ts'
import type { Role } from '../../contract/role.ts'
import type { Finding, SeverityCounts } from '../../contract/shape/finding.ts'
import type { IdentityProvider } from '../../identity-provider.ts'
import type { SetLimits } from '../../limits.ts'
import type { CommonOutcome, Operation } from '../../operations/base/operation.ts'
import type { Query, QueryLists } from '../../operations/base/query.ts'
import type { RuleSettings } from '../../rules/rule.ts'
import type { Signer } from '../../signing-key.ts'
import type { Store } from '../../store/store.ts'
import type { Deliverer } from '../../webhooks/delivery.ts'
import type { BackgroundWorkName } from './background-work.ts'
import type { ChangeListening } from './change-listening.ts'

/** One call, parsed and authenticated, without anything of HTTP. */
export interface OperationCall {
  readonly provider: string
  readonly keyId: string
  readonly role: Role
  /** Id of the session that the call was made with; undefined when it came with a key. */
  readonly session: string | undefined
  /** UUID of the request, stored with every version that it writes. */
  readonly requestId: string
  readonly id: string
  readonly version: string
  readonly lotCode: string
  readonly query: Query
  readonly lists: QueryLists
  readonly body: JsonObjectText
  /** The encoding in which a file was read that does not say its own. */
  readonly assumedEncoding?: string
  /** Versions named by If-Match: undefined when there is no condition. */
  readonly ifMatch: readonly number[] | undefined
  /**
   * Versions named by If-None-Match: a read need not send them, and a replacement must not replace
   * them; `any` matches every version.
   */
  readonly ifNoneMatch: readonly number[] | 'any'
  readonly strict: boolean
  readonly representation: boolean
  readonly idempotencyKey: string | undefined
  /** Why a record is replaced, where the sender says. */
  readonly reason: string | undefined
  /** Only of an operation that waits. */
  readonly following?: Following
}

/** How a caller follows changes. */
interface Following {
  /** True when the answer is a stream of events. */
  readonly isStream: boolean
  readonly lastEventId: string | undefined
  /** Aborts when the client disconnects, or has the whole answer. */
  readonly departure: AbortSignal
}

/** How the sending of a file ended: whole, cut off by its reader, or failed while it was made. */
interface FileOutcome {
  readonly ending: 'done' | 'cutOff' | 'failed'
  /** That were made for the connection, before they were compressed. */
  readonly bytes: number
}

/**
 * An answer that is a file or a large page, made while it is sent: it is never in memory as a
 * whole.
 */
export interface AnswerFile {
  readonly mediaType: string
  /** The file name; absent for content that is shown and not saved. */
  readonly name?: string
  /**
   * Records, or versions of records, in it; 0 for headings or an empty list. Undefined for a stream
   * of events of unknown length.
   */
  readonly records: number | undefined
  /** Versions that belong in it and are missing in the database, or were added past the service. */
  readonly missing?: number
  /**
   * True for a page that waits until the process has room for one more large answer, before its
   * first part is made.
   */
  readonly isLargePage?: true
  /** Called once by the server, when the file was sent or its sending ended early. */
  readonly onEnd?: (end: FileOutcome) => void
  /** Iterated when the client has read the last part; returned early when it disconnects. */
  readonly parts: AsyncIterable<string | Uint8Array>
}

/** The session cookie, and until when the browser stores it; undefined: until it is closed. */
export type SessionCookie = { readonly token: string; readonly until: Date | undefined } | 'removed'

/** Outcome of a call, with its data. */
export interface Answer<Name extends string> {
  readonly outcome: Name
  /** Body of a success. */
  readonly body?: object
  /** Body of a success that is JSON text already. */
  readonly text?: string
  /** Body of a success that is a file. */
  readonly file?: AnswerFile
  /** The detail of a problem. */
  readonly detail?: string
  readonly findings?: readonly Finding[]
  readonly findingCount?: number
  readonly severities?: SeverityCounts
  readonly heldBy?: string
  /** Records that matched until a correction or a void. */
  readonly records?: readonly EarlierLot[]
  /**
   * The token of the next page, where the standard has the address of that page beside the body.
   */
  readonly nextPageToken?: string
  /** Version the record is at after the call; for a problem, the one it is at now. */
  readonly version?: number
  /** True when the version is a void: its body is that of the record, without a mark. */
  readonly voided?: boolean
  /** Id of the one record the call created. */
  readonly createdId?: string
  /** True when the answer is that of an earlier call with the same idempotency key. */
  readonly replayed?: boolean
  readonly cookie?: SessionCookie
}

export type Handler<O extends Operation> = (
  call: OperationCall,
) => Promise<Answer<(keyof O['outcomes'] & string) | CommonOutcome>>

/**
 * A handler for every operation of a group, made for the context of a process: one that is missing,
 * or answers with an undeclared outcome, does not compile.
 */
export type HandlersOf<Group extends Readonly<Record<string, Operation>>> = {
  readonly [Name in keyof Group]: (context: HandlerContext) => Handler<Group[Name]>
}

/** The context of every handler. */
export interface HandlerContext {
  readonly store: Store
  readonly settings: RuleSettings
  /** Years for which records are kept at least. */
  readonly retentionYears: number
  /**
   * Address below which the service makes names of its own in EPCIS, without a slash at its end.
   */
  readonly identifierBase: string
  /** Where people sign in with their account of the organisation; undefined: with keys only. */
  readonly identityProvider?: Pick<IdentityProvider, 'settings' | 'signOutAddress'> | undefined
  /** Signs checkpoints. */
  readonly signer: Signer
  /** Reports background work that failed and that no caller waits for. */
  readonly reportDropped: (what: string) => void
  readonly limits: SetLimits
  /** Does work whose cost grows with the body of a request; for a large body in its turn. */
  readonly runLargeWork: <Outcome>(bodyBytes: number, work: () => Outcome) => Outcome | Promise<Outcome>
  /** Wakes the background work of a provider, so that it begins before its next look. */
  readonly due: (work: BackgroundWorkName, provider: string) => void
  /** Those who follow changes in this process. */
  readonly changeListeners: ChangeListening
  /** Sends messages of webhooks, one at a time. */
  readonly webhooks: Deliverer
}
