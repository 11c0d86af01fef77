// The settings that rules use, as they are in force.
import type { RuleSettingsBody } from '../../operations/base/settings.ts'
import type { Answer, HandlerContext } from './handler.ts'

export const readSettings =
  ({ settings }: HandlerContext) =>
  async (): Promise<Answer<'found'>> => ({ outcome: 'found', body: settings satisfies RuleSettingsBody })
