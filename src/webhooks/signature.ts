// Signatures of webhook messages as the specification "Standard Webhooks" has them: Ed25519 (v1a),
// or HMAC-SHA256 (v1) for receivers that know only that. Source: decision 0072.
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { SignatureKind } from '../contract/webhooks.ts'

/** The key that signs the messages of one webhook. */
export interface WebhookKey {
  readonly signature: SignatureKind
  /** 32 bytes: the seed of an Ed25519 key, or the secret that the receiver also has. */
  readonly secret: Buffer
}

/** The specification allows 24 to 64 bytes for v1. A seed of Ed25519 has 32. */
const secretBytes = 32

export const drawWebhookKey = (signature: SignatureKind): WebhookKey => ({
  signature,
  secret: randomBytes(secretBytes),
})

/** The key as the receiver needs it: a public key (`whpk_…`), or the secret of both (`whsec_…`). */
export const receiverKey = ({ signature, secret }: WebhookKey): string =>
  signature === 'v1a' ? `whpk_${publicBytes(secret).toString('base64')}` : `whsec_${secret.toString('base64')}`

/** The bytes of PKCS #8 before the seed of an Ed25519 key. */
const seedHead = Buffer.from('302e020100300506032b657004220420', 'hex')

const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([seedHead, seed]), format: 'der', type: 'pkcs8' })

/** The last 32 bytes of a public key in DER are the key itself. */
const publicBytes = (seed: Buffer): Buffer =>
  createPublicKey(privateKeyOf(seed)).export({ type: 'spki', format: 'der' }).subarray(-32)

/** The headers of a message. */
export interface SignedHeaders {
  readonly 'webhook-id': string
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** Signs a message with each key, because during a rotation the receiver has either of two. */
export function signMessage(keys: readonly WebhookKey[], id: string, now: Date, body: string): SignedHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const text = Buffer.from(`${id}.${timestamp}.${body}`)
  const signatures = keys.map(({ signature, secret }) => {
    const bytes =
      signature === 'v1a' ? sign(null, text, privateKeyOf(secret)) : createHmac('sha256', secret).update(text).digest()
    return `${signature},${bytes.toString('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
