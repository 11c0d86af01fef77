// Reads and sets the name under which others see the provider.
import type { Static } from 'typebox'
import { isGiven } from '../../contract/shape/field.ts'
import { displayNameOperations, type NewDisplayName } from '../../operations/sharing/display-name.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import { readProviderName } from '../../store/database/providers.ts'
import { nothingSet, setDeclared } from '../base/declared-settings.ts'
import { displayNameKind, setNameOf } from '../base/display-name.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

const readDisplayName =
  (context: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'found'>> => {
    const version = await versionOfSetting(context.store, provider, displayNameKind)
    return { outcome: 'found', version, body: await viewOf(context, provider) }
  }

const setDisplayName =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(displayNameOperations.setDisplayName.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const sent = call.body.value as Static<typeof NewDisplayName>
    const answer = await setDeclared(context, call, [sent], {
      kind: displayNameKind,
      nouns: 'name',
      what: 'The name',
      settingOf: ({ name }) => ({ key: '', value: name === undefined ? undefined : { name: name.trim() } }),
      wordsOf: () => 'the provider',
      faultOf: ({ name }) =>
        name !== undefined && !isGiven(name)
          ? 'name is blank. Write the name that others see, or omit it so that they see the name of the account.'
          : undefined,
    })
    return answer.outcome === 'set' ? { ...answer, body: await viewOf(context, call.provider) } : answer
  }

async function viewOf({ store }: HandlerContext, provider: string) {
  const [set, accountName] = await Promise.all([setNameOf(store, provider), readProviderName(store, provider)])
  return {
    name: set?.value.name ?? null,
    accountName,
    setDateTime: set?.setAt.toISOString() ?? null,
    setBy: set?.setBy ?? null,
  }
}

export const displayNameHandlers = { readDisplayName, setDisplayName }
