// Proves a rule by cases: small edits to a canonical payload which it accepts, and which it refuses
// at an exact place.
import { describe, expect, it } from 'vitest'
import { type RecordKindName, recordKinds } from '../../../src/contract/record-kinds.ts'
import { catalogue } from '../../../src/rules/catalogue.ts'
import { judge, readPayload, type Verdict } from '../../../src/rules/judge.ts'
import { type Facts, noFacts, type Rule, type RuleSettings, vendorKey } from '../../../src/rules/rule.ts'
import { deepFrozen, type Json } from '../../samples/declared-shapes.ts'
import { samplePayload } from '../../samples/payloads.ts'

export interface Accepted {
  /** Ends the sentence "accepts …" or "refuses …". */
  readonly title: string
  /** Kind of the sample that is edited; a receiving event when not said. */
  readonly kind?: RecordKindName
  readonly edit?: (payload: Json) => void
  readonly facts?: Partial<Facts>
  readonly settings?: Partial<RuleSettings>
  readonly strict?: boolean
  /**
   * Other rules that have something to say of this edit; any finding of a rule that is not named
   * fails the case.
   */
  readonly alsoReports?: readonly string[]
}

interface Refused extends Accepted {
  /** Where, as JSON Pointers; exactly these. */
  readonly at: string | readonly string[]
  /** What the first message says, in part. */
  readonly says?: string
}

interface Proof {
  readonly accepts: readonly Accepted[]
  readonly refuses: readonly Refused[]
}

export const settings: RuleSettings = { lotNumberRequiredFrom: '2026-01-01' }

/** When the payloads of tests are judged without a store. */
export const now = Date.parse('2026-12-01T00:00:00Z')

const proved = new Set<string>()

/** Tests every case of a rule. A test file that proves a group ends with `proveGroup`. */
export function proveRule(rule: Rule<never>, { accepts, refuses }: Proof): void {
  if (accepts.length > 0 && refuses.length > 0) proved.add(rule.id)
  describe(rule.id, () => {
    for (const one of accepts)
      it(`accepts ${one.title}`, () => {
        const verdict = judged(one)
        expect(placesOf(verdict, rule.id)).toEqual([])
        expect(othersIn(verdict, rule.id)).toEqual([...(one.alsoReports ?? [])].sort())
      })
    for (const one of refuses)
      it(`${verbs[rule.severity]} ${one.title}`, () => {
        const verdict = judged(one)
        expect(placesOf(verdict, rule.id)).toEqual([one.at].flat())
        expect(othersIn(verdict, rule.id)).toEqual([...(one.alsoReports ?? [])].sort())
        const finding = verdict.findings.find((found) => found.rule === rule.id)
        const strictWarning = one.strict === true && rule.severity === 'warning'
        expect(finding).toMatchObject({ severity: strictWarning ? 'error' : rule.severity, remedy: rule.remedy })
        if (one.says !== undefined) expect(finding?.message).toContain(one.says)
        if (finding?.severity === 'error') expect(verdict.refused).toBe(true)
        else if (one.alsoReports === undefined) expect(verdict.refused).toBe(false)
      })
  })
}

const verbs = { error: 'refuses', warning: 'warns of', gap: 'shows as a gap' } as const

/**
 * For rules that are found while the shape is read: the walk of all shapes is the proof, case by
 * case.
 */
export function provedByWalk(ruleId: string): void {
  proved.add(ruleId)
}

/**
 * Fails for every rule of the catalogue in this group without an accepting and a refusing case in
 * this file.
 */
export function proveGroup(group: string): void {
  it(`proves every rule of the group ${group}`, () => {
    const rules = catalogue.map(({ id }) => id).filter((id) => id.startsWith(`${group}/`))
    expect(rules.length).toBeGreaterThan(0)
    expect(rules.filter((id) => !proved.has(id))).toEqual([])
  })
}

/** The verdict on an edited sample; the payload cannot be changed while it is judged. */
export function judged({
  kind: name = 'receivingEvent',
  edit,
  facts,
  settings: some,
  strict,
}: Omit<Accepted, 'title'>) {
  const kind = recordKinds.find((one) => one.name === name) ?? recordKinds[0]
  const payload = samplePayload(name)
  edit?.(payload)
  deepFrozen(payload)
  const shape = Array.isArray(payload[kind.subject]) ? kind.createPayload : kind.replacement
  const reading = readPayload(kind, shape, payload)
  return judge(kind, reading, {
    facts: { ...noFacts, timeZones: atShipTo, ...facts },
    settings: { ...settings, ...some },
    strict,
  })
}

/** The sample's ship-to location has a time zone, so that every edit may write a time in UTC. */
const atShipTo: Facts['timeZones'] = new Map([[vendorKey('', 'SHIP-TO'), 'America/Chicago']])

const placesOf = ({ findings }: Verdict, rule: string): string[] =>
  findings.filter((finding) => finding.rule === rule).map(({ pointer }) => pointer)

const othersIn = ({ findings }: Verdict, rule: string): string[] =>
  [...new Set(findings.map((finding) => finding.rule))].filter((id) => id !== rule).sort()

/** Facts by vendor and code, as rules look them up. */
export const byVendor = <T>(...entries: readonly (readonly [vendor: string, code: string, value: T])[]) =>
  new Map(entries.map(([vendor, code, value]) => [vendorKey(vendor, code), value]))
