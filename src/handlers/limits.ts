// Lists the limits of the service (decision 0042).
import { limitsOf } from '../limits.ts'
import type { Answer, HandlerContext } from './base/handler.ts'

export const listLimits =
  ({ limits }: HandlerContext) =>
  async (): Promise<Answer<'listed'>> => ({ outcome: 'listed', body: { content: limitsOf(limits) } })
