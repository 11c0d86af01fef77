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

export const retryWords: Readonly<Record<Outcome['retry'], string>> = {
  never: 'Sending the same request again does not change the answer.',
  changed: 'Correct the request before you send it again.',
  later: 'Retry the same request later, unchanged.',
}

/**
 * Better contrast, and no choice of servers, because there is one. swagger-ui itself lacks names of
 * fields for screen readers: `test/console/pages/frame/docs.test.ts` lists the rest.
 */
const viewerStyle = `
.swagger-ui .scheme-container .schemes > .schemes-server-container { display: none }
.swagger-ui .json-schema-2020-12-head > .json-schema-2020-12-expand-deep-button { color: #4a5363 }
.swagger-ui .info .title small, .swagger-ui .info .title small pre { background: #4a5363 }
.swagger-ui .info .title small.version-stamp, .swagger-ui .info .title small.version-stamp pre { background: #3f6200 }
.swagger-ui a, .swagger-ui .info a, .swagger-ui .info .url { color: #0b57a4 }
.swagger-ui .btn.authorize { color: #0b6b4f; border-color: #0b6b4f }
.swagger-ui .btn.execute { background: #0b57a4 }
.swagger-ui .btn.cancel { color: #a31d16; border-color: #a31d16 }
.swagger-ui .microlight span[style='color: rgb(211, 99, 99);'] { color: #ff9d9d !important }
.swagger-ui .parameter__in { color: #4a5363 }
.swagger-ui .response-control-media-type__accept-message, .swagger-ui .response-control-media-type__accept-message code { color: #1d5a00 }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b57a4 }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0b6b4f }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00 }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e }
`

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
