// The findings of a judgement that do not refuse it. Those of a careless sender are a few rules on
// many lines, so what is the same at several entries of a list is kept once: no object per finding.
import { type FindingSet, type FindingValue, type KeptFinding, pointerInEach } from '../contract/shape/finding.ts'
import type { Breach, Rule } from './rule.ts'

/** The subject of a rule, and where it is. */
export interface SubjectPlace {
  /** JSON Pointer of the subject. */
  at: string
  /** The record of the payload it belongs to; undefined when it belongs to all. */
  record: number | undefined
  /** JSON Pointer of the list that has it as an entry, in a record with several; and its index. */
  list: string | undefined
  entry: number
}

/** A finding, or the same sentence at entries of a list. */
interface Group extends Pick<Breach, 'says' | 'vendors'> {
  readonly rule: Rule<never>
  readonly record: number | undefined
  /** True of a finding that an earlier record has as well, about a place they share. */
  readonly isRepeated: boolean
  /** JSON Pointer into the payload; of a group, below each entry. */
  readonly pointer: string
  readonly list: string | undefined
  /** The entries with the same values; a single finding has one set without entries. */
  readonly sets: EntrySet[]
}

interface EntrySet {
  readonly values: readonly FindingValue[]
  readonly entries: number[]
}

/** How far back equal values are looked for: those of most findings differ little. */
const setsComparedMax = 32

export class KeptFindings {
  readonly groups: Group[] = []
  /** Findings without the repeated ones. */
  count = 0
  /** The list that the newest groups are about. */
  #list: string | undefined
  /** Its first group. */
  #first = 0
  /** The first group that the next finding about the same entry may join, so that order is kept. */
  #next = 0
  #entry = -1

  add(rule: Rule<never>, breach: Breach, place: SubjectPlace): void {
    this.count++
    const { at, list, entry, record } = place
    if (list === undefined || breach.vendors !== undefined || !isBelow(breach.pointer, at)) {
      this.#addSingle(rule, breach, { record, isRepeated: false })
      return
    }
    const { says, values, vendors, pointer } = breach
    const group = this.#groupWith(rule, breach, at, this.#firstToJoin(list, entry))
    if (group !== undefined) addEntry(group.sets, values, entry)
    else {
      const sets = [{ values, entries: [entry] }]
      this.groups.push({
        rule,
        says,
        vendors,
        record,
        isRepeated: false,
        pointer: pointer.slice(at.length),
        list,
        sets,
      })
      this.#next = this.groups.length
    }
  }

  /** The first group that a finding at this entry may join. */
  #firstToJoin(list: string, entry: number): number {
    if (list !== this.#list) {
      this.#list = list
      this.#first = this.groups.length
      this.#entry = -1
    }
    if (entry !== this.#entry) {
      this.#entry = entry
      this.#next = this.#first
    }
    return this.#next
  }

  /** The first group from there on that says the same; the next finding joins one behind it. */
  #groupWith(rule: Rule<never>, { says, pointer }: Breach, at: string, from: number): Group | undefined {
    for (let n = from; n < this.groups.length; n++) {
      const group = this.groups[n] as Group
      if (group.rule !== rule || group.says !== says) continue
      if (pointer.length === at.length + group.pointer.length && pointer.endsWith(group.pointer)) {
        this.#next = n + 1
        return group
      }
    }
    return undefined
  }

  /** Adds a finding that an earlier record has as well: it is stored with its record. */
  addRepeated(rule: Rule<never>, breach: Breach, { record }: SubjectPlace): void {
    this.#addSingle(rule, breach, { record, isRepeated: true })
  }

  #addSingle(rule: Rule<never>, breach: Breach, of: Pick<Group, 'record' | 'isRepeated'>): void {
    this.#list = undefined
    const { pointer, says, values, vendors } = breach
    this.groups.push({ rule, says, vendors, pointer, list: undefined, sets: [{ values, entries: [] }], ...of })
  }
}

/** True of the pointer of a subject, and of one into it. */
const isBelow = (pointer: string, at: string): boolean =>
  pointer.startsWith(at) && (pointer.length === at.length || pointer[at.length] === '/')

function addEntry(sets: EntrySet[], values: readonly FindingValue[], entry: number): void {
  for (let at = sets.length - 1; at >= Math.max(0, sets.length - setsComparedMax); at--) {
    const set = sets[at] as EntrySet
    if (areSame(set.values, values)) {
      set.entries.push(entry)
      return
    }
  }
  sets.push({ values, entries: [entry] })
}

const areSame = (values: readonly FindingValue[], others: readonly FindingValue[]): boolean =>
  values.length === others.length &&
  values.every((value, i) => {
    const other = others[i] as FindingValue
    return value === other || (typeof value === 'object' && typeof other === 'object' && areSame(value, other))
  })

/** A finding as it is stored. `locate` makes its pointer one into the record. */
export function storedForm(
  { rule, says, pointer, list, sets }: Group,
  locate: (pointer: string) => string = (same) => same,
): KeptFinding {
  if (list === undefined) return [rule.id, says, locate(pointer), ...(sets[0]?.values ?? [])]
  const stored = sets.map(({ values, entries }): FindingSet => [entries, ...values])
  return [rule.id, says, locate(pointerInEach(list, pointer)), stored]
}
