// `lotkeeper findings`: what is to say of a record, as it was judged when it was submitted, or as
// it is judged today.
import type { CommandEnd } from '../terminal/command-end.ts'
import { results } from '../terminal/terminal.ts'
import { countText, findingsText } from './findings.ts'
import { type KindWord, readRecord } from './kinds.ts'
import { type RemoteOptions, withClient } from './remote.ts'

interface FindingsOptions extends RemoteOptions {
  readonly kind?: KindWord
  readonly version?: number
  readonly judged?: 'then' | 'now'
  readonly json?: boolean
}

export const recordFindings = async (id: string, options: FindingsOptions): Promise<CommandEnd> => {
  const { version, judged, json = false } = options
  if (version !== undefined && judged === 'now')
    return {
      problem: 'Only the current version can be judged now. Omit --version, or omit --judged now.',
      calledWrongly: true,
    }
  return withClient(options, async (api) => {
    const { kind, body: record } = await readRecord(api, id, options)
    const { readFindings, readVersionFindings } = api.of(kind.name)
    const { body } = await (version === undefined ? readFindings({ id, judged }) : readVersionFindings({ id, version }))
    if (json) await results.write(`${JSON.stringify(body, undefined, 2)}\n`)
    else {
      const when = judged === 'now' ? 'today' : 'when it was submitted'
      const title = `${kind.noun} ${record.id}, version ${body.version}: ${countText(body.findings, body.findingCount)} ${when}`
      await results.write(`${results.styled('bold', title)}\n${findingsText(undefined, body.findings, results)}`)
    }
    return undefined
  })
}
