// The refusal of a body that has a shape and no rules besides.
import type { TSchema } from 'typebox'
import { shapeFindings } from '../rules/shape.ts'
import type { Answer, Ask } from './handler.ts'

/** Undefined when the body has the shape. `consequence` says what was not done for it. */
export function shapeRefusal(shape: TSchema, { body }: Ask, consequence: string): Answer<'refused'> | undefined {
  const findings = shapeFindings(shape, body.value)
  const [first] = findings
  return (
    first && {
      outcome: 'refused',
      detail: `${first.pointer}: ${first.message} ${consequence}`,
      findings,
      findingCount: findings.length,
    }
  )
}
