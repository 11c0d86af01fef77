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
import type { IdentityProviderSettings } from './config.ts'
import { mayAs, type Role } from './contract/role.ts'

/** What a browser keeps between leaving for the identity provider and coming back. */
export interface SignInSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Who came back. */
export interface SignedInPerson {
  readonly issuer: string
  readonly subject: string
  readonly name: string | undefined
  /** In lower case; only an address that the identity provider vouches for. */
  readonly email: string | undefined
  /** Of its claim; undefined when the claim gives none. */
  readonly role: Role | undefined
  /** Names the sign-in when it is to be ended there too. */
  readonly idToken: string | undefined
}

/** The identity provider did not answer, or not as one does. */
export class IdentityProviderAway extends Error {
  override readonly name = 'IdentityProviderAway'
}

/** Where the identity provider sends browsers back to, below the address of the service. */
export const callbackPath = '/sign-in/callback'

/** Longest a call to the identity provider may take, in seconds. */
const callSecondsMax = 10
/** How long what it says of itself is believed, in milliseconds. */
const believedMs = 3_600_000
/** A larger token is not kept: the identity provider then asks who signs out. */
const idTokenLengthMax = 8_192
/** As for every text. */
const textLengthMax = 100

export class IdentityProvider {
  readonly settings: IdentityProviderSettings
  #found: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined

  constructor(settings: IdentityProviderSettings) {
    this.settings = settings
  }

  /** Where the browser goes to sign in, and what it keeps meanwhile. */
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

  /**
   * Who came back, by the query of the address that the browser was sent to. Throws when what it
   * says is not right.
   */
  async finish(query: string, { state, nonce, verifier }: SignInSecrets): Promise<SignedInPerson> {
    const configuration = await this.#configuration()
    const { signed, claims, idToken } = await this.#reached(async () => {
      const tokens = await authorizationCodeGrant(configuration, new URL(this.#here(callbackPath) + query), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      })
      const signed = tokens.claims()
      if (signed === undefined) throw new Error('The identity provider sent no ID token.')
      // Many have the name and the address there alone.
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, signed.sub) : {}
      const claims: Readonly<Record<string, unknown>> = { ...more, ...signed }
      return { signed, claims, idToken: tokens.id_token ?? '' }
    })
    const email = textOf(claims.email)
    const isVouchedFor =
      claims.email_verified === true || (this.settings.trustEmails && claims.email_verified !== false)
    return {
      issuer: signed.iss,
      subject: signed.sub,
      name: textOf(claims.name) ?? textOf(claims.preferred_username) ?? email,
      email: isVouchedFor ? email?.toLowerCase() : undefined,
      role: this.#roleIn(claims),
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
      // It is away: here the session has ended all the same.
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

  /** The highest role that a value of the claim stands for. */
  #roleIn(claims: Readonly<Record<string, unknown>>): Role | undefined {
    const { roleClaim, roles } = this.settings
    if (roleClaim === undefined) return undefined
    const held = [valueAt(claims, roleClaim)].flat().flatMap((value) => roles.get(String(value)) ?? [])
    return held.reduce<Role | undefined>(
      (best, role) => (best === undefined || mayAs(role, best) ? role : best),
      undefined,
    )
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

/** A claim by its name, or by the names of its parts with dots between. */
function valueAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return value
}

/** A text of a claim, as it can be stored and shown on one line. */
function textOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined
  const text = claim.replaceAll(/\p{Cc}/gu, ' ').trim()
  return text === '' ? undefined : text.slice(0, textLengthMax)
}
