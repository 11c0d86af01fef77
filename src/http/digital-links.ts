// A GS1-conformant resolver: leads from a GS1 Digital Link to what the service shows about the
// item, pallet or location. It answers from the address alone and looks nothing up, so it reveals
// nothing: what it leads to needs a key or a session. Source: GS1-Conformant Resolver Standard
// 1.2, RFC 9264; decision 0099.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type DigitalLink,
  digitalLinkPath,
  formerKeyNames,
  primaryKeyNames,
  readDigitalLinkPath,
} from '../contract/text/digital-link.ts'
import { sendShared } from './problem.ts'

const vocabulary = 'https://ref.gs1.org/voc/'
/** Other names of the vocabulary, which it declares as equivalent. */
const vocabularyNames = ['gs1:', vocabulary, 'https://gs1.org/voc/', 'https://www.gs1.org/voc/']
const linksetType = 'application/linkset+json'
const linksetContext = 'https://ref.gs1.org/standards/resolver/linkset-context'

export function mountDigitalLinks(server: FastifyInstance): void {
  for (const key of primaryKeyNames) {
    server.get(`/${key}/*`, (request, reply) => resolve(request, allowEveryOrigin(reply)))
    server.options(`/${key}/*`, (_request, reply) =>
      allowEveryOrigin(reply).code(204).header('allow', methods).header('access-control-allow-methods', methods).send(),
    )
  }
  for (const [name, key] of Object.entries(formerKeyNames))
    server.get(`/${name}/*`, (request, reply) =>
      sendShared(
        request,
        allowEveryOrigin(reply),
        'badAddress',
        `GS1 withdrew names such as /${name}/ from Digital Links in 2022. Write /${key}/.`,
      ),
    )
  server.get('/.well-known/gs1resolver', async (request, reply) => {
    allowEveryOrigin(reply).header('cache-control', 'no-store')
    return {
      name: 'Lotkeeper',
      resolverRoot: originOf(request),
      supportedPrimaryKeys: primaryKeyNames,
      supportedLinkType: [{ namespace: vocabulary, prefix: 'gs1:' }],
      linkTypeDefaultCanBeLinkset: false,
    }
  })
}

const methods = 'GET, HEAD, OPTIONS'

/** Programs in pages of other sites resolve links. No answer depends on who asks. */
const allowEveryOrigin = (reply: FastifyReply): FastifyReply =>
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'link, location')

const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`

function resolve(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = '', query = ''] = request.url.split(/\?(.*)/s)
  const link = readDigitalLinkPath(path)
  if ('problem' in link) return sendShared(request, reply, 'badAddress', link.problem)
  reply.header('cache-control', 'no-store').header('vary', 'accept')
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('linkType')
  const accepted = mediaTypesIn(request.headers.accept)
  const origin = originOf(request)
  if (wanted === 'linkset' || wanted === 'all' || accepted.includes(linksetType))
    return reply
      .header('link', `<${linksetContext}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`)
      .type(linksetType)
      .send(JSON.stringify(linksetOf(link, origin)))
  const all = linksOf(link)
  const fitting = wanted === null ? all : all.filter(({ type }) => isNamed(wanted, type))
  const target = fitting.find(({ mediaType }) => mediaType === accepted[0]) ?? fitting[0]
  if (target === undefined)
    return sendShared(
      request,
      reply,
      'unknownAddress',
      `There is no link of type ${wanted?.slice(0, 60)} here. There are ${typesOf(all).join(', ')}.`,
    )
  parameters.delete('linkType')
  const linkset = `${origin}${digitalLinkPath(link)}?linkType=linkset`
  return reply
    .header('link', `<${linkset}>; rel="linkset"; type="${linksetType}"`)
    .redirect(target.takesQuery ? withQuery(target.path, parameters) : target.path, 307)
}

const typesOf = (links: readonly Link[]): readonly string[] => [...new Set(links.map(({ type }) => `gs1:${type}`))]

const isNamed = (wanted: string, type: LinkType): boolean =>
  vocabularyNames.some((name) => wanted === name + type || (wanted === `${name}defaultLink` && type === 'traceability'))

/** Media types of an Accept header that are not refused, in their order. */
const mediaTypesIn = (accept = ''): readonly string[] =>
  accept
    .split(',')
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(';', 1)[0]?.trim().toLowerCase() ?? '')

const withQuery = (path: string, more: URLSearchParams): string =>
  more.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${more}`

type LinkType = 'traceability' | 'epcis' | 'locationInfo'

interface Link {
  readonly type: LinkType
  readonly path: string
  readonly title: string
  readonly mediaType: string
  /** Operations refuse parameters that they do not declare. Pages ignore them. */
  readonly takesQuery: boolean
}

/** The links of one level, the default first. */
function linksOf({ key, value, qualifiers }: DigitalLink): readonly Link[] {
  const lot = qualifiers.get('10')
  if (key === '01' && lot !== undefined) {
    const lotCode = `(01)${value}(10)${lot}`
    return [
      page('traceability', `/console/trace?${new URLSearchParams({ lotCode })}`, `Trace of lot ${lot}`),
      operation(
        'traceability',
        `/traceability/lots/${encodeURIComponent(lotCode)}`,
        `Trace of lot ${lot}, as JSON`,
        'application/json',
      ),
      operation(
        'epcis',
        `/traceability/epcis?${new URLSearchParams({ lotCode })}`,
        `EPCIS events of lot ${lot}`,
        'application/ld+json',
      ),
    ]
  }
  const what = { '00': 'pallet', '01': 'item', '414': 'location' }[key]
  const type = key === '414' ? 'locationInfo' : 'traceability'
  return [
    page(type, `/console/?${new URLSearchParams({ find: value })}`, `Records of ${what} ${value}`),
    operation(
      type,
      `/search?${new URLSearchParams({ text: value })}`,
      `Records of ${what} ${value}, as JSON`,
      'application/json',
    ),
  ]
}

const page = (type: LinkType, path: string, title: string): Link => ({
  type,
  path,
  title,
  mediaType: 'text/html',
  takesQuery: true,
})

const operation = (type: LinkType, path: string, title: string, mediaType: string): Link => ({
  type,
  path,
  title,
  mediaType,
  takesQuery: false,
})

/** The links of each level, from the qualifiers up to the key alone. */
function linksetOf(link: DigitalLink, origin: string) {
  const levels = [...link.qualifiers.keys()].map((_, i) => new Map([...link.qualifiers].slice(0, i + 1))).reverse()
  return {
    linkset: [...levels, new Map<string, string>()].map((qualifiers) => {
      const level = { ...link, qualifiers }
      const links = linksOf(level)
      const [first] = links
      return {
        anchor: origin + digitalLinkPath(level),
        itemDescription: first?.title ?? '',
        // The standard wants a default without attributes, described again by its type.
        [`${vocabulary}defaultLink`]: links.slice(0, 1).map(({ path, title }) => ({ href: origin + path, title })),
        ...Object.fromEntries(
          [...new Set(links.map(({ type }) => type))].map((type) => [
            vocabulary + type,
            links
              .filter((one) => one.type === type)
              .map(({ path, title, mediaType, takesQuery }) => ({
                href: origin + path,
                title,
                type: mediaType,
                hreflang: ['en'],
                ...(!takesQuery && { fwqs: false }),
              })),
          ]),
        ),
      }
    }),
  }
}
