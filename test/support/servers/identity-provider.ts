// A real identity provider for tests: people sign in with their name alone.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Context, Provider } from 'oidc-provider'
import type { IdentityProviderSettings } from '../../../src/config.ts'

export interface TestIdentityProvider {
  readonly issuer: string
  /** What its userinfo endpoint says of people, by the name they sign in with. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
  /** What its ID tokens say of them, beside who they are. */
  readonly idTokens: Map<string, Readonly<Record<string, unknown>>>
  /** Signs with another key from now on, and publishes that one alone. */
  rotateKeys(keyId: string): void
  /** What a service is set to that people sign in to with it. */
  settings(publicUrl: string, provider: string): IdentityProviderSettings
  close(): Promise<void>
}

const scope = 'openid profile email groups'
const clientSecret = randomUUID()

/** `publicUrls` are the addresses of the services that know it. */
export async function startIdentityProvider(publicUrls: readonly string[]): Promise<TestIdentityProvider> {
  const people = new Map<string, Readonly<Record<string, unknown>>>()
  const idTokens = new Map<string, Readonly<Record<string, unknown>>>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: TestIdentityProvider = {
    issuer,
    people,
    idTokens,
    rotateKeys: (keyId) => {
      answer = providerWith(keyId).callback()
    },
    settings: (publicUrl, provider) => ({
      issuer,
      clientId: 'lotkeeper',
      clientSecret,
      name: 'Green Valley',
      scope,
      roleClaim: 'groups',
      roles: new Map([
        ['lot-team', 'writer'],
        ['lot-admins', 'administrator'],
      ]),
      provider,
      trustEmails: false,
      publicUrl,
    }),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
  const cookieKey = randomUUID()
  let provider: Provider
  const providerWith = (keyId: string): Provider => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }
    provider = new Provider(issuer, { ...configuration, jwks: { keys: [jwk] } })
    return provider
  }
  const configuration = {
    clients: [
      {
        client_id: 'lotkeeper',
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: publicUrls.map((url) => `${url}/sign-in/callback`),
        post_logout_redirect_uris: publicUrls.map((url) => `${url}/console/`),
      },
    ],
    cookies: { keys: [cookieKey] },
    // With the claims of its scopes in the ID token too.
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', '_claim_names'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    features: {
      devInteractions: { enabled: false },
      // Its own page loads a font from elsewhere.
      rpInitiatedLogout: {
        logoutSource: (context: { body: string }, form: string) => {
          context.body = `<!doctype html><title>Log out</title>${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`
        },
      },
    },
    ttl: {
      AuthorizationCode: 60,
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: 60,
      IdToken: 60,
    },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `/login/${uid}` },
    findAccount: (_context: Context, id: string) => ({
      accountId: id,
      claims: (use: string) => ({ sub: id, ...(use === 'id_token' ? idTokens : people).get(id) }),
    }),
    // Nobody is asked what the service may know.
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
  }
  let answer = providerWith('test').callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/login/')) return answer(request, response)
    if (request.method === 'GET')
      return response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>Login</title><form method="post"><input name="name"><button>Log in</button></form>')
    void readBody(request).then((body) => {
      const accountId = new URLSearchParams(body).get('name') ?? ''
      return provider.interactionFinished(request, response, { login: { accountId } })
    })
  })
  return self
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) body += part
  return body
}

/** A browser without a page: it keeps cookies by host, and follows where it is sent. */
export class Traveller {
  readonly #cookies = new Map<string, Map<string, string>>()

  cookiesOf(address: string): Map<string, string> {
    const { host } = new URL(address)
    const own = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, own)
    return own
  }

  /** One request, without following. */
  async ask(address: string, init: RequestInit = {}): Promise<Response> {
    const cookies = this.cookiesOf(address)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const header of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }

  /** Follows from an address to the first that `until` takes, signing in under this name on the way. */
  async follow(from: string, name: string, until: (address: string) => boolean): Promise<string> {
    let address = from
    for (let steps = 0; steps < 20; steps++) {
      if (until(address)) return address
      const answer = address.includes('/login/')
        ? await this.ask(address, { method: 'POST', body: new URLSearchParams({ name }) })
        : await this.ask(address)
      const next = answer.headers.get('location')
      if (next === null)
        throw new Error(`${address} answers ${answer.status} and leads nowhere: ${await answer.text()}`)
      address = new URL(next, address).href
    }
    throw new Error('The way has no end.')
  }
}
