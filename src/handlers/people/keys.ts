// Keys of the provider that asks: its own, all of them, a new one, one changed, one revoked.
import type { Static } from 'typebox'
import { readEmailAddress } from '../../contract/shape/email-address.ts'
import { isGiven } from '../../contract/shape/field.ts'
import {
  type KeyRotation,
  type KeySettings,
  keyOperations,
  keysMax,
  type NewKey,
  type NewPerson,
  overlapHoursMax,
} from '../../operations/people/keys.ts'
import {
  type ApiKeySummary,
  changeKeyOf,
  createApiKey,
  keysOf,
  revokeKeyOf,
  rotateKeyOf,
} from '../../store/base/api-keys.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import { readProviderName } from '../../store/database/providers.ts'
import { invite } from '../../store/people/people.ts'
import { editUnderCondition } from '../base/conditions.ts'
import { displayNameOf } from '../base/display-name.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

const keyIdForm = /^[0-9a-f]{16}$/

const readOwnKey =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId }: OperationCall): Promise<Answer<'found'>> => ({
    outcome: 'found',
    body: await ownKeyOf(store, provider, keyId),
  })

/** A key as its holder sees it. */
export async function ownKeyOf(store: HandlerContext['store'], provider: string, keyId: string) {
  const key = await existingKey(store, provider, keyId)
  return { provider: key.provider, sharedBy: await sharerOf(store, key), ...toView(key) }
}

/** The name of who shares with the holder of a key; null where nobody does. */
export const sharerOf = async (
  store: HandlerContext['store'],
  { sharedById }: Pick<ApiKeySummary, 'sharedById'>,
): Promise<string | null> => (sharedById === null ? null : displayNameOf(store, sharedById))

const listKeys =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const keys = await keysOf(store, { provider, keyId: undefined, limit: keysMax })
    return { outcome: 'listed', body: { content: keys.map(toSummary) } }
  }

const readKey =
  ({ store }: HandlerContext) =>
  async ({ provider, id }: OperationCall): Promise<Answer<'unknownKey' | 'found'>> => {
    const version = keyIdForm.test(id) ? await versionOfSetting(store, provider, id) : 0
    const [key] = keyIdForm.test(id) ? await keysOf(store, { provider, keyId: id, limit: 1 }) : []
    return key === undefined ? unknownKey(id) : { outcome: 'found', version, body: toSummary(key) }
  }

const createKey =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'created'>> => {
    const refusal = shapeRefusal(keyOperations.createKey.body, call, 'No key was created.')
    if (refusal !== undefined) return refusal
    const { provider, keyId: asker, requestId } = call
    const { role, label, personName, expiresDate } = call.body.value as Static<typeof NewKey>
    const expiresAt = expiresDate === undefined ? undefined : new Date(`${expiresDate}T23:59:59Z`)
    if (expiresAt !== undefined && expiresAt < new Date())
      return { outcome: 'refused', detail: `expiresDate ${expiresDate} is in the past. No key was created.` }
    const key = await createApiKey(
      store,
      { provider, role, label, personName: isGiven(personName) ? personName : undefined, expiresAt },
      { who: asker, requestId },
    )
    const [, keyId = ''] = key.split('_')
    return { outcome: 'created', body: { ...toView(await existingKey(store, provider, keyId)), key } }
  }

const invitePerson =
  ({ store, identityProvider }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'noIdentityProvider' | 'invited' | 'created'>> => {
    const refusal = shapeRefusal(keyOperations.invitePerson.body, call, 'Nobody was invited.')
    if (refusal !== undefined) return refusal
    const { provider, keyId, requestId } = call
    const { role, personName, ...sent } = call.body.value as Static<typeof NewPerson>
    const read = readEmailAddress(sent.email)
    if ('fault' in read)
      return { outcome: 'refused', detail: `email ${JSON.stringify(sent.email)} ${read.fault}. Nobody was invited.` }
    const email = read.address
    const name = await readProviderName(store, provider)
    if (identityProvider?.settings.provider !== name)
      return {
        outcome: 'noIdentityProvider',
        detail: `Nobody signs in to ${name} with an identity provider. The operator sets OIDC_ISSUER and OIDC_PROVIDER.`,
      }
    const person = { email, role, personName: isGiven(personName) ? personName : undefined }
    const id = await invite(store, provider, person, { who: keyId, requestId })
    return id === undefined
      ? { outcome: 'invited', detail: `${email} is invited already. Change the role in the list of keys.` }
      : { outcome: 'created', body: await ownKeyOf(store, provider, id) }
  }

const changeKey =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownKey' | 'ownKey' | 'stale' | 'changed'>> => {
    const refusal = shapeRefusal(keyOperations.changeKey.body, call, 'Nothing was changed.')
    if (refusal !== undefined) return refusal
    const { provider, keyId, requestId, id } = call
    const { role, label, personName } = call.body.value as Static<typeof KeySettings>
    const [key] = keyIdForm.test(id) ? await keysOf(store, { provider, keyId: id, limit: 1 }) : []
    if (key === undefined) return unknownKey(id)
    if (id === keyId && role !== key.role)
      return { outcome: 'ownKey', detail: `Key ${id} sent this request. Change its role with another key.` }
    const settings = { role, label, personName: isGiven(personName) ? personName : undefined }
    const changed = await editUnderCondition(store, call, { edited: id, what: 'The key' }, (allowed) =>
      changeKeyOf(store, { keyId: id, ...settings, provider }, { who: keyId, requestId }, allowed),
    )
    if ('outcome' in changed) return changed
    return { outcome: 'changed', version: changed.version, body: await ownKeyOf(store, provider, id) }
  }

export const unknownKey = (id: string): Answer<'unknownKey'> => ({
  outcome: 'unknownKey',
  detail: `There is no key with id ${id.slice(0, 60)}.`,
})

const revokeKey =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId, requestId, id }: OperationCall): Promise<Answer<'unknownKey' | 'ownKey' | 'revoked'>> => {
    if (id === keyId) return { outcome: 'ownKey', detail: `Key ${id} sent this request. Revoke it with another key.` }
    // Any text can stand in the address, also such as no database takes.
    const revoked = keyIdForm.test(id)
      ? await revokeKeyOf(store, { provider, keyId: id }, { who: keyId, requestId })
      : undefined
    return revoked === undefined
      ? unknownKey(id)
      : { outcome: 'revoked', body: { keyId: id, revokedDateTime: revoked.revokedAt.toISOString() } }
  }

/** Hours for which a replaced key stays valid, unless others are asked for. */
const overlapHoursUsual = 24

const rotateKey =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownKey' | 'noValidKey' | 'created'>> => {
    const refusal = shapeRefusal(keyOperations.rotateKey.body, call, 'No key was created.')
    if (refusal !== undefined) return refusal
    const { provider, keyId, requestId, id } = call
    const { overlapHours = overlapHoursUsual } = call.body.value as Static<typeof KeyRotation>
    if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > overlapHoursMax)
      return {
        outcome: 'refused',
        detail: `overlapHours is ${overlapHours}. It must be a whole number from 0 to ${overlapHoursMax}. No key was created.`,
      }
    if (!(await isKey(store, provider, id))) return unknownKey(id)
    const rotated = await rotateKeyOf(store, { provider, keyId: id, overlapHours }, { who: keyId, requestId })
    if (rotated === undefined)
      return {
        outcome: 'noValidKey',
        detail: `${id} is revoked or expired, or a person without a key. Create a new key, or invite the person.`,
      }
    const { replaced, key } = rotated
    const made = toView(await existingKey(store, provider, rotated.keyId))
    return {
      outcome: 'created',
      body: { ...made, key, replaced: { keyId: replaced.keyId, expiresDateTime: replaced.expiresAt.toISOString() } },
    }
  }

/** Any text can stand in the address, also such as no database takes. */
export const isKey = async (store: HandlerContext['store'], provider: string, id: string): Promise<boolean> =>
  keyIdForm.test(id) && (await keysOf(store, { provider, keyId: id, limit: 1 })).length > 0

export async function existingKey(
  store: HandlerContext['store'],
  provider: string,
  keyId: string,
): Promise<ApiKeySummary> {
  const [key] = await keysOf(store, { provider, keyId, limit: 1 })
  if (key === undefined) throw new Error('A key that was found a moment ago is not there.')
  return key
}

const toView = ({ keyId, role, label, personName, email, isPerson, createdAt, expiresAt }: ApiKeySummary) => ({
  keyId,
  role,
  label,
  personName,
  email,
  isPerson,
  createdDateTime: createdAt.toISOString(),
  expiresDateTime: expiresAt?.toISOString() ?? null,
})

const toSummary = (key: ApiKeySummary) => ({
  ...toView(key),
  revokedDateTime: key.revokedAt?.toISOString() ?? null,
  lastUsedDateTime: key.lastUsedAt?.toISOString() ?? null,
})

export const keyHandlers = { readOwnKey, listKeys, createKey, invitePerson, readKey, changeKey, revokeKey, rotateKey }
