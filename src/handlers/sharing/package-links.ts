// Creates, lists and withdraws links to packages, and sends a package to a caller with address and
// code. Source: decision 0079.
import type { Static } from 'typebox'
import { isGiven } from '../../contract/shape/field.ts'
import { lineSelection } from '../../operations/base/event-selection.ts'
import {
  linkHours,
  type NewPackageLink,
  packageLinkOperations,
  packageLinkPath,
} from '../../operations/sharing/package-links.ts'
import {
  countFetch,
  findByCode,
  insertPackageLink,
  isPackageLink,
  isWithdrawn,
  openLinksMax,
  type PackageLink,
  packageLinks,
  readLinkToken,
  withdrawLink,
  wrongCodesMax,
} from '../../store/sharing/package-links.ts'
import { pageOf, recordIdIn, scopeOf } from '../base/cursor.ts'
import { displayNameOf } from '../base/display-name.ts'
import type { Answer, AnswerFile, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'
import { isRecordId } from '../base/record-id.ts'
import { recordingAccess, untilOver } from '../base/recorded-access.ts'
import { shapeRefusal } from '../records/failure-answers.ts'
import { exportFdaPackage } from '../traceability/export-fda.ts'
import { selectForFda } from '../traceability/fda-selection.ts'

const createPackageLink =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'badQuery' | 'tooMany' | 'refused' | 'created'>> => {
    const refusal = shapeRefusal(packageLinkOperations.createPackageLink.body, call, notCreated)
    if (refusal !== undefined) return refusal
    const { store } = context
    const { provider, keyId, requestId, query, lists } = call
    const { label, expiresInHours = linkHours.default } = call.body.value as Static<typeof NewPackageLink>
    if (!isGiven(label)) return refuse('label is blank. Write who the link is for.')
    if (!Number.isInteger(expiresInHours) || expiresInHours < 1 || expiresInHours > linkHours.max)
      return refuse(`expiresInHours is ${expiresInHours}. It must be a whole number from 1 to ${linkHours.max}.`)
    if (!Object.keys({ ...query, ...lists }).some((name) => narrowing.includes(name)))
      return refuse(`Nothing narrows the records. Give at least one of ${narrowing.join(', ')}.`)
    const chosen = await selectForFda(context, call)
    if ('outcome' in chosen) return chosen
    const made = await insertPackageLink(
      store,
      provider,
      { label, asked: { query, lists }, hours: expiresInHours },
      { who: keyId, requestId },
    )
    if (made === undefined)
      return refuse(
        `There are ${openLinksMax} open links, which is the limit. Withdraw some, or wait until they expire.`,
      )
    const [view] = await viewsOf(context, provider, [made.link])
    return {
      outcome: 'created',
      body: {
        ...view,
        path: `${packageLinkPath}/${made.token}`,
        code: made.code,
        events: chosen.kinds.reduce((sum, { selected }) => sum + selected.length, 0),
        lines: chosen.kinds.reduce((sum, { lines }) => sum + lines, 0),
      },
    }
  }

/** The parameters that narrow a package. */
const narrowing = [...Object.keys(lineSelection).filter((name) => name !== 'readAlike'), 'recordId']

const notCreated = 'No link was created.'
const refuse = (why: string): Answer<'refused'> => ({ outcome: 'refused', detail: `${why} ${notCreated}` })

const listPackageLinks =
  (context: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('package links', {}),
      positionIn: recordIdIn,
      find: (before, count) => packageLinks(context.store, { provider, before, limit: count }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      body: { content: await viewsOf(context, provider, listed.page), nextCursor: listed.nextCursor },
    }
  }

const withdrawPackageLink =
  (context: HandlerContext) =>
  async ({ provider, keyId, requestId, id }: OperationCall): Promise<Answer<'unknownPackageLink' | 'withdrawn'>> => {
    const link = isRecordId(id)
      ? await withdrawLink(context.store, { provider, id }, { who: keyId, requestId })
      : undefined
    if (link === undefined)
      return { outcome: 'unknownPackageLink', detail: `There is no link with id ${id.slice(0, 60)}.` }
    return { outcome: 'withdrawn', body: (await viewsOf(context, provider, [link]))[0] as object }
  }

async function viewsOf(
  context: HandlerContext,
  provider: string,
  links: readonly PackageLink[],
): Promise<readonly object[]> {
  const nameOf = await keyNamer(
    context,
    provider,
    links.flatMap(({ createdBy, withdrawnBy }) => [createdBy, ...(withdrawnBy === null ? [] : [withdrawnBy])]),
  )
  return links.map((link) => {
    const { createdAt, expiresAt, isExpired: _, withdrawnAt, lastFetchedAt, asked, ...rest } = link
    return {
      ...rest,
      state: stateOf(link),
      asked: { ...asked.query, ...asked.lists },
      createdDateTime: createdAt.toISOString(),
      createdByName: nameOf(link.createdBy),
      expiresDateTime: expiresAt.toISOString(),
      withdrawnDateTime: withdrawnAt?.toISOString() ?? null,
      withdrawnByName: link.withdrawnBy === null ? null : nameOf(link.withdrawnBy),
      lastFetchedDateTime: lastFetchedAt?.toISOString() ?? null,
    }
  })
}

const stateOf = ({ withdrawnAt, isExpired, wrongCodes }: PackageLink) => {
  if (withdrawnAt !== null) return 'withdrawn'
  if (isExpired) return 'expired'
  return wrongCodes >= wrongCodesMax ? 'locked' : 'open'
}

/** A caller without a key, with an address and a code. */
interface PackageRequest {
  readonly token: string
  readonly code: string
  readonly requestId: string
}

/**
 * The package, or why there is none. Only a caller with the right code learns that a link has
 * expired, or that it ever existed.
 */
export type OpenedPackage =
  | { readonly is: 'open'; readonly file: AnswerFile }
  | { readonly is: 'wrongCode' | 'expired' | 'withdrawn' | 'locked' | 'notMade' }

export type OpenPackage = (request: PackageRequest) => Promise<OpenedPackage>

export function packageOpener(context: HandlerContext): OpenPackage {
  const { store } = context
  const makePackage = exportFdaPackage(context)
  return async ({ token, code, requestId }) => {
    const named = readLinkToken(token)
    const link = named && (await findByCode(store, named, code))
    if (named === undefined || link === undefined) return { is: 'wrongCode' }
    const state = stateOf(link)
    if (state !== 'open') return { is: state }
    const { provider, id } = named
    const recorded = recordingAccess(context, { name: 'fetchPackage', recorded: 'everyFile' }, makePackage)
    const { query, lists } = link.asked
    const answer = await recorded({ provider, keyId: `package link ${id}`, requestId, lotCode: '', query, lists })
    if (answer.file === undefined) return { is: 'notMade' }
    await countFetch(store, { provider, id })
    const { parts } = answer.file
    return {
      is: 'open',
      file: { ...answer.file, parts: untilOver(parts, () => isWithdrawn(store, { provider, id })) },
    }
  }
}

/** The name of who shares by an address; undefined where no link has it. */
export type PackageSender = (token: string) => Promise<string | undefined>

export const packageSender =
  ({ store }: Pick<HandlerContext, 'store'>): PackageSender =>
  async (token) => {
    const named = readLinkToken(token)
    return named && (await isPackageLink(store, named)) ? displayNameOf(store, named.provider) : undefined
  }

export const packageLinkHandlers = { listPackageLinks, createPackageLink, withdrawPackageLink }
