// Spans for a collector of OpenTelemetry: one for each request, statement and delivery, without
// payloads and secrets. Its packages are loaded only when the operator names a collector, and
// nothing waits for it (decision 0096).
import type { Attributes, Context, Link, Span, SpanContext, Tracer } from '@opentelemetry/api'
import { version } from './version.ts'

/** What is known of a request when it begins. */
interface BegunRequest {
  readonly id: string
  readonly method: string
  /** As declared; undefined where there is none. */
  readonly route: string | undefined
  /** As it may be logged; undefined of an unknown address. */
  readonly path: string | undefined
  readonly operation: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface RequestSpan {
  /** Runs what the request begins: statements and deliveries in it become its children. */
  run(work: () => void): void
  end(status: number, outcome: string | undefined): void
}

/** A message of a webhook, before it is sent. */
interface BegunDelivery {
  readonly messageId: string
  /** Ids of the requests that made the changes in it. */
  readonly causes: readonly string[]
}

interface EndedDelivery {
  readonly outcome: string
  readonly status: number | undefined
}

export interface Spans {
  request(request: BegunRequest): RequestSpan
  /** Outside of a request, such as of work in the background, a statement has no span. */
  statement<Result>(name: string, run: () => Promise<Result>): Promise<Result>
  /** What runs now, to be given to `together` later. */
  current(): unknown
  /** Runs statements for several: children of the first of them, with links to the others. */
  together<Result>(waiting: readonly unknown[], run: () => Promise<Result>): Promise<Result>
  /** Sends a message with the headers of the W3C trace context. */
  delivery<Ended extends EndedDelivery>(
    delivery: BegunDelivery,
    send: (headers: Readonly<Record<string, string>>) => Promise<Ended>,
  ): Promise<Ended>
  /** Sends what is left, for so long. */
  end(): Promise<void>
}

/** The packages that it takes, as npm names them. */
export const spanPackages = [
  '@opentelemetry/api@1.9',
  '@opentelemetry/resources@2',
  '@opentelemetry/sdk-trace-node@2',
  '@opentelemetry/exporter-trace-otlp-http@0.223',
]

/** Writes whose span a later delivery can name as its cause. */
const writesMax = 10_000
const endMsMax = 2_000

/**
 * Spans that go where OTEL_EXPORTER_OTLP_ENDPOINT and its like say. Undefined where a package is
 * missing. `onFault` hears of spans that could not be sent.
 */
export async function openSpans(onFault: (fault: string) => void): Promise<Spans | undefined> {
  const packages = await loadPackages().catch((error: { readonly code?: string }) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  })
  return packages && spansOf(packages, onFault)
}

async function loadPackages() {
  const [api, resources, sdk, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  return { api, resources, sdk, exporter }
}

type Packages = Awaited<ReturnType<typeof loadPackages>>

/** Makes the provider of this process, which reads the variables of OpenTelemetry by itself. */
function providerOf({ resources, sdk, exporter }: Packages, onFault: (fault: string) => void) {
  const sender = new exporter.OTLPTraceExporter()
  const provider = new sdk.NodeTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'lotkeeper', 'service.version': version }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        export: (spans, done) =>
          sender.export(spans, (result) => {
            if (result.code !== 0) onFault(result.error?.message ?? 'the collector gave no cause')
            done(result)
          }),
        shutdown: () => sender.shutdown(),
        forceFlush: () => sender.forceFlush(),
      }),
    ],
  })
  // Contexts by AsyncLocalStorage, and the headers of W3C.
  provider.register()
  return provider
}

function spansOf(packages: Packages, onFault: (fault: string) => void): Spans {
  const provider = providerOf(packages, onFault)
  const recorder: Recorder = {
    api: packages.api,
    tracer: provider.getTracer('lotkeeper', version),
    writes: new Map(),
  }
  return {
    request: requestSpans(recorder),
    ...statementSpans(recorder),
    delivery: deliverySpans(recorder),
    async end() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, endMsMax)
      })
      await Promise.race([provider.shutdown().catch(() => undefined), late])
      clearTimeout(timer)
    },
  }
}

/** What spans of every kind are made with. */
interface Recorder {
  readonly api: Packages['api']
  readonly tracer: Tracer
  /** The spans of the latest requests that may have written, by the id of the request. */
  readonly writes: Map<string, SpanContext>
}

function fail({ api }: Recorder, span: Span, cause: string, attributes: Attributes = {}): void {
  span.setAttributes({ 'error.type': cause, ...attributes })
  span.setStatus({ code: api.SpanStatusCode.ERROR })
}

function requestSpans(recorder: Recorder): Spans['request'] {
  const { api, tracer, writes } = recorder
  const { context, propagation, ROOT_CONTEXT, SpanKind, trace } = api
  const noteWrite = (requestId: string, written: SpanContext) => {
    writes.set(requestId, written)
    const [oldest] = writes.keys()
    if (writes.size > writesMax && oldest !== undefined) writes.delete(oldest)
  }
  return ({ id, method, route, path, operation, headers }) => {
    const parent = propagation.extract(ROOT_CONTEXT, headers)
    const span = tracer.startSpan(
      route === undefined ? method : `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': method,
          'url.scheme': 'http',
          'lotkeeper.request_id': id,
          ...(path !== undefined && { 'url.path': path }),
          ...(route !== undefined && { 'http.route': route }),
          ...(operation !== undefined && { 'lotkeeper.operation': operation }),
        },
      },
      parent,
    )
    const own = trace.setSpan(parent, span)
    if (method !== 'GET') noteWrite(id, span.spanContext())
    return {
      run: (work) => context.with(own, work),
      end(status, outcome) {
        span.setAttribute('http.response.status_code', status)
        if (outcome !== undefined) span.setAttribute('lotkeeper.outcome', outcome)
        if (status >= 500) fail(recorder, span, String(status))
        span.end()
      },
    }
  }
}

function statementSpans(recorder: Recorder): Pick<Spans, 'statement' | 'current' | 'together'> {
  const { api, tracer } = recorder
  const { context, createContextKey, ROOT_CONTEXT, SpanKind, trace } = api
  const linksKey = createContextKey('links of a statement')
  return {
    async statement(name, run) {
      const active = context.active()
      if (trace.getSpan(active) === undefined) return run()
      const span = tracer.startSpan(name, {
        kind: SpanKind.CLIENT,
        attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
        links: (active.getValue(linksKey) as Link[] | undefined) ?? [],
      })
      try {
        return await run()
      } catch (error) {
        // The message may quote a value of a payload.
        const code = String((error as { code?: unknown }).code ?? (error as Error).name)
        fail(recorder, span, code, { 'db.response.status_code': code })
        throw error
      } finally {
        span.end()
      }
    },

    current: () => context.active(),
    together(waiting, run) {
      const [first, ...others] = (waiting as readonly Context[]).filter((one) => trace.getSpan(one) !== undefined)
      if (first === undefined) return context.with(ROOT_CONTEXT, run)
      const own = trace.getSpanContext(first)
      const links = others.flatMap((one): Link[] => {
        const other = trace.getSpanContext(one)
        return other === undefined || other.spanId === own?.spanId ? [] : [{ context: other }]
      })
      return context.with(first.setValue(linksKey, links), run)
    },
  }
}

function deliverySpans(recorder: Recorder): Spans['delivery'] {
  const { api, tracer, writes } = recorder
  const { context, propagation, ROOT_CONTEXT, SpanKind, trace } = api
  return async ({ messageId, causes }, send) => {
    const known = causes.flatMap((cause) => writes.get(cause) ?? [])
    const [only] = known.length === 1 ? known : []
    const parent = only === undefined ? context.active() : trace.setSpanContext(ROOT_CONTEXT, only)
    const span = tracer.startSpan(
      'POST',
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'http.request.method': 'POST',
          'lotkeeper.message_id': messageId,
          'lotkeeper.causes': [...causes],
        },
        links: only === undefined ? known.map((one) => ({ context: one })) : [],
      },
      parent,
    )
    const headers: Record<string, string> = {}
    // Without the baggage of the request, which is not for receivers.
    propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers)
    try {
      const ended = await context.with(trace.setSpan(ROOT_CONTEXT, span), () => send(headers))
      span.setAttribute('lotkeeper.outcome', ended.outcome)
      if (ended.status !== undefined) span.setAttribute('http.response.status_code', ended.status)
      if (ended.outcome !== 'delivered') fail(recorder, span, String(ended.status ?? ended.outcome))
      return ended
    } finally {
      span.end()
    }
  }
}
