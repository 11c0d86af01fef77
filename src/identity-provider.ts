// Sign-in through the identity provider of the organisation: OpenID Connect, authorization code
// with PKCE (decision 0062). The library checks issuer, audience, times, nonce and signature.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { type ClaimedPerson, type Claims, readClaims } from './claims.ts'
import type { IdentityProviderSettings } from './config.ts'

/** State of a sign-in that the browser stores between the redirects. */
export interface SignInSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Who came back. */
export interface SignedInPerson extends ClaimedPerson {
  readonly issuer: string
  readonly subject: string
  /** Names the sign-in, to end it at the identity provider too. */
  readonly idToken: string | undefined
}

/** The identity provider did not answer, or not as one does. */
export class IdentityProviderAway extends Error {
  override readonly name = 'IdentityProviderAway'
}

/** An account without a usable identity. */
class UnusableAccount extends Error {
  override readonly name = 'UnusableAccount'
}

/** Where the identity provider sends browsers back to, below the address of the service. */
export const callbackPath = '/sign-in/callback'

/** Longest a call to the identity provider may take, in seconds. */
const callSecondsMax = 10
/** How long its metadata are cached, in milliseconds. */
const believedMs = 3_600_000
/** A larger token is not kept: the identity provider then asks who signs out. */
const idTokenLengthMax = 8_192
/** The limit of OpenID Connect for the name of an account. */
const subjectForm = /^[ -~]{1,255}$/

export class IdentityProvider {
  readonly settings: IdentityProviderSettings
  #found: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined

  constructor(settings: IdentityProviderSettings) {
    this.settings = settings
  }

  /** The address to sign in at, and the state for the browser. */
  async begin(): Promise<SignInSecrets & { readonly address: string }> {
    const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const address = buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: this.#here(callbackPath),
      scope: this.settings.scope,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    })
    return { ...secrets, address: address.href }
  }

  /** The person, by the query of the redirect back. Throws when its values are not right. */
  async finish(query: string, { state, nonce, verifier }: SignInSecrets): Promise<SignedInPerson> {
    // Its keys of now: the library takes those that it has for five minutes, and asks for others at
    // most once a minute. Sign-ins are rare.
    this.#found = undefined
    const configuration = await this.#configuration()
    const { signed, more, idToken } = await this.#reached(async () => {
      const tokens = await authorizationCodeGrant(configuration, new URL(this.#here(callbackPath) + query), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      })
      const signed = tokens.claims()
      if (signed === undefined) throw new UnusableAccount('The identity provider sent no ID token.')
      // Many have the name and the address there alone.
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
      const more: Claims = hasMore ? await fetchUserInfo(configuration, tokens.access_token, signed.sub) : {}
      return { signed, more, idToken: tokens.id_token ?? '' }
    })
    if (!subjectForm.test(signed.sub)) throw new UnusableAccount('The claim sub is not ASCII of 1 to 255 characters.')
    return {
      ...readClaims(signed, more, this.settings),
      issuer: signed.iss,
      subject: signed.sub,
      idToken: idToken.length <= idTokenLengthMax ? idToken : undefined,
    }
  }

  /** Where the browser goes to sign out there too; null where that cannot be done. */
  async signOutAddress(idToken: string | null): Promise<string | null> {
    try {
      const configuration = await this.#configuration()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: this.#here('/console/'),
        ...(idToken !== null && { id_token_hint: idToken }),
      }).href
    } catch {
      // It is down: the session here has still ended.
      return null
    }
  }

  #here(path: string): string {
    return this.settings.publicUrl + path
  }

  /** Distinguishes a call that fails to get an answer from one whose answer is a failure. */
  async #reached<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (cause) {
      const isLost =
        (cause as { code?: unknown }).code === 'OAUTH_TIMEOUT' || (cause as Error).message === 'fetch failed'
      if (!isLost) throw cause
      throw new IdentityProviderAway(`The identity provider at ${this.settings.issuer} cannot be reached.`, { cause })
    }
  }

  /** Asked when it is needed: the identity provider may be away when the service starts. */
  async #configuration(): Promise<Configuration> {
    const now = performance.now()
    if (this.#found === undefined || this.#found.until < now) {
      const configuration = discover(this.settings)
      this.#found = { configuration, until: now + believedMs }
      configuration.catch(() => {
        this.#found = undefined
      })
    }
    return this.#found.configuration
  }
}

async function discover({ issuer, clientId, clientSecret }: IdentityProviderSettings): Promise<Configuration> {
  const server = new URL(issuer)
  try {
    return await discovery(
      server,
      clientId,
      undefined,
      clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
      {
        timeout: callSecondsMax,
        execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])],
      },
    )
  } catch (cause) {
    throw new IdentityProviderAway(`The identity provider at ${issuer} cannot be reached.`, { cause })
  }
}

/** Why a sign-in was refused, for the log: the claim that differs, and neither codes nor tokens. */
export interface SignInFailure {
  readonly why: string
  readonly [detail: string]: unknown
}

/** A word of the protocol, such as `access_denied`. */
const wordForm = /^[a-z_]{1,60}$/

export function failureOf(error: unknown): SignInFailure {
  const { code, name, message, cause, error: answered } = error as Partial<Record<string, unknown>>
  if (error instanceof UnusableAccount) return { why: String(message) }
  // Errors of the protocol have constant messages, without sent values.
  const inner = cause as { name?: unknown; message?: unknown; cause?: unknown } | undefined
  const says = inner?.name === 'OperationProcessingError' ? String(inner.message) : undefined
  const { claim, claims, expected, now } = (says === undefined ? {} : Object(inner?.cause)) as Partial<
    Record<string, unknown>
  >
  const isShown = typeof claim === 'string' && ['iss', 'aud', 'azp', 'exp', 'iat', 'nbf'].includes(claim)
  return {
    why: says ?? String(code ?? name),
    ...(says !== undefined && { code }),
    ...(typeof answered === 'string' && wordForm.test(answered) && { answered }),
    ...(isShown && { claim, found: JSON.stringify((claims as Claims)[claim])?.slice(0, 300), expected, now }),
  }
}
