// `lotkeeper findings`: what is to say of a record, as it was judged when it was submitted, or as it is judged today.
import type { Finding } from '../contract/finding.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { results } from '../terminal/terminal.ts'
import { countText, findingsText } from './findings.ts'
import { ask, type KindWord, readRecord } from './kinds.ts'
import { type RemoteOptions, withClient } from './remote.ts'

interface FindingsOptions extends RemoteOptions {
  readonly kind?: KindWord
  readonly version?: number
  readonly judged?: string
  readonly json?: boolean
}

interface Findings {
  readonly version: number
  readonly findings: readonly Finding[]
  readonly findingCount: number
}

export const recordFindings = async (id: string, options: FindingsOptions): Promise<CommandEnd> => {
  const { version, judged, json = false } = options
  if (version !== undefined && judged === 'now')
    return {
      problem: 'Only the current version can be judged now. Omit --version, or omit --judged now.',
      calledWrongly: true,
    }
  return withClient(options, async (api) => {
    const { operations, body: record } = await readRecord(api, id, options)
    const asked =
      version === undefined
        ? ask<Findings>(api, operations.readFindings, { id, ...(judged !== undefined && { judged }) })
        : ask<Findings>(api, operations.readVersionFindings, { id, version })
    const { body } = await asked
    if (json) await results.write(`${JSON.stringify(body, undefined, 2)}\n`)
    else {
      const when = judged === 'now' ? 'today' : 'when it was submitted'
      const title = `${operations.kind.noun} ${record.id}, version ${body.version}: ${countText(body.findings, body.findingCount)} ${when}`
      await results.write(`${results.styled('bold', title)}\n${findingsText(undefined, body.findings, results)}`)
    }
    return undefined
  })
}
