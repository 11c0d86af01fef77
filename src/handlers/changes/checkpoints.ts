// Shows checkpoints, and the keys that signed them. Source: decision 0038.
import { newestCheckpoints, signingKeys } from '../../store/evidence/checkpoints.ts'
import { numberIn, numberMax, pageOf, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'

const listCheckpoints =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('checkpoints', {}),
      positionIn: numberIn,
      find: (before = numberMax, count) => newestCheckpoints(store, { provider, before, limit: count }),
      positionOf: ({ number }) => String(number),
    })
    if ('outcome' in listed) return listed
    return { outcome: 'listed', body: { content: listed.page, nextCursor: listed.nextCursor } }
  }

const listSigningKeys =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('signing keys', {}),
      positionIn: (text) => (/^[0-9a-f]{32}$/.test(text) ? text : undefined),
      find: (after, count) => signingKeys(store, { provider, after, limit: count }),
      positionOf: ({ signingKeyId }) => signingKeyId,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      body: {
        content: listed.page.map(({ signingKeyId, publicKey, firstUsedAt }) => ({
          signingKeyId,
          publicKey: pem(publicKey),
          firstUsedDateTime: firstUsedAt.toISOString(),
        })),
        nextCursor: listed.nextCursor,
      },
    }
  }

/** A public key as a file of its own. */
const pem = (publicKey: Uint8Array): string =>
  `-----BEGIN PUBLIC KEY-----\n${Buffer.from(publicKey).toString('base64')}\n-----END PUBLIC KEY-----\n`

export const checkpointHandlers = { listCheckpoints, listSigningKeys }
