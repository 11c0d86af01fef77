// `lotkeeper plan`: shows the traceability plan with its gaps, and replaces it.
import type { ReadTraceabilityPlanRequest } from '../../client/generated/methods.ts'
import type { TraceabilityPlan } from '../../client/generated/shapes.ts'
import { type PlanContent, planParagraphs, planSaysNothing } from '../../contract/traceability-plan.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { plain, remarks, results } from '../../terminal/terminal.ts'
import { payloadIn } from '../base/payload-file.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

interface ShowOptions extends RemoteOptions {
  readonly version?: number
  readonly query: ReadTraceabilityPlanRequest<undefined>
}

export const showPlan = ({ version, query, ...options }: ShowOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const { body } =
      version === undefined ? await api.readTraceabilityPlan(query) : await api.readTraceabilityPlanVersion({ version })
    await results.write(options.json ? `${JSON.stringify(body.plan, null, 2)}\n` : planText(body))
    await sayGaps(body)
    return undefined
  })

interface SetOptions extends RemoteOptions {
  readonly ifMatch?: number
}

export async function setPlan(file: string, { ifMatch, ...options }: SetOptions): Promise<CommandEnd> {
  const payload = await payloadIn(file)
  if ('problem' in payload) return { problem: `${payload.place}: ${payload.problem}` }
  return withClient(options, async (api) => {
    const { body } = await api.replaceTraceabilityPlan({
      body: payload.body.value as PlanContent,
      ...(ifMatch !== undefined && { ifMatch }),
    })
    await results.write(
      options.json ? `${JSON.stringify(body)}\n` : `Version ${body.version} of the traceability plan is in force.\n`,
    )
    await sayGaps(body)
    return undefined
  })
}

function planText({ version, inForceFrom, replacedDateTime, plan, service }: TraceabilityPlan): string {
  const until = replacedDateTime === null ? '' : ` to ${replacedDateTime}`
  const lines = [
    version === 0 ? 'No traceability plan is stored.' : `Version ${version}, in force from ${inForceFrom}${until}`,
  ]
  for (const { cites, title, partsOf } of planParagraphs) {
    const parts = partsOf(plan)
    lines.push('', `${title} (${cites})`)
    if (parts.length === 0) lines.push(planSaysNothing)
    for (const { heading, text } of parts)
      lines.push(...(heading === undefined ? [] : [`${heading}:`]), plainLines(text))
    for (const { subject, statement } of service.statements.filter((one) => one.cites === cites))
      lines.push(`${subject}: ${statement}`)
  }
  return `${lines.join('\n')}\n`
}

const plainLines = (text: string): string => text.split('\n').map(plain).join('\n')

async function sayGaps({ gaps }: TraceabilityPlan): Promise<void> {
  for (const { cites, message, remedy } of gaps) await remarks.say(`${cites}: ${message} ${remedy}`)
}
