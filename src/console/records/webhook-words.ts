// Webhooks in words: their messages, and their state. Pure.

import type { Webhook, WebhookSettings } from '../../client/generated/shapes.ts'
import { alertTypes } from '../../contract/alerts.ts'
import { changeTypes, damagedType } from '../../contract/changes.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { batchType, testType, wantsAlert, wantsChange } from '../../contract/webhooks.ts'
import { durationWords } from '../words/drills.ts'
import { labelOf } from '../words/labels.ts'

export interface TypeGroup {
  /** `receivingEvent`, `alert`. */
  readonly name: string
  readonly words: string
  /** Types of messages, and the label of each within its group. */
  readonly types: readonly { readonly type: string; readonly words: string }[]
}

const groupOf = (name: string, words: string, types: readonly string[]): TypeGroup => ({
  name,
  words,
  types: types.flatMap((type) => {
    const [group, what = ''] = type.split('.')
    return group === name ? [{ type, words: labelOf(what) }] : []
  }),
})

/** Only events are voided. Source: decision 0066. */
const happens = (type: string): boolean => !type.endsWith('.voided') || type.endsWith('Event.voided')

/** Every type of message, in groups. */
export const typeGroups: readonly TypeGroup[] = [
  ...recordKinds.map(({ name, nouns }) => groupOf(name, capitalize(nouns), changeTypes.filter(happens))),
  groupOf('alert', 'Alerts', alertTypes),
]

const isChange = (type: string): boolean => !type.startsWith('alert.')
const allTypes = typeGroups.flatMap(({ types }) => types.map(({ type }) => type))

/** The types that these patterns match. Without patterns: every change and no alert. */
export const typesOf = (patterns: readonly string[]): ReadonlySet<string> =>
  new Set(allTypes.filter((type) => (isChange(type) ? wantsChange : wantsAlert)(patterns, type)))

/** The shortest patterns for these types. They also match kinds that are added later. */
export function patternsOf(chosen: ReadonlySet<string>): string[] {
  if (allTypes.every((type) => chosen.has(type) === isChange(type))) return []
  return typeGroups.flatMap(({ name, types }) => {
    const within = types.map(({ type }) => type).filter((type) => chosen.has(type))
    return within.length === types.length ? [`${name}.*`] : within
  })
}

/** The settings of a webhook, as its form sends them. */
export function webhookSettings({ url, types, payload, ...webhook }: Webhook): WebhookSettings {
  const names = ['description', 'dataProviderVendorId', 'shipToLocationCode', 'lotCode'] as const
  const given = names.flatMap((name) => (webhook[name] ? [[name, webhook[name]]] : []))
  return { url, ...Object.fromEntries(given), types: patternsOf(typesOf(types)), payload }
}

/** "All changes", "Receiving events: created, voided. Alerts." */
export function sentWords(patterns: readonly string[]): string {
  if (patterns.length === 0) return 'All changes of records'
  const chosen = typesOf(patterns)
  return typeGroups
    .flatMap(({ words, types }) => {
      const within = types.filter(({ type }) => chosen.has(type))
      if (within.length === 0) return []
      return within.length === types.length
        ? [words]
        : [`${words}: ${within.map(({ words }) => words.toLowerCase()).join(', ')}`]
    })
    .join('. ')
}

/** The name of a webhook: its description, or else its host. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  if (description) return description
  return URL.canParse(url) ? new URL(url).host : url
}

type Waiting = Pick<
  Webhook,
  'changesBehind' | 'secondsBehind' | 'types' | 'dataProviderVendorId' | 'shipToLocationCode' | 'lotCode'
>

/**
 * The backlog: "nothing", "1,204 changes, the oldest for 3 min 20 s". A webhook with filters may
 * skip some of them.
 */
export function waitingWords({ changesBehind, secondsBehind, ...webhook }: Waiting): string {
  if (changesBehind === 0) return 'nothing'
  const { types, dataProviderVendorId, shipToLocationCode, lotCode } = webhook
  const isAll = types.length === 0 && (dataProviderVendorId ?? shipToLocationCode ?? lotCode) === null
  const duration = secondsBehind < 60 ? `${secondsBehind} s` : durationWords(secondsBehind)
  return `${isAll ? '' : 'at most '}${pluralize(changesBehind, 'change')}, ${changesBehind === 1 ? '' : 'the oldest '}for ${duration}`
}

/** The type of a message: "Receiving event created", "12 changes", "Alert: vendor silent". */
export function messageWords(type: string, changes: number): string {
  if (type === batchType) return pluralize(changes, 'change')
  if (type === testType) return 'Test message'
  if (type === damagedType) return 'A change that the database lost'
  const [group, what = ''] = type.split('.')
  if (group === 'alert') return `Alert: ${labelOf(what).toLowerCase()}`
  const kind = recordKinds.find(({ name }) => name === group)
  return kind === undefined ? type : capitalize(`${kind.noun} ${what}`)
}
