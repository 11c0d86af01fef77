// Signatures of messages, checked by code of others: the official library for v1, and for v1a, which
// it does not know, the text of the specification.
import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { drawWebhookKey, receiverKey, signMessage, type WebhookKey } from '../../src/webhooks/signature.ts'
import { verifyAsymmetric } from '../support/servers/webhook-receiver.ts'

const id = 'msg_6f1c2f0e-4a53-4c6e-9d4f-0a1b2c3d4e5f'
const body = '{"type":"receivingEvent.created","timestamp":"2026-03-04T14:00:00.000000Z","data":{"id":"ü"}}'
const now = new Date()

const official = (key: WebhookKey, headers: object, text = body) =>
  new Webhook(receiverKey(key)).verify(text, headers as Record<string, string>)

test('v1 is what the official library verifies; another body, id or key is not', () => {
  const key = drawWebhookKey('v1')
  const headers = signMessage([key], id, now, body)
  expect(receiverKey(key)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(official(key, headers)).toEqual(JSON.parse(body))
  expect(() => official(key, headers, `${body} `)).toThrow()
  expect(() => official(key, { ...headers, 'webhook-id': 'msg_2' })).toThrow()
  expect(() => official(drawWebhookKey('v1'), headers)).toThrow()
})

test('v1a is an Ed25519 signature of id, time and body, and its key is 32 bytes', () => {
  const key = drawWebhookKey('v1a')
  const headers = signMessage([key], id, now, body)
  const publicKey = receiverKey(key)
  const raw = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64')
  expect(raw).toHaveLength(32)
  const [kind, signature = ''] = headers['webhook-signature'].split(',')
  expect(kind).toBe('v1a')
  const imported = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
  const signed = `${id}.${Math.floor(now.getTime() / 1_000)}.${body}`
  expect(verify(null, Buffer.from(signed), imported, Buffer.from(signature, 'base64'))).toBe(true)
  expect(verify(null, Buffer.from(`${signed} `), imported, Buffer.from(signature, 'base64'))).toBe(false)
  expect(verifyAsymmetric(publicKey, headers, body)).toBe(true)
  expect(verifyAsymmetric(receiverKey(drawWebhookKey('v1a')), headers, body)).toBe(false)
})

test('with two keys a message has two valid signatures, of either kind', () => {
  const [newer, older] = [drawWebhookKey('v1'), drawWebhookKey('v1')]
  const both = signMessage([newer, older], id, now, body)
  for (const key of [newer, older]) expect(official(key, both)).toEqual(JSON.parse(body))
  const other = drawWebhookKey('v1a')
  const mixed = signMessage([other, older], id, now, body)
  expect(official(older, mixed)).toEqual(JSON.parse(body))
  expect(verifyAsymmetric(receiverKey(other), mixed, body)).toBe(true)
})
