// Open questions and contradictions about lot code sources.

import { pluralize } from '../contract/text/pluralize.ts'
import { groupsOf } from '../groups.ts'
import type { Steps } from '../steps.ts'
import type { Balance } from './balances.ts'
import type { Movement } from './links.ts'
import type { TracedSource } from './lot-trace.ts'
import type { Notes } from './notes.ts'
import { isFullyDescribed, isOfSource, type MergedPlace } from './places.ts'
import { hasSourcePlace, identifierNames, sourceLabel } from './sources.ts'
import { listSome } from './wording.ts'

interface SourceFacts {
  readonly lotCode: string
  /** Every source with the code, and the numbers of those in the trace. */
  readonly all: readonly TracedSource[]
  readonly chosen: readonly number[]
  readonly movements: readonly Movement[]
  readonly balances: readonly Balance[]
  readonly places: readonly MergedPlace[]
}

export function* noteSources(facts: SourceFacts, notes: Notes): Steps<void> {
  const { lotCode, all, chosen, movements, places } = facts
  const isKnown = (number: number) => all[number]?.known === true
  const known = [...all.keys()].filter(isKnown)
  if (known.length > 1) {
    const covered = chosen.filter(isKnown).length
    notes.add('sharedCode', {
      message: `${known.length} sources use the lot code ${lotCode}: ${listSome(all.filter((source) => source.known).map(sourceLabel))}. ${
        covered < known.length
          ? `This trace covers ${pluralize(covered, 'source')} of them.`
          : 'This trace covers all of them. A lot code is unique only within its source.'
      }`,
      remedy:
        'To trace one of them, set tlcSource to its identifier or name. If they are one source, send an identifier that all its lines share.',
      sources: chosen.filter(isKnown),
      events: movements.map(({ event }) => event),
    })
  }
  noteUnknown(movements, isKnown, notes)
  for (const [number, own] of groupsOf(movements, (movement) => movement.source)) {
    yield
    const source = all[number]
    if (source === undefined || !source.known) continue
    notePlaceMissing({ source, number }, own, places, notes)
    for (const kind of ['glns', 'duns', 'ffrns', 'feis'] as const)
      if (source[kind].length > 1)
        notes.add('sourceIdentifiersDiffer', {
          message: `${sourceLabel(source)} has ${source[kind].length} different ${identifierNames[kind]} values: ${listSome(source[kind])}.`,
          remedy: 'Find out whether these are one source. If not, correct the identifier that they share.',
          sources: [number],
          events: own.map(({ event }) => event),
        })
  }
  yield* noteSourceChanged(facts, notes)
}

/** Lines without a source prove nothing about it, so no other note is about them. */
function noteUnknown(movements: readonly Movement[], isKnown: (source: number) => boolean, notes: Notes): void {
  const unknown = movements.filter(({ source }) => !isKnown(source))
  if (unknown.length === 0) return
  notes.add('sourceUnknown', {
    message: `${unknown.length} of ${pluralize(movements.length, 'line')} ${unknown.length === 1 ? 'does' : 'do'} not say who assigned the lot code. They may come from one source, from several, or from one that other lines name.`,
    remedy:
      'Ask the sender for the source of the lot code. Send a tlcSourceReference… field or the tlcSource… fields with each line.',
    sources: [...new Set(unknown.map(({ source }) => source))],
    events: unknown.map(({ event }) => event),
  })
}

function notePlaceMissing(
  { source, number }: { readonly source: TracedSource; readonly number: number },
  movements: readonly Movement[],
  places: readonly MergedPlace[],
  notes: Notes,
): void {
  const lacking = movements.filter(({ line }) => !hasSourcePlace(line.line))
  if (lacking.length === 0) return
  const described = places.find(
    ({ gln, fields }) => gln !== undefined && source.glns.includes(gln) && isFullyDescribed(fields),
  )
  const elsewhere =
    lacking.length < movements.length
      ? ' Other lines of this trace have it.'
      : described === undefined
        ? ''
        : ` ${described.name} has the same GLN and is described in full.`
  const all = `${lacking.length} of ${pluralize(movements.length, 'line')}`
  notes.add('sourcePlaceMissing', {
    message: `${all} from ${sourceLabel(source)} ${lacking.length === 1 ? 'names' : 'name'} the source without its full description (name, street, city, state, postal code, country, phone).${elsewhere}`,
    remedy:
      source.ffrns.length + source.feis.length + source.urls.length > 0
        ? 'The reference leads FDA to the place. Send the tlcSource… fields as well to have the description at hand.'
        : 'Send the tlcSource… fields with each line, or a reference that leads to the place.',
    sources: [number],
    events: lacking.map(({ event }) => event),
  })
}

/**
 * A place that received the code with one source and sent it on with another. Goods cannot do that.
 */
function* noteSourceChanged({ all, balances, places }: SourceFacts, notes: Notes): Steps<void> {
  for (const [place, own] of groupsOf(balances, (balance) => balance.place)) {
    yield
    const from = places[place]
    const came = own.filter(({ received }) => received.events.length > 0)
    // Food received without a source may be of the source it was sent on with.
    if (from === undefined || came.length === 0 || came.some(({ source }) => all[source]?.known !== true)) continue
    for (const { source, received, sentOn } of own) {
      const changed = all[source]
      if (changed === undefined || !changed.known || received.events.length > 0 || isOfSource(from, changed)) continue
      const before = came.flatMap((balance) => all[balance.source] ?? [])
      notes.add('sourceChanged', {
        message: `${from.name} received the lot code with source ${listSome(before.map(sourceLabel))} and sent it on with source ${sourceLabel(changed)}, which it never received.`,
        remedy:
          'If the food is the same, correct the source of the lot code: the source does not change when the food moves. Otherwise look for the missing receiving event.',
        places: [place],
        sources: [source, ...came.map((balance) => balance.source)],
        events: sentOn.events,
      })
    }
  }
}
