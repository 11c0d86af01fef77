// Writes settings that a provider declares under keys of its own: all changes of a call, or none.
import { isGiven } from '../../contract/shape/field.ts'
import {
  declaredSettings,
  keyNouns,
  type SettingChange,
  type SettingKind,
  settingsLengthMax,
  settingsMax,
  writeDeclaredSettings,
} from '../../store/base/declared-settings.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { editUnderCondition } from './conditions.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'

interface Declaration<Sent> {
  readonly kind: SettingKind
  /** The noun for the settings of a key, such as `targets`. */
  readonly nouns: string
  /** What is edited, where it is no list of them. */
  readonly what?: string
  readonly settingOf: (sent: Sent) => SettingChange
  /** Its key as it stands in a sentence. */
  readonly wordsOf: (key: string) => string
  readonly faultOf: (sent: Sent, whose: string) => string | undefined
}

/** The body has its shape already. */
export async function setDeclared<Sent>(
  { store }: HandlerContext,
  call: OperationCall,
  all: readonly Sent[],
  { kind, nouns, what = `The list of ${nouns}`, settingOf, wordsOf, faultOf }: Declaration<Sent>,
): Promise<Answer<'refused' | 'stale' | 'set'>> {
  const { provider, keyId, requestId } = call
  const refused = (fault: string): Answer<'refused'> => ({ outcome: 'refused', detail: `${fault} ${nothingSet}` })
  const seen = new Set<string>()
  const changes: SettingChange[] = []
  for (const sent of all) {
    const change = settingOf(sent)
    const { key } = change
    const whose = wordsOf(key)
    const fault = seen.has(key) ? `The ${nouns} of ${whose} are listed twice. List them once.` : faultOf(sent, whose)
    if (fault !== undefined) return refused(fault)
    seen.add(key)
    changes.push(change)
  }
  const end = await editUnderCondition(store, call, { edited: kind, what }, (allowed) =>
    writeDeclaredSettings(store, { provider, kind, settings: changes }, { who: keyId, requestId }, allowed),
  )
  if (end === 'tooMany')
    return refused(
      `At most ${settingsMax[kind].toLocaleString('en-US')} ${keyNouns[kind]} can have ${nouns}, of ${settingsLengthMax.toLocaleString('en-US')} characters together. Remove some.`,
    )
  if (typeof end !== 'number') return end
  return { outcome: 'set', version: end, body: { set: all.length } }
}

export const nothingSet = 'Nothing was set.'

/** The settings of a kind with the version of their list; `field` names what was sent. */
export async function listDeclared(store: Queryable, provider: string, kind: SettingKind, field: string) {
  // Read before the settings: a change in between then makes the version too old.
  const version = await versionOfSetting(store, provider, kind)
  const declared = await declaredSettings(store, provider, kind)
  const content = declared.map(({ value, setAt, setBy }) => ({
    [field]: value,
    setDateTime: setAt.toISOString(),
    setBy,
  }))
  return { version, content }
}

/** The declared values that are not blank; undefined without any. */
export function givenValues<Value extends object>(declared: Value): Value | undefined {
  const given = Object.entries(declared).filter(([, value]) => isGiven(value))
  return given.length === 0 ? undefined : (Object.fromEntries(given) as Value)
}
