// Answers that several handlers give when nothing was written.
import type { TSchema } from 'typebox'
import type { Verdict } from '../rules/judge.ts'
import { shapeFindings } from '../rules/shape.ts'
import type { Answer, Ask } from './handler.ts'
import type { RecordKeeping } from './record-keeping.ts'

export function refused({ findings, findingCount }: Verdict): Answer<'refused'> {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const [first, ...others] = errors
  const more = others.length > 0 ? ` ${others.length} more ${others.length === 1 ? 'error' : 'errors'} below.` : ''
  return {
    outcome: 'refused',
    detail: `${first?.pointer || 'The body'}: ${first?.message ?? ''}${more} Nothing was stored.`,
    findings,
    findingCount,
  }
}

/** For a body that has a shape and no rules besides: undefined when it has it. `consequence` says what was not done. */
export function shapeRefusal(shape: TSchema, { body }: Ask, consequence: string): Answer<'refused'> | undefined {
  const { findings, findingCount } = shapeFindings(shape, body.value)
  const [first] = findings
  return (
    first && {
      outcome: 'refused',
      detail: `${first.pointer}: ${first.message} ${consequence}`,
      findings,
      findingCount,
    }
  )
}

export const unknownRecord = (noun: string, id: string): Answer<'unknownRecord'> => ({
  outcome: 'unknownRecord',
  detail: `There is no ${noun} with id ${id.slice(0, 60)}. PUT replaces and never creates; create with POST.`,
})

/** `holder` is missing when it let go of the key between the write and the look: the sender may try again. */
export function taken<Search, Taken extends 'taken'>(
  key: NonNullable<RecordKeeping<Search, Taken>['key']>,
  searches: readonly Search[],
  holder: { readonly id: string; readonly index: number } | undefined,
): Answer<Taken> {
  const search = searches[holder?.index ?? 0]
  const what = search === undefined ? 'The key' : `The ${key.named(search)}`
  return {
    outcome: key.outcome,
    detail:
      holder === undefined
        ? `${what} was held by another record a moment ago. Send the request again.`
        : `${what} is held by record ${holder.id}. Replace that record with PUT, or correct the payload.`,
    ...(holder && { heldBy: holder.id }),
  }
}
