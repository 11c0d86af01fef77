// The open pages about the API: /openapi.json, /docs (interactive, without any request to another
// host), a page per problem, rule and field.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { type Outcome, type Outcomes, outcomesOf } from '../operations/base/operation.ts'
import { catalogue } from '../operations/catalogue.ts'
import { definitions, html, prose, sendPage } from './docs-page.ts'
import { openapi } from './openapi.ts'
import { problemPath, sendShared, serverOutcomes } from './problem.ts'
import { mountReferencePages } from './reference-pages.ts'
import { viewerStyle } from './viewer-style.ts'

export const retryWords: Readonly<Record<Outcome['retry'], string>> = {
  never: 'Sending the same request again does not change the answer.',
  changed: 'Correct the request before you send it again.',
  later: 'Retry the same request later, unchanged.',
}

export async function mountDocs(server: FastifyInstance): Promise<void> {
  const document = JSON.stringify(openapi)
  server.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  await server.register(swagger, { mode: 'static', specification: { document: JSON.parse(document) } })
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    // The viewer styles itself inline; scripts come from files of this server only.
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      tryItOutEnabled: true,
      persistAuthorization: false,
      validatorUrl: null,
    },
    theme: { title: 'Lotkeeper API', css: [{ filename: 'lotkeeper.css', content: viewerStyle }] },
  })

  mountReferencePages(server)
  server.get<{ Params: { name: string } }>(`${problemPath}/:name`, (request, reply) => {
    const { name } = request.params
    const outcomes = findOutcomes(name)
    const [first] = outcomes
    if (first === undefined) return sendShared(request, reply, 'unknownAddress', 'There is no such problem.')
    const whens = [...new Set(outcomes.map(({ when }) => when))]
    const ends = catalogue.filter((operation) => Object.hasOwn(outcomesOf(operation), name))
    return sendPage(
      reply,
      name,
      undefined,
      html`${whens.map((when) => html`<p>${prose(when)}</p>`)}${definitions([
        ['HTTP status', String(first.status)],
        ['What to do', retryWords[first.retry]],
        ['Operations', ends.length === 0 ? undefined : ends.map((operation) => operation.name).join(', ')],
      ])}`,
    )
  })
}

/** Outcomes with this name: operations can have the same one for different reasons. */
const findOutcomes = (name: string): Outcome[] =>
  [serverOutcomes, ...catalogue.map(outcomesOf)].flatMap((outcomes: Outcomes) => {
    const outcome = Object.hasOwn(outcomes, name) ? outcomes[name] : undefined
    return outcome === undefined ? [] : [outcome]
  })
