// Sentences that explain the records of a chain of lots: on what ground each is in the files, and
// what was left out. Source: 21 CFR 1.1455(c)(1); decision 0094.
import { pluralize } from '../../contract/text/pluralize.ts'
import { type Ground, grounds } from '../../tracing/chain-walk.ts'
import type { ChainNoteKind, LotChain } from '../../tracing/lot-chain.ts'
import type { ExportFilters } from './event-lines.ts'

/** A lot and what was made of it, or what it was made of; and by which grounds. */
export interface ExportedChain {
  /** One for each direction. */
  readonly chains: readonly LotChain[]
  readonly lines: LinesByGround
  /** Lines less sure than asked for, which have no rows. */
  readonly leftOut: LinesByGround
  /** True where a chain is larger than a response may be. */
  readonly isCut: boolean
}

type LinesByGround = Readonly<Record<Ground, number>>

export const groundWords: Readonly<Record<Ground, string>> = {
  sameSource: 'lot code and source',
  sourceUnknown: 'lot code alone',
  reference: 'place and date',
}

const groundMeanings: Readonly<Record<Ground, string>> = {
  sameSource: 'The lines have the same lot code, and name the same source of it.',
  sourceUnknown:
    'The lines have the same lot code, and at least one does not say who assigned it. It may be a lot of another source.',
  reference:
    'Food has no lot code before it is packed. The record of the packing names the place and date of the harvest or the cooling, and these records agree with it, and in item or commodity and growing area where both state them. Other food of that place and day may agree too.',
}

/** The filters `chain` and `least` in words. */
export const chainValues: Readonly<Record<string, string>> = {
  forward: 'the lot, and the lots that were made of it',
  back: 'the lot, and the lots that it was made of',
  both: 'the lot, the lots that were made of it, and the lots that it was made of',
  ...groundWords,
}

/** Notes about what is in the chain; others are about quantities and dates in the records. */
const notesOfReading: readonly ChainNoteKind[] = ['truncated', 'damaged', 'sourceUnknown', 'reference', 'leftOut']

export const chainNotes = ({ chains }: ExportedChain): readonly { kind: ChainNoteKind; message: string }[] => [
  ...new Map(
    chains
      .flatMap(({ notes }) => notes)
      .filter(({ kind }) => notesOfReading.includes(kind))
      .map(({ kind, message }) => [message, { kind, message }]),
  ).values(),
]

const linesText = (lines: LinesByGround): string =>
  grounds
    .filter((ground) => lines[ground] > 0)
    .map((ground) => `${pluralize(lines[ground], 'line')} by ${groundWords[ground]}`)
    .join(', ')

/** What is in the files, on what ground, and what is not; nothing without a chain. */
export function chainSentences(
  chain: ExportedChain | undefined,
  { lotCode = [] }: ExportFilters,
): readonly (readonly [subject: string, sentence: string])[] {
  if (chain === undefined || chain.chains.length === 0) return []
  const [lot] = lotCode
  const sizes = chain.chains.map(({ direction, lots, events }) => {
    const others = lots.filter(({ distance }) => distance > 0).length
    const made = direction === 'forward' ? 'that were made of it' : 'that it was made of'
    return `${pluralize(others, 'lot')} ${made}, by ${pluralize(events.length, 'event')}`
  })
  const food = chain.chains.reduce((sum, one) => sum + one.food.length, 0)
  const left = linesText(chain.leftOut)
  return [
    [
      'Chain of the lot',
      `These are the records of the lot ${lot}, and of ${sizes.join('; and of ')}.${food > 0 ? ` The chain ends in food of ${pluralize(food, 'harvest or cooling', 'harvests and coolings')}, which had no lot code yet.` : ''} Which lot of an event went into which is not recorded: every lot that it used may be in every lot that it made. Lot codes that only read alike are not followed.`,
    ],
    ['Grounds of the chain', `${linesText(chain.lines) || 'No line'}. ${usedGrounds(chain)}`],
    [
      'Left out of the chain',
      `${left === '' ? 'No line that may be of these lots was left out.' : `${left} may be of these lots too, and are less sure than was asked for. They have no rows.`}${chain.isCut ? ' The chain is larger than one export may follow, so it is not complete.' : ''}`,
    ],
    ...chainNotes(chain).map(({ message }) => ['Note on the chain', message] as const),
  ]
}

const usedGrounds = ({ lines, leftOut }: ExportedChain): string =>
  grounds
    .filter((ground) => lines[ground] + leftOut[ground] > 0)
    .map((ground) => `By ${groundWords[ground]}: ${groundMeanings[ground]}`)
    .join(' ')
