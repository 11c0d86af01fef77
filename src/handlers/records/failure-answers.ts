// Answers that several handlers give when nothing was written.

import type { TSchema } from 'typebox'
import type { RecordKind } from '../../contract/record-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { Verdict } from '../../rules/judge.ts'
import { shapeFindings } from '../../rules/shape.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { missingRecord } from './read.ts'
import type { StoredKind } from './stored-kinds.ts'

/**
 * `whole` is the record that a replacement overwrites: a sender with several missing fields may
 * have meant to change only the others.
 */
export function refusedAnswer({ findings, findingCount, severities }: Verdict, whole?: RecordKind): Answer<'refused'> {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const [first, ...others] = errors
  const more = others.length > 0 ? ` ${pluralize(others.length, 'more error')} below.` : ''
  const missing = errors.filter(({ rule }) => rule === 'shape/required').length
  const partial =
    whole !== undefined && missing > 1
      ? ` A replacement replaces the whole ${whole.noun}. Read it, apply your changes, and send it complete.`
      : ''
  return {
    outcome: 'refused',
    detail: `${first?.pointer || 'The body'}: ${first?.message ?? ''}${more}${partial} Nothing was stored.`,
    findings,
    findingCount,
    severities,
  }
}

/**
 * For a body with a shape but no other rules: undefined when it is valid. `consequence` names the
 * work that was not done.
 */
export function shapeRefusal(
  shape: TSchema,
  { body }: OperationCall,
  consequence: string,
): Answer<'refused'> | undefined {
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

export const unknownRecord = async (
  context: HandlerContext,
  call: OperationCall,
  kind: RecordKind,
): Promise<Answer<'unknownRecord'>> => ({
  outcome: 'unknownRecord',
  detail: `${await missingRecord(context, call, kind)} A replacement never creates a record.`,
})

/**
 * `holder` is missing when it released the key between the write and the read: the sender may try
 * again.
 */
export function takenAnswer<Search, Taken extends 'taken'>(
  key: NonNullable<StoredKind<Search, Taken>['key']>,
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
        : `${what} is held by record ${holder.id}. Replace that record, or correct the payload.`,
    ...(holder && { heldBy: holder.id }),
  }
}
