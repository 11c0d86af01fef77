// Shapes of answers: objects without further properties, and their described values.
import type { TSchema } from 'typebox'
import { Type } from '../contract/shape/type.ts'

export const shape = <P extends Record<string, TSchema>>(title: string, properties: P, description: string) =>
  Type.Object(properties, { title, additionalProperties: false, description })

export const text = (description: string) => Type.String({ description })
export const whole = (description: string) => Type.Integer({ description })
