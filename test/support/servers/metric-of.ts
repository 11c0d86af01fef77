// One number of the metrics of a server process, which was started with METRICS_PORT.
import type { ServerProcess } from './server-process.ts'

export async function metricOf({ output }: ServerProcess, name: string): Promise<number> {
  const [, port, host] = /Metrics: port (\d+) of (\S+), \/metrics/.exec(output()) ?? []
  const text = await (await fetch(`http://${host}:${port}/metrics`)).text()
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? []
  if (value === undefined) throw new Error(`There is no metric ${name} in\n${text}`)
  return Number(value)
}
