// Floor (a) where there is no pgbench: the same SQL through the bare driver, prepared once per
// connection.
import pg from 'pg'
import { quantile } from './statistics.ts'

/** What to run, with `:name` where a value goes, as pgbench writes it. */
export interface DriverOrder {
  readonly databaseUrl: string
  readonly sql: string
  readonly values: Readonly<Record<string, string>>
  readonly records: number
  readonly connections: number
  readonly warmUpMs: number
  readonly measuredMs: number
}

export interface DriverResult {
  readonly perSecond: number
  readonly meanMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

process.on('message', (order: DriverOrder) => {
  carryOut(order).then(
    (result) => process.send?.(result),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function carryOut(order: DriverOrder): Promise<DriverResult> {
  const names: string[] = []
  const text = order.sql.replaceAll(/(?<!:):([a-z]+)/g, (_, name: string) => `$${names.push(name)}`)
  const clients = await Promise.all(
    Array.from({ length: order.connections }, async () => {
      const client = new pg.Client({ connectionString: order.databaseUrl })
      await client.connect()
      return client
    }),
  )
  const latencies: number[] = []
  const measureFrom = performance.now() + order.warmUpMs
  const stopAt = measureFrom + order.measuredMs
  await Promise.all(
    clients.map(async (client, i) => {
      for (;;) {
        const sentAt = performance.now()
        if (sentAt >= stopAt) return client.end()
        const drawn: Record<string, string> = {
          ...order.values,
          // From records of its own, so that none waits for another's lock.
          n: String(
            i + 1 + order.connections * Math.floor(Math.random() * Math.floor(order.records / order.connections)),
          ),
          mark: String(1 + Math.floor(Math.random() * 2 ** 53)),
        }
        await client.query({ name: 'floor', text, values: names.map((name) => drawn[name]) })
        const now = performance.now()
        if (now >= measureFrom && now < stopAt) latencies.push(now - sentAt)
      }
    }),
  )
  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: latencies.length / (order.measuredMs / 1000),
    meanMs: latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}
