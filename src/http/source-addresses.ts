// The location description of a source of lot codes, for everybody who knows its address: the web
// address of 21 CFR 1.1310 (decision 0100).
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type SourceDescription, sourceAddressPath } from '../contract/source-address.ts'
import type { DescribeSource } from '../handlers/traceability/source-addresses.ts'
import type { SetLimits } from '../limits.ts'
import type { ClientAddressOf } from './client-address.ts'
import { definitions, html, sendFormPage } from './docs-page.ts'
import type { Pressure } from './pressure.ts'
import { sendShared } from './problem.ts'
import { type CountRequest, networkOf } from './request-counts.ts'

interface Parts {
  readonly describeSource: DescribeSource
  readonly limits: SetLimits
  readonly countRequest: CountRequest
}

/** The same answer for an address that is closed, and for one that never was. */
export function mountSourceAddresses(
  server: FastifyInstance,
  { describeSource, limits, countRequest }: Parts,
  pressure: Pressure,
  addressOf: ClientAddressOf,
): void {
  server.get<{ Params: { provider: string; name: string } }>(
    `${sourceAddressPath}/:provider/:name`,
    async (request, reply) => {
      const { provider, name } = request.params
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex').header('vary', 'accept')
      if (pressure.isHigh)
        return sendShared(request, reply, 'unavailable', 'The service is overloaded. Try again in a few seconds.')
      const max = limits.failedSignInsPerMinute
      // Before the address is looked up, so that a flood costs no statement.
      if (max > 0 && (await countRequest(`source from ${networkOf(addressOf(request.raw))}`)).current > max)
        return sendShared(
          request,
          reply.header('retry-after', 60),
          'tooManyRequests',
          `More than ${max} requests came from this address in a minute. Try again in a minute.`,
        )
      const found = await pressure.during(() => describeSource(provider.toLowerCase(), name))
      const isForPerson = (request.headers.accept ?? '').includes('text/html')
      if (found === undefined)
        return isForPerson
          ? sendFormPage(reply.code(404), 'Nothing is at this address', html`<p>${nothingHere}</p>`)
          : sendShared(request, reply, 'unknownAddress', nothingHere)
      return isForPerson ? sendDescription(reply, found) : found
    },
  )
}

const nothingHere = 'The address is not complete, or it was closed. Ask whoever gave it to you.'

function sendDescription(reply: FastifyReply, found: SourceDescription): FastifyReply {
  const { locationName, phoneNumber, address = {}, geoLocation } = found
  const street = [address.streetAddress1, address.streetAddress2].filter(Boolean).join(', ')
  const coordinates = geoLocation?.gpsCoordinates?.join(', ')
  return sendFormPage(
    reply,
    locationName ?? 'Location',
    html`<p>Source of a traceability lot code: its location description, as 21 CFR 1.1310 defines it.</p>
${definitions([
  ['Business name', locationName],
  ['Phone number', phoneNumber],
  ['Street address', street || undefined],
  ['City', address.city],
  ['State or region', address.state],
  ['Postal code', address.postalCode],
  ['Country', address.country],
  ['Coordinates', coordinates || undefined],
])}`,
  )
}
