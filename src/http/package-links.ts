// The page on which a recipient without a key downloads a package: an address, a code, a file
// (decision 0079).
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OpenedPackage, OpenPackage, PackageSender } from '../handlers/sharing/package-links.ts'
import { declareLimit, type SetLimits } from '../limits.ts'
import { packageLinkPath } from '../operations/sharing/package-links.ts'
import type { ClientAddressOf } from './client-address.ts'
import { html, sendFormPage } from './docs-page.ts'
import type { Pressure } from './pressure.ts'
import { sendShared } from './problem.ts'
import { type CountRequest, networkOf } from './request-counts.ts'
import { sendFile } from './route.ts'

/** More than people enter, and few enough that its package is not made all the time. */
const linkCodesPerMinuteMax = declareLimit(
  'packageLinkCodesPerMinute',
  10,
  'codes',
  'Codes that a package link takes in a minute.',
)

interface Parts {
  readonly openPackage: OpenPackage
  readonly packageSender: PackageSender
  readonly limits: SetLimits
  readonly countRequest: CountRequest
}

/** Of an address; a longer one opens nothing, and is not counted. */
const tokenLength = 64
/** A form with one field. */
const formBytesMax = 1_000

/**
 * Only the name of the sender tells the page of a link from that of any other address. Who can ask
 * for it knows the two ids of the link, which only its address has.
 */
export function mountPackageLinks(
  server: FastifyInstance,
  { openPackage, packageSender, limits, countRequest }: Parts,
  pressure: Pressure,
  addressOf: ClientAddressOf,
): void {
  const path = `${packageLinkPath}/:token`
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string).get('code')),
  )
  server.get<{ Params: { token: string } }>(path, async (request, reply) =>
    sendForm(reply, undefined, await senderOf(addressOf(request.raw), request.params.token)),
  )
  server.post<{ Params: { token: string }; Body: string | null }>(
    path,
    { bodyLimit: formBytesMax },
    async (request, reply) => {
      const { token } = request.params
      if (pressure.isHigh)
        return sendShared(request, reply, 'unavailable', 'The service is overloaded. Try again in a few seconds.')
      const address = addressOf(request.raw)
      if (await isFlood('package', address, token))
        return sendForm(
          reply.code(429).header('retry-after', 60),
          'Too many codes were entered here. Wait a minute, then try again.',
        )
      const code = request.body ?? ''
      const opened = await pressure.during(() => openPackage({ token, code, requestId: request.id }))
      if (opened.is !== 'open') {
        const { status, why } = refusals[opened.is]
        return sendForm(reply.code(status), why)
      }
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
      return sendFile(reply, opened.file)
    },
  )

  // Before the link is looked for, so that a flood costs no statement.
  async function isFlood(what: string, address: string | undefined, token: string): Promise<boolean> {
    const max = limits.failedSignInsPerMinute
    if (max > 0 && (await countRequest(`${what} from ${networkOf(address)}`)).current > max) return true
    return (await countRequest(`${what} ${token.slice(0, tokenLength)}`)).current > linkCodesPerMinuteMax
  }

  async function senderOf(address: string | undefined, token: string): Promise<string | undefined> {
    if (pressure.isHigh || (await isFlood('package page', address, token))) return undefined
    // The page is served without the name, too.
    return pressure.during(() => packageSender(token)).catch(() => undefined)
  }
}

const askSender = 'Ask whoever sent it to you for a new one.'

const refusals: Readonly<Record<Exclude<OpenedPackage['is'], 'open'>, { status: number; why: string }>> = {
  wrongCode: {
    status: 403,
    why: 'This code does not open a package at this address. Check both: the address must be complete. After ten wrong codes a link is closed.',
  },
  expired: { status: 410, why: `This link has expired. ${askSender}` },
  withdrawn: { status: 410, why: `This link was withdrawn. ${askSender}` },
  locked: { status: 410, why: `This link is closed, because wrong codes were entered too often. ${askSender}` },
  notMade: { status: 410, why: `The package has grown larger than one package may be. ${askSender}` },
}

/** The reason goes once another code is typed: a file that comes then leaves the page as it is. */
const sendForm = (reply: FastifyReply, why: string | undefined, sender?: string): FastifyReply =>
  sendFormPage(
    reply,
    'Download traceability records',
    html`${why === undefined ? html`<p><bdi>${sender ?? 'Somebody'}</bdi> has prepared records for you.</p>` : html`<p role="alert">${why}</p>`}
<p>Enter the code that you were given, for example K7QM-2XRD.</p>
<form method="post">
<p><label for="code">Code</label>
<input id="code" name="code" placeholder=" " required maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus></p>
<p><button type="submit">Download</button></p>
</form>
<p>You receive a ZIP archive: a workbook, the same records as CSV, an explanation to open in a browser, and a list of the files with their SHA-256. Large archives take some time to begin. Each download is logged.</p>`,
  )
