// Packages handed over by an address and a code, without a key. Source: decision 0079.
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { declareLimit } from '../../limits.ts'
import { type Page, type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement, newEntryId } from '../evidence/access-log.ts'

/** The parameters of a package, as its export reads them. */
interface AskedPackage {
  readonly query: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, readonly string[]>>
}

export interface PackageLink {
  readonly id: string
  readonly label: string
  readonly asked: AskedPackage
  readonly createdAt: Date
  readonly createdBy: string
  readonly expiresAt: Date
  readonly isExpired: boolean
  readonly withdrawnAt: Date | null
  readonly withdrawnBy: string | null
  readonly wrongCodes: number
  readonly fetches: number
  readonly lastFetchedAt: Date | null
}

/** Most links of one provider that are neither expired nor withdrawn. */
export const openLinksMax = declareLimit('packageLinks', 1_000, 'links', 'Open package links of a provider.')

export const wrongCodesMax = declareLimit(
  'packageLinkCodes',
  10,
  'codes',
  'Wrong codes after which a package link opens nothing.',
)

/** Without the characters that people take for each other: 0 and O, 1 and I. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const codeLength = 8
const secretBytes = 16
const uuidBytes = 16
/** Two UUIDs and the secret, 48 bytes in base64url. */
const tokenForm = /^[A-Za-z0-9_-]{64}$/

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** How people write a code: in any case, with blanks and dashes. */
const plainCode = (code: string): string => code.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** With the secret of the address, so that a stolen database gives no short code away. */
const openingHash = (secret: Buffer, code: string): Buffer => sha256(secret, plainCode(code))

/** The parts of the address of a link. */
export interface NamedLink {
  readonly provider: string
  readonly id: string
  readonly secret: Buffer
}

/** Reads the last part of an address; undefined if no link can have it. */
export function readLinkToken(token: string): NamedLink | undefined {
  if (!tokenForm.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  return {
    provider: uuidOf(bytes.subarray(0, uuidBytes)),
    id: uuidOf(bytes.subarray(uuidBytes, 2 * uuidBytes)),
    secret: bytes.subarray(2 * uuidBytes),
  }
}

const shown = `id, label, asked, created_at AS "createdAt", created_by AS "createdBy", expires_at AS "expiresAt",
          expires_at <= now() AS "isExpired", withdrawn_at AS "withdrawnAt", withdrawn_by AS "withdrawnBy",
          wrong_codes AS "wrongCodes", fetches, last_fetched_at AS "lastFetchedAt"`

interface NewPackageLink {
  readonly label: string
  readonly asked: AskedPackage
  readonly hours: number
}

const insert = loggedStatement<PackageLink, NewPackageLink & { provider: string; id: string; openingHash: Buffer }>(
  'createPackageLink',
  `standing AS MATERIALIZED (
  SELECT count(*) AS links FROM package_link WHERE provider_id = $provider AND withdrawn_at IS NULL AND expires_at > now()
), made AS (
  INSERT INTO package_link (provider_id, id, opening_hash, label, asked, created_by, expires_at)
  SELECT $provider, $id::uuid, $openingHash::bytea, $label::text, $asked::json, $who::text, now() + make_interval(hours => $hours::integer)
  FROM standing
  WHERE links < $most
  RETURNING *
)`,
  `SELECT ${shown} FROM made`,
  {
    of: 'made',
    asked: ({ id, label, hours, asked }) => ({
      id,
      label,
      expiresInHours: hours,
      package: { ...asked.query, ...asked.lists },
    }),
    defaults: { most: openLinksMax },
  },
)

/**
 * Creates a link. Its token and code cannot be shown again. Undefined when the provider has as many
 * open links as it may.
 */
export async function insertPackageLink(
  db: Queryable,
  provider: string,
  linked: NewPackageLink,
  actor: Actor,
): Promise<{ readonly link: PackageLink; readonly token: string; readonly code: string } | undefined> {
  const id = newEntryId()
  const secret = randomBytes(secretBytes)
  const drawn = Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')
  const link = await insert(db, { id, openingHash: openingHash(secret, drawn), ...linked, provider }, actor)
  return (
    link && {
      link,
      token: Buffer.concat([bytesOf(provider), bytesOf(id), secret]).toString('base64url'),
      code: `${drawn.slice(0, codeLength / 2)}-${drawn.slice(codeLength / 2)}`,
    }
  )
}

/** Up to `limit` links, newest first; those below an id when one is given. */
export const packageLinks = statement<PackageLink, Page>(
  'packageLinks',
  `SELECT ${shown}
   FROM package_link
   WHERE provider_id = $provider AND ($before::uuid IS NULL OR id < $before)
   ORDER BY id DESC
   LIMIT $limit`,
)

/** Withdraws a link; a withdrawn one stays as it is. Undefined when there is none with this id. */
export const withdrawLink = loggedStatement<PackageLink, { provider: string; id: string }>(
  'withdrawPackageLink',
  `withdrawn_before AS MATERIALIZED (
  SELECT * FROM package_link WHERE provider_id = $provider AND id = $id AND withdrawn_at IS NOT NULL
), withdrawn AS (
  UPDATE package_link SET withdrawn_at = now(), withdrawn_by = $who
  WHERE provider_id = $provider AND id = $id AND withdrawn_at IS NULL
  RETURNING *
), link AS (
  SELECT * FROM withdrawn
  UNION ALL
  SELECT * FROM withdrawn_before
)`,
  `SELECT ${shown} FROM link`,
  { of: 'withdrawn', asked: ({ id }) => ({ id }) },
)

// It writes whatever the code is, so that the time of an answer reveals nothing about the link. The
// two hashes are compared under a nonce, so that the time of the comparison reveals nothing either.
const enterCode = statement.one<
  PackageLink & { readonly openingHash: Buffer },
  { provider: string; id: string; nonce: Buffer; hash: Buffer }
>(
  'enterPackageCode',
  `WITH entered AS (
     UPDATE package_link
     SET wrong_codes = least(wrong_codes + CASE WHEN sha256(opening_hash || $nonce::bytea) = $hash::bytea THEN 0 ELSE 1 END, 1000000)
     WHERE provider_id = $provider AND id = $id
     RETURNING *
   )
   SELECT opening_hash AS "openingHash", ${shown} FROM entered`,
)

/**
 * The link that a code belongs to, whether or not it is still open; undefined if the code is wrong.
 * A wrong code is counted.
 */
export async function findByCode(
  db: Queryable,
  { provider, id, secret }: NamedLink,
  code: string,
): Promise<PackageLink | undefined> {
  const sent = openingHash(secret, code)
  const nonce = randomBytes(secretBytes)
  const row = await enterCode(db, { provider, id, nonce, hash: sha256(sent, nonce) })
  if (row === undefined) return undefined
  const { openingHash: stored, ...link } = row
  return timingSafeEqual(stored, sent) ? link : undefined
}

/** Counts a fetch; the access log has its entry. */
export const countFetch = statement<never, { provider: string; id: string }>(
  'notePackageFetch',
  `UPDATE package_link SET fetches = fetches + 1, last_fetched_at = now() WHERE provider_id = $provider AND id = $id`,
)

/** True for every link that there ever was, also one that has ended. */
export const isPackageLink = statement.any<{ provider: string; id: string }>(
  'namedPackageLink',
  `SELECT id FROM package_link WHERE provider_id = $provider AND id = $id`,
)

export const isWithdrawn = statement.any<{ provider: string; id: string }>(
  'withdrawnPackageLink',
  `SELECT id FROM package_link WHERE provider_id = $provider AND id = $id AND withdrawn_at IS NOT NULL`,
)
