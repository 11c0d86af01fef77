// Sessions: a browser exchanges a key for a cookie. Not shown in the contract; decided in 0061.
import { boolean, object, optional } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import type { Operation } from '../base/operation.ts'
import { OwnKey } from './keys.ts'

const SignedIn = Type.Object(
  {
    own: OwnKey,
    session: Type.Union(
      [
        Type.Object(
          {
            kept: Type.Boolean({ description: 'Whether the browser keeps the cookie when it is closed.' }),
            beganDateTime: Type.String(),
            endsDateTime: Type.String({ description: 'When it ends, however much it is used.' }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The session of the cookie; null for a request with a key.' },
    ),
  },
  { title: 'SignedIn', additionalProperties: false },
)

export const NewSession = object('NewSession', {
  keep: optional(
    boolean({
      meaning: 'Whether the browser keeps the cookie when it is closed. Without it: no.',
      example: false,
      section: '5',
    }),
  ),
})

const EndedSession = Type.Object(
  {
    signOutAddress: Type.Union([Type.String(), Type.Null()], {
      description: 'Where the browser goes next to sign out of the identity provider; null when there is none.',
    }),
  },
  { title: 'EndedSession', additionalProperties: false },
)

const EndedSessions = Type.Object(
  { sessions: Type.Integer({ description: 'How many sessions have ended.' }) },
  { title: 'EndedSessions', additionalProperties: false },
)

const shared = {
  cites: 'decision 0061',
  topic: 'sessions',
  path: '/session',
  role: 'partner',
  query: {},
  headers: [],
} as const

const createSession = {
  ...shared,
  name: 'createSession',
  method: 'POST',
  summary: 'Exchanges the key of the request for a session of a browser.',
  description:
    'The answer sets a cookie that scripts cannot read. Requests of pages of this service are then made with the key, until it is revoked or expires, or the session ends.',
  body: NewSession,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is wrong. Every finding is listed, and no session begins.',
      retry: 'changed',
    },
    keyNeeded: {
      status: 409,
      when: 'The request was made with a session. Send a key.',
      retry: 'changed',
    },
    created: { status: 201, when: 'The session has begun.', body: SignedIn, retry: 'never' },
  },
} as const satisfies Operation

const readSession = {
  ...shared,
  name: 'readSession',
  method: 'GET',
  summary: 'Reads who is signed in.',
  description: 'The key, and the session when the request was made with one.',
  outcomes: { found: { status: 200, when: 'The key or session is valid.', body: SignedIn, retry: 'never' } },
} as const satisfies Operation

const endSession = {
  ...shared,
  name: 'endSession',
  method: 'DELETE',
  summary: 'Ends the session of the request and removes its cookie.',
  description: 'It takes effect within two seconds.',
  outcomes: {
    noSession: {
      status: 409,
      when: 'The request was made with a key, which has no session to end.',
      retry: 'never',
    },
    ended: { status: 200, when: 'The session has ended.', body: EndedSession, retry: 'never' },
  },
} as const satisfies Operation

const endOwnSessions = {
  ...shared,
  name: 'endOwnSessions',
  method: 'DELETE',
  path: '/sessions',
  summary: 'Ends all sessions of the key or person of the request, in every browser.',
  description:
    'It takes effect within two seconds, has its entry in the access log, and removes the cookie. A key stays valid.',
  outcomes: { ended: { status: 200, when: 'Always.', body: EndedSessions, retry: 'never' } },
} as const satisfies Operation

const endKeySessions = {
  ...shared,
  topic: 'keys',
  name: 'endKeySessions',
  method: 'DELETE',
  path: '/keys/{id}/sessions',
  summary: 'Ends all sessions of a key or person, in every browser.',
  description:
    'It takes effect within two seconds, and has its entry in the access log. The key stays valid: who has it can sign in again. To end the access, revoke the key.',
  role: 'administrator',
  outcomes: {
    unknownKey: { status: 404, when: 'The provider has no key with this id.', retry: 'never' },
    ended: { status: 200, when: 'The sessions have ended.', body: EndedSessions, retry: 'never' },
  },
} as const satisfies Operation

export const sessionOperations = { createSession, readSession, endSession, endOwnSessions, endKeySessions }
