// The claims of an identity provider about a person. A value that decides identity or role is taken
// as it was sent, or not at all. Source: decision 0062.

import { mayAs, type Role } from './contract/role.ts'
import { readEmailAddress } from './contract/shape/email-address.ts'
import { characterWords, hiddenCharacters } from './contract/text/hidden-characters.ts'

/** The claims of one document: the ID token, or the answer of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** How claims are read. */
export interface ClaimSettings {
  /** The claim whose values give roles, and the role of each value. */
  readonly roleClaim: string | undefined
  readonly roles: ReadonlyMap<string, Role>
  /** Whether an address is trusted that the identity provider does not call verified. */
  readonly trustEmails: boolean
}

export interface ClaimedPerson {
  readonly name: string | undefined
  /** In lower case; only an address that the identity provider vouches for. */
  readonly email: string | undefined
  readonly role: Role | undefined
  /** Which claims give neither address nor role, and why, in sentences for the person itself. */
  readonly remarks: readonly string[]
}

/** A claim that was used, or why it was not. */
type Read<T> = { readonly value: T } | { readonly remark: string }

/** As for every text. A name is only shown, so it may be cut. */
const nameLengthMax = 100
/** The quoted part of values in a remark. */
const quotedLengthMax = 60
const quotedValuesMax = 10

/** The person of an ID token and of the answer of the userinfo endpoint. */
export function readClaims(idToken: Claims, userinfo: Claims, settings: ClaimSettings): ClaimedPerson {
  const documents = [idToken, userinfo]
  const email = readEmail(documents, { trustEmails: settings.trustEmails })
  const role = settings.roleClaim === undefined ? undefined : readRole(documents, settings.roleClaim, settings.roles)
  const names = [...documents.map(({ name }) => name), ...documents.map((one) => one.preferred_username)]
  return {
    name: names.map(textOf).find((name) => name !== undefined) ?? usedOf(email),
    email: usedOf(email),
    role: role && usedOf(role),
    remarks: [email, role].flatMap((read) => (read !== undefined && 'remark' in read ? [read.remark] : [])),
  }
}

const usedOf = <T>(read: Read<T>): T | undefined => ('value' in read ? read.value : undefined)

/**
 * Address and mark are of one document: the first that has both, else the first that has an
 * address. A mark of one document does not verify the address in another.
 */
function readEmail(documents: readonly Claims[], { trustEmails }: { readonly trustEmails: boolean }): Read<string> {
  const having = documents.filter(({ email }) => isSent(email))
  const decisive = having.find(({ email_verified }) => isSent(email_verified)) ?? having[0]
  if (decisive === undefined) return { remark: 'The claim email is missing.' }
  const { email, email_verified: mark } = decisive
  if (typeof email !== 'string') return { remark: `The claim email is ${quote(email)}. It must be a text.` }
  const read = readEmailAddress(email)
  if ('fault' in read) return { remark: `The address ${quote(email)} ${read.fault}.` }
  const isDenied = documents.some((one) => isSent(one.email_verified) && !isTrue(one.email_verified))
  if (isTrue(mark) || (trustEmails && !isDenied)) return { value: read.address }
  const found = isSent(mark) ? `is ${quote(mark)}, not true` : 'is missing'
  return { remark: `The address ${quote(read.address)} is not verified: the claim email_verified beside it ${found}.` }
}

/** Amazon Cognito and Apple send the mark as a text. */
const isTrue = (mark: unknown): boolean => mark === true || mark === 'true'

/** The highest role that a value of the claim stands for. */
function readRole(documents: readonly Claims[], name: string, roles: ReadonlyMap<string, Role>): Read<Role> {
  const claim = documents.map((document) => valueAt(document, name)).find(isSent)
  if (claim === undefined) {
    const isElsewhere = documents.some(({ _claim_names: names }) => Object.hasOwn(Object(names), name))
    const why = isElsewhere ? ': the identity provider leaves it out for a person with too many values' : ''
    return { remark: `The claim ${name} is missing${why}.` }
  }
  const values = textsOf(claim, name)
  if (values === undefined)
    return { remark: `The claim ${name} is ${quote(claim)}. It must be a text or a list of texts.` }
  const held = values.flatMap((value) => roles.get(value) ?? [])
  const [first, ...others] = held
  if (first !== undefined) return { value: others.reduce((best, role) => (mayAs(role, best) ? role : best), first) }
  const shown = values.slice(0, quotedValuesMax).map(quote).join(', ')
  const more = values.length > quotedValuesMax ? ` and ${values.length - quotedValuesMax} more` : ''
  return { remark: `The claim ${name} gives no role: it has ${values.length === 0 ? 'no value' : shown + more}.` }
}

/**
 * The values of a role claim; undefined where it has another type. Providers that know no lists
 * send one text: several values with commas (Amazon Cognito in brackets) or semicolons between, or
 * a list as JSON. Blanks are part of a name ("Former admins"), except in claims that OAuth declares
 * as lists with blanks between.
 */
function textsOf(claim: unknown, name: string): readonly string[] | undefined {
  if (Array.isArray(claim)) return claim.every((value) => typeof value === 'string') ? claim : undefined
  if (typeof claim !== 'string') return undefined
  if (name === 'scope' || name === 'scp') return claim.split(' ')
  const listed = /^\s*\[(.*)\]\s*$/s.exec(claim)?.[1]
  if (listed?.includes('"')) {
    try {
      return textsOf(JSON.parse(claim) as unknown[], name)
    } catch {
      return [claim]
    }
  }
  return [...new Set([claim, ...(listed ?? claim).split(/[,;]/).map((value) => value.trim())])]
}

/** A claim by its name, or by the names of its parts with dots between. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}

const isSent = (claim: unknown): boolean => claim !== undefined && claim !== null

/** A text of a claim, as it can be shown on one line. */
function textOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined
  const text = claim.replaceAll(/\p{Cc}/gu, ' ').trim()
  return text === '' ? undefined : text.slice(0, nameLengthMax)
}

/** A value as it was sent, cut, with its first hidden character by name. */
function quote(value: unknown): string {
  const json = JSON.stringify(value)
  const [hidden] = typeof value === 'string' ? hiddenCharacters(value) : []
  const shown = json.length > quotedLengthMax ? `${json.slice(0, quotedLengthMax)}…` : json
  return shown + (hidden === undefined ? '' : ` (with ${characterWords(hidden.codePoint)})`)
}
