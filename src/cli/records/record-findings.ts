// `lotkeeper findings`: the findings of a record, as of its submission or by the current rules.
import type { CommandEnd } from '../../terminal/command-end.ts'
import { results } from '../../terminal/terminal.ts'
import { type KindWord, readRecord } from '../base/kinds.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { countText, findingsText } from './findings.ts'

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
    const readPage = async (cursor?: string) => {
      const page = cursor === undefined ? {} : { cursor }
      const answer =
        version === undefined ? readFindings({ id, judged, ...page }) : readVersionFindings({ id, version, ...page })
      return (await answer).body
    }
    const first = await readPage()
    const findings = [...first.findings]
    for (let { nextCursor } = first; nextCursor !== null; ) {
      const next = await readPage(nextCursor)
      findings.push(...next.findings)
      nextCursor = next.nextCursor
    }
    const { severities } = first
    if (json) await results.write(`${JSON.stringify({ ...first, findings, nextCursor: null }, undefined, 2)}\n`)
    else {
      const when = judged === 'now' ? 'today' : 'when it was submitted'
      const title = `${kind.noun} ${record.id}, version ${first.version}: ${countText(findings, severities)} ${when}`
      await results.write(`${results.styled('bold', title)}\n${findingsText(undefined, findings, results)}`)
    }
    return undefined
  })
}
