// Creates, changes, lists and deletes partners, invites people to them, and lists their accesses.
// Shared records are copied in the background.
import type { Static } from 'typebox'
import { instantOf } from '../../contract/shape/date-and-time.ts'
import { givenOf, isGiven } from '../../contract/shape/field.ts'
import type { Finding } from '../../contract/shape/finding.ts'
import { type Grant, isEnded, lotDaysMax, nextEnd, type Place, withheldByDefault } from '../../contract/sharing.ts'
import {
  type AcceptedInvitation,
  invitationHoursMax,
  invitationHoursUsual,
  type NewInvitation,
  type PartnerSettings as PartnerBody,
  partnerOperations,
  previewEventsMax,
  type RevokedPartnerKey,
  sharingLengthMax,
} from '../../operations/sharing/partners.ts'
import { shapeFinding } from '../../rules/shape.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import { accessEntries } from '../../store/evidence/access-log.ts'
import {
  countSharedCopies,
  deletedPartnersOf,
  findDeletedPartner,
  findPartner,
  insertPartner,
  inviteToPartner,
  keysOfPartner,
  type PartnerSettings,
  partnerKeysMax,
  partnersMax,
  partnersOf,
  removePartner,
  replacePartnerSettings,
  revokeKeyOfPartner,
  type StoredPartner,
  takeInvitation,
} from '../../store/sharing/partners.ts'
import { shipToPlaces } from '../../store/sharing/shared-events.ts'
import { editUnderCondition } from '../base/conditions.ts'
import { limitOf, makeCursor, pageOf, recordIdIn, scopeOf, startOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'
import { isRecordId, newRecordId } from '../base/record-id.ts'
import { existingKey, ownKeyOf, sharerOf } from '../people/keys.ts'
import { shapeRefusal } from '../records/failure-answers.ts'
import { hasPlace, placeView, previewSharing } from './sharing-preview.ts'

const nothingChanged = 'Nothing was changed.'

const listPartners =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('partners', {}),
      positionIn: recordIdIn,
      find: (after, count) => partnersOf(store, { provider, after, limit: count }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      body: { content: await viewsOf(store, provider, listed.page), nextCursor: listed.nextCursor },
    }
  }

const listDeletedPartners =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('deleted partners', {}),
      positionIn: recordIdIn,
      find: (after, count) => deletedPartnersOf(store, { provider, after, limit: count }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    const content = listed.page.map(({ id, name, deletedAt }) => ({
      id,
      name,
      deletedDateTime: deletedAt.toISOString(),
    }))
    return { outcome: 'listed', body: { content, nextCursor: listed.nextCursor } }
  }

const readPartner =
  ({ store }: HandlerContext) =>
  async ({ provider, id }: OperationCall): Promise<Answer<'unknownPartner' | 'found'>> => {
    const version = isRecordId(id) ? await versionOfSetting(store, provider, id) : 0
    const partner = await partnerOf(store, provider, id)
    return partner === undefined
      ? unknownPartner(id)
      : { outcome: 'found', version, body: await viewOf(store, provider, partner) }
  }

const createPartner =
  ({ store, due }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'nameTaken' | 'previewed' | 'created'>> => {
    const sent = settingsIn(partnerOperations.createPartner.body, call, 'No partner was created.')
    if ('outcome' in sent) return sent
    const { provider, keyId, requestId, query } = call
    if (query.dryRun === 'true')
      return { outcome: 'previewed', body: await previewSharing(store, provider, undefined, sent) }
    const ended = endedGrants(sent, [], new Date())
    if (ended.length > 0) return refusedBecause(ended, 'No partner was created.')
    const id = newRecordId()
    const until = nextEnd(sent.grants, new Date())
    if (!(await insertPartner(store, { id, ...sent, provider }, until, { who: keyId, requestId })))
      return nameTaken(sent.name, 'No partner was created.')
    due('sharing', provider)
    return {
      outcome: 'created',
      version: 1,
      body: await viewOf(store, provider, await thePartner(store, provider, id)),
      createdId: id,
    }
  }

const replacePartner =
  ({ store, due }: HandlerContext) =>
  async (
    call: OperationCall,
  ): Promise<Answer<'refused' | 'unknownPartner' | 'stale' | 'nameTaken' | 'previewed' | 'changed'>> => {
    const sent = settingsIn(partnerOperations.replacePartner.body, call, nothingChanged)
    if ('outcome' in sent) return sent
    const { provider, keyId, requestId, id, query } = call
    let asked = call
    for (;;) {
      const partner = await partnerOf(store, provider, id)
      if (partner === undefined) return unknownPartner(id)
      if (query.dryRun === 'true')
        return { outcome: 'previewed', body: await previewSharing(store, provider, partner, sent) }
      const now = new Date()
      const ended = endedGrants(sent, partner.grants, now)
      if (ended.length > 0) return refusedBecause(ended, nothingChanged)
      const to = { provider, id, generation: partner.generation, ...sent }
      const change = { closes: takesAway(partner, sent, now), until: nextEnd(sent.grants, now) }
      const replaced = await editUnderCondition(store, asked, { edited: id, what: 'The partner' }, (allowed) =>
        replacePartnerSettings(store, { ...to, ...change }, { who: keyId, requestId }, allowed),
      )
      if (replaced === 'nameTaken') return nameTaken(sent.name, nothingChanged)
      if ('outcome' in replaced) return replaced
      const { version, isReplaced } = replaced
      if (!isReplaced) {
        // Its copies are made again, or another change came first: the comparison for revocation
        // uses that one.
        if (call.ifMatch !== undefined) asked = { ...call, ifMatch: [version] }
        continue
      }
      due('sharing', provider)
      const body = await viewOf(store, provider, await thePartner(store, provider, id))
      return { outcome: 'changed', version, body }
    }
  }

const deletePartner =
  ({ store, due }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownPartner' | 'stale' | 'deleted'>> => {
    const { provider, keyId, requestId, id } = call
    const partner = await partnerOf(store, provider, id)
    if (partner === undefined) return unknownPartner(id)
    const deleted = await editUnderCondition(store, call, { edited: id, what: 'The partner' }, async (allowed) =>
      (await removePartner(store, { ...partner, provider }, { who: keyId, requestId }, allowed)) ? true : 'stale',
    )
    if (deleted !== true) return (await partnerOf(store, provider, id)) === undefined ? unknownPartner(id) : deleted
    due('sharing', provider)
    return { outcome: 'deleted', body: await viewOf(store, provider, { ...partner, isClosed: true }) }
  }

const invitePartner =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownPartner' | 'tooManyKeys' | 'created'>> => {
    const refusal = shapeRefusal(partnerOperations.invitePartner.body, call, 'Nobody was invited.')
    if (refusal !== undefined) return refusal
    const { provider, keyId, requestId, id } = call
    const {
      label,
      personName,
      expiresInHours: hours = invitationHoursUsual,
    } = call.body.value as Static<typeof NewInvitation>
    if (!Number.isInteger(hours) || hours < 1 || hours > invitationHoursMax)
      return refusedBecause(
        [
          shapeFinding(
            'shape/number',
            '/expiresInHours',
            `expiresInHours is ${hours}. It must be a whole number from 1 to ${invitationHoursMax}.`,
          ),
        ],
        'Nobody was invited.',
      )
    const asked = {
      label: isGiven(label) ? label : '',
      personName: isGiven(personName) ? personName : undefined,
      hours,
    }
    const partner = await partnerOf(store, provider, id)
    if (partner === undefined) return unknownPartner(id)
    const invited = await inviteToPartner(
      store,
      { provider, id, account: partner.account, invitation: asked },
      { who: keyId, requestId },
    )
    if (invited === undefined)
      return {
        outcome: 'tooManyKeys',
        detail: `${partner.name} has ${partnerKeysMax} valid keys and invitations, which is the limit. Revoke some.`,
      }
    const { token, expiresAt } = invited
    return {
      outcome: 'created',
      body: { token, path: `/console/invitation#${token}`, expiresDateTime: expiresAt.toISOString() },
    }
  }

const readInvitation =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId }: OperationCall): Promise<Answer<'noInvitation' | 'found'>> => {
    const key = await existingKey(store, provider, keyId)
    const { role, provider: partner, personName, revokedAt, expiresAt } = key
    // A key is trusted for two seconds after it has ended.
    if (role !== 'invited' || revokedAt !== null || expiresAt === null || expiresAt <= new Date())
      return noInvitation(keyId)
    const sharedBy = await sharerOf(store, key)
    return { outcome: 'found', body: { partner, sharedBy, personName, expiresDateTime: expiresAt.toISOString() } }
  }

const acceptInvitation =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'noInvitation' | 'accepted'>> => {
    const refusal = shapeRefusal(partnerOperations.acceptInvitation.body, call, 'The invitation stays valid.')
    if (refusal !== undefined) return refusal
    const { provider, keyId: invitation, requestId } = call
    const { label, personName } = call.body.value as Static<typeof AcceptedInvitation>
    const asked = {
      label: isGiven(label) ? label : undefined,
      personName: isGiven(personName) ? personName : undefined,
    }
    const taken = await takeInvitation(store, { invitation, ...asked, provider }, requestId)
    if (taken === undefined) return noInvitation(invitation)
    const { provider: partner, sharedBy } = await ownKeyOf(store, provider, taken.keyId)
    return { outcome: 'accepted', body: { ...taken, partner, sharedBy } }
  }

const noInvitation = (keyId: string): Answer<'noInvitation'> => ({
  outcome: 'noInvitation',
  detail: `Key ${keyId} is no invitation, or the invitation was accepted a moment ago. Ask for another invitation.`,
})

const revokePartnerKey =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'unknownPartner' | 'unknownKey' | 'revoked'>> => {
    const refusal = shapeRefusal(partnerOperations.revokePartnerKey.body, call, nothingChanged)
    if (refusal !== undefined) return refusal
    const { provider, keyId: who, requestId, id } = call
    const { keyId } = call.body.value as Static<typeof RevokedPartnerKey>
    const partner = await partnerOf(store, provider, id)
    if (partner === undefined) return unknownPartner(id)
    if ((await revokeKeyOfPartner(store, { provider, id, keyId }, { who, requestId })) === undefined)
      return { outcome: 'unknownKey', detail: `${partner.name} has no key with id ${keyId.slice(0, 60)}.` }
    return { outcome: 'revoked', body: await viewOf(store, provider, partner) }
  }

const listPartnerAccesses =
  ({ store }: HandlerContext) =>
  async ({ provider, id, query }: OperationCall): Promise<Answer<'unknownPartner' | 'listed' | 'badQuery'>> => {
    // The accesses of a partner are evidence, and outlive it.
    const partner =
      (await partnerOf(store, provider, id)) ??
      (isRecordId(id) ? await findDeletedPartner(store, provider, id) : undefined)
    if (partner === undefined) return unknownPartner(id)
    const listed = await pageOf(query, {
      scope: scopeOf('accesses of a partner', { id }),
      positionIn: recordIdIn,
      find: (before, count) => accessEntries(store, { provider: partner.account, before, limit: count }),
      positionOf: (entry) => entry.id,
    })
    if ('outcome' in listed) return listed
    const nameOf = await keyNamer(
      { store },
      partner.account,
      listed.page.map(({ who }) => who),
    )
    return {
      outcome: 'listed',
      body: {
        content: listed.page.map(({ id: entry, beganAt, who, operation, asked, ending, records, bytes }) => ({
          id: entry,
          beganDateTime: beganAt.toISOString(),
          who,
          keyName: nameOf(who),
          operation,
          asked,
          ending,
          records,
          bytes: bytes === null ? null : Number(bytes),
        })),
        nextCursor: listed.nextCursor,
      },
    }
  }

const suggestPlaces =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const scope = scopeOf('suggested places', {})
    const start = startOf(query, { scope, positionIn: (code) => (code.includes('\u0000') ? undefined : code) })
    if ('outcome' in start) return start
    const limit = limitOf(query)
    const found = await shipToPlaces(store, {
      provider,
      after: start.position,
      codes: limit + 1,
      eventsMax: previewEventsMax + 1,
    })
    // A code is on one page with all that it stands for.
    const codes = [...new Set(found.map(({ locationCode }) => locationCode))]
    const shown = new Set(codes.slice(0, limit))
    const last = [...shown].at(-1)
    const partners = await partnersOf(store, { provider, after: undefined, limit: partnersMax })
    return {
      outcome: 'listed',
      body: {
        content: found
          .filter(({ locationCode }) => shown.has(locationCode))
          .map((place) => {
            const partner = partners.find(({ places }) => hasPlace(places, place))
            return {
              ...placeView(place),
              partner: partner === undefined ? null : { id: partner.id, name: partner.name },
            }
          }),
        nextCursor: codes.length > limit && last !== undefined ? makeCursor(last, scope) : null,
      },
    }
  }

/** The settings in a body, or why they are refused. */
function settingsIn(
  shape: typeof PartnerBody,
  call: OperationCall,
  consequence: string,
): PartnerSettings | Answer<'refused'> {
  const refusal = shapeRefusal(shape, call, consequence)
  if (refusal !== undefined) return refusal
  const { name, places, grants } = call.body.value as Static<typeof PartnerBody>
  const settings = { name: name.trim(), places: places.map(placeOf), grants: grants.map(grantOf) }
  const findings = [
    ...(settings.name === ''
      ? [shapeFinding('shape/required', '/name', 'name is blank. Enter the name of the partner.')]
      : []),
    ...settings.places.flatMap(placeFault),
    ...settings.grants.flatMap((grant, i) => grantFault(grant, i, new Date())),
  ]
  const length = JSON.stringify([settings.places, settings.grants]).length
  if (length > sharingLengthMax)
    findings.push(
      shapeFinding(
        'shape/length',
        '',
        `places and grants have ${length} characters together. At most ${sharingLengthMax} are accepted.`,
      ),
    )
  return findings.length > 0 ? refusedBecause(findings, consequence) : settings
}

const placeOf = ({ gln, ...place }: Place): Place => givenOf({ gln: gln?.trim(), ...place }) as Place

/** With defaults written out, so that a later default changes nobody's grants. */
const grantOf = (grant: Grant): Grant => ({
  ...(givenOf(grant) as Grant),
  withHistory: grant.withHistory ?? false,
  withheld: [...new Set(grant.withheld ?? withheldByDefault)],
})

const placeFault = ({ gln, locationCode, dataProviderVendorId }: Place, i: number): Finding[] => {
  const message =
    (gln === undefined) === (locationCode === undefined)
      ? 'A place has either a gln or a locationCode.'
      : gln !== undefined && dataProviderVendorId !== undefined
        ? 'A GLN is the same place for all vendors. Leave dataProviderVendorId out.'
        : undefined
  return message === undefined ? [] : [shapeFinding('shape/place', `/places/${i}`, message)]
}

const dayMs = 86_400_000

function grantFault(grant: Grant, i: number, now: Date): Finding[] {
  const at = (field: string, message: string) => [shapeFinding('shape/grant', `/grants/${i}${field}`, message)]
  const { direction, lotCode, endDateTime } = grant
  if (lotCode === undefined)
    return direction === undefined ? at('', 'A grant has a direction, shipTo or shipFrom, or a lotCode.') : []
  const narrowing = (['direction', 'dataProviderVendorIds', 'itemCodes', 'firstEventDate'] as const).find(
    (field) => grant[field] !== undefined,
  )
  if (narrowing !== undefined)
    return at(`/${narrowing}`, `A lot is opened at both ends, of all vendors, items and dates. Leave ${narrowing} out.`)
  if (endDateTime === undefined)
    return at('', `A lot is opened until an endDateTime, at most ${lotDaysMax} days ahead.`)
  return instantOf(endDateTime) > now.getTime() + lotDaysMax * dayMs
    ? at('/endDateTime', `endDateTime is ${endDateTime}. A lot is opened for at most ${lotDaysMax} days.`)
    : []
}

/** A new grant that has ended opens nothing. One that ended since it was set may stay. */
function endedGrants({ grants }: PartnerSettings, before: readonly Grant[], now: Date): Finding[] {
  const known = new Set(before.map(canonicalText))
  return grants.flatMap((grant, i) =>
    isEnded(grant, now) && !known.has(canonicalText(grant))
      ? [
          shapeFinding(
            'shape/grant',
            `/grants/${i}/endDateTime`,
            `endDateTime is ${grant.endDateTime}, which is in the past. Send a later time, or remove the grant.`,
          ),
        ]
      : [],
  )
}

/** False where everything that was open stays open: places and grants were only added. */
function takesAway(before: PartnerSettings, after: PartnerSettings, now: Date): boolean {
  const isIn = (entries: readonly object[]) => {
    const texts = new Set(entries.map((entry) => canonicalText(entry)))
    return (entry: object) => texts.has(canonicalText(entry))
  }
  return !(
    before.places.every(isIn(after.places)) &&
    before.grants.filter((grant) => !isEnded(grant, now)).every(isIn(after.grants))
  )
}

// The database returns the fields of an object in an order of its own.
const canonicalText = (entry: object): string =>
  JSON.stringify(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))

function refusedBecause(findings: readonly Finding[], consequence: string): Answer<'refused'> {
  const [first] = findings
  return {
    outcome: 'refused',
    detail: `${first?.pointer || 'The body'}: ${first?.message} ${consequence}`,
    findings,
    findingCount: findings.length,
  }
}

const nameTaken = (name: string, consequence: string): Answer<'nameTaken'> => ({
  outcome: 'nameTaken',
  detail: `There is a partner named ${JSON.stringify(name)}, or there are ${partnersMax} partners, which is the limit. ${consequence}`,
})

const unknownPartner = (id: string): Answer<'unknownPartner'> => ({
  outcome: 'unknownPartner',
  detail: `There is no partner with id ${id.slice(0, 60)}.`,
})

type Database = HandlerContext['store']

const partnerOf = (store: Database, provider: string, id: string) =>
  isRecordId(id) ? findPartner(store, provider, id) : Promise.resolve(undefined)

async function thePartner(store: Database, provider: string, id: string): Promise<StoredPartner> {
  const partner = await findPartner(store, provider, id)
  if (partner === undefined) throw new Error('A partner that was changed a moment ago is not there.')
  return partner
}

async function viewOf(store: Database, provider: string, partner: StoredPartner): Promise<object> {
  const [view] = await viewsOf(store, provider, [partner])
  return view ?? {}
}

async function viewsOf(store: Database, provider: string, partners: readonly StoredPartner[]): Promise<object[]> {
  const counted = await countSharedCopies(store, { provider, ids: partners.map(({ id }) => id) })
  const views: object[] = []
  for (const partner of partners) {
    const { id, name, places, grants, isClosed, generation, copiedGeneration } = partner
    const keys = await keysOfPartner(store, { provider: partner.account })
    const recordsOf = (kind: string) => counted.find((of) => of.partner === id && of.kind === kind)?.records ?? 0
    views.push({
      id,
      name,
      places,
      grants,
      state: isClosed ? 'closed' : copiedGeneration < generation ? 'updating' : 'open',
      completeDateTime: partner.completeAt?.toISOString() ?? null,
      records: {
        receivingEvents: recordsOf('receivingEvent'),
        masterProducts: recordsOf('masterProduct'),
        locations: recordsOf('location'),
      },
      keys: keys.map(({ keyId, role, label, personName, createdAt, expiresAt, revokedAt, lastUsedAt }) => ({
        keyId,
        role,
        label,
        personName,
        createdDateTime: createdAt.toISOString(),
        expiresDateTime: expiresAt?.toISOString() ?? null,
        revokedDateTime: revokedAt?.toISOString() ?? null,
        lastUsedDateTime: lastUsedAt?.toISOString() ?? null,
      })),
      createdDateTime: partner.createdAt.toISOString(),
      changedDateTime: partner.changedAt.toISOString(),
    })
  }
  return views
}

export const partnerHandlers = {
  listPartners,
  listDeletedPartners,
  suggestPlaces,
  createPartner,
  readPartner,
  replacePartner,
  deletePartner,
  invitePartner,
  readInvitation,
  acceptInvitation,
  revokePartnerKey,
  listPartnerAccesses,
}
