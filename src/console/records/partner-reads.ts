// What a partner read, in words: by day and key, alike requests together. Pure.
import type { PartnerAccess } from '../../client/generated/shapes.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { groupsOf } from '../../groups.ts'
import { labelOf } from '../words/labels.ts'

/** What one key read on one day, in UTC. */
export interface DayOfReads {
  readonly day: string
  readonly who: string
  readonly keyName: string | null
  /** The latest first. */
  readonly reads: readonly string[]
}

/** `accesses` are in order, the newest first. */
export function readsByDay(accesses: readonly PartnerAccess[]): readonly DayOfReads[] {
  const days = groupsOf(accesses, ({ beganDateTime, who }) => `${beganDateTime.slice(0, 10)} ${who}`)
  return [...days.values()].map((entries) => {
    const [{ beganDateTime, who, keyName }] = entries
    const alike = groupsOf(entries, wordsOf)
    return {
      day: beganDateTime.slice(0, 10),
      who,
      keyName,
      reads: [...alike].map(([words, { length }]) => (length === 1 ? words : `${words} (${length} times)`)),
    }
  })
}

const others: Readonly<Record<string, string>> = {
  acceptInvitation: 'Accepted the invitation',
  countEventsByDay: 'Opened the overview',
  countFdaLines: 'Chose records for FDA',
  createSession: 'Signed in',
  endOwnSessions: 'Signed out everywhere',
  endSession: 'Signed out',
  exportEpcis: 'Downloaded EPCIS events',
  exportFdaPackage: 'Downloaded an FDA package',
  exportFdaSpreadsheet: 'Downloaded FDA’s spreadsheet',
  listChanges: 'Followed the changes',
  listCheckpoints: 'Looked at checkpoints',
  listLimits: 'Looked at limits',
  listSigningKeys: 'Looked at checkpoints',
  listVoids: 'Looked through voided events',
  readCompleteness: 'Looked at completeness',
  readInvitation: 'Opened the invitation',
  readLastFdaPackage: 'Opened the overview',
  readNewestPosition: 'Followed the changes',
  readOwnKey: 'Checked its key',
  readSession: 'Signed in',
}

const ofKinds: Readonly<Record<string, string>> = Object.fromEntries(
  recordKinds.flatMap(({ name, nouns }) => {
    const one = capitalize(name)
    return [
      [`list${one}s`, `Looked through ${nouns}`],
      [`list${one}Values`, `Looked through ${nouns}`],
      [`list${one}Versions`, `Looked at versions of ${nouns}`],
      [`read${one}`, `Opened ${nouns}`],
      [`read${one}Findings`, `Looked at findings of ${nouns}`],
      [`read${one}Version`, `Looked at versions of ${nouns}`],
      [`read${one}VersionFindings`, `Looked at findings of ${nouns}`],
      [`save${one}List`, `Saved a list of ${nouns}`],
    ]
  }),
)

function wordsOf({ operation, asked, ending, records }: PartnerAccess): string {
  const { lotCode, text } = asked as { readonly lotCode?: unknown; readonly text?: unknown }
  if (operation === 'traceLot') return `Traced lot ${String(lotCode)}`
  if (operation === 'traceChain') return `Followed lot ${String(lotCode)} through its chain`
  if (operation === 'search') return `Searched for “${String(text)}”`
  const words = others[operation] ?? ofKinds[operation] ?? labelOf(operation)
  if (!/^(?:export|save)/.test(operation)) return words
  const size = records === null ? '' : ` with ${pluralize(records, 'record')}`
  return words + size + (ending === 'done' ? '' : ', not complete')
}
