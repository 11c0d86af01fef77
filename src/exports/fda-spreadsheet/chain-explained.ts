// Sentences that explain the records of a chain of lots: on what ground each is in the files, and
// what was left out. Source: 21 CFR 1.1455(c)(1); decision 0094.
import {
  type CountsByGround,
  followsAlike,
  groundMeanings,
  grounds,
  groundWords,
  leastDefault,
} from '../../contract/lots/grounds.ts'
import { type EventKindName, eventKinds } from '../../contract/record-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { startWords } from '../../tracing/chain.ts'
import { type ChainNoteKind, type LotChain, readingNotes } from '../../tracing/lot-chain.ts'
import type { ExportFilters } from './event-lines.ts'

/** A lot and what was made of it, or what it was made of; and by which grounds. */
export interface ExportedChain {
  /** One for each direction. */
  readonly chains: readonly LotChain[]
  readonly lines: CountsByGround
  /** Lines less sure than asked for, which have no rows. */
  readonly leftOut: CountsByGround
  /** True where a chain is larger than a response may be. */
  readonly isCut: boolean
}

const chainValues: Readonly<Record<string, string>> = {
  forward: 'the lot, and the lots that were made of it',
  back: 'the lot, and the lots that it was made of',
  both: 'the lot, the lots that were made of it, and the lots that it was made of',
  ...groundWords,
}

/** A value of the filters of a chain, in words. */
export const chainValue = (value: string, filters: ExportFilters): string => {
  const words = chainValues[value] ?? eventKinds[value as EventKindName]?.happened ?? ''
  return filters.lotCode === undefined ? words.replace('the lot,', 'the food,') : words
}

export const chainNotes = ({ chains }: ExportedChain): readonly { kind: ChainNoteKind; message: string }[] => [
  ...new Map(
    chains
      .flatMap(({ notes }) => notes)
      .filter(({ kind }) => readingNotes.some((one) => one === kind))
      .map(({ kind, message }) => [message, { kind, message }]),
  ).values(),
]

const linesText = (lines: CountsByGround): string =>
  grounds
    .filter((ground) => lines[ground] > 0)
    .map((ground) => `${pluralize(lines[ground], 'line')} by ${groundWords[ground]}`)
    .join(', ')

/** What is in the files, on what ground, and what is not; nothing without a chain. */
export function chainSentences(
  chain: ExportedChain | undefined,
  { lotCode, least = leastDefault }: ExportFilters,
): readonly (readonly [subject: string, sentence: string])[] {
  if (chain === undefined || chain.chains.length === 0) return []
  const what = lotCode === undefined ? `the ${startWords(chain.chains[0] as LotChain)}` : `the lot ${lotCode[0]}`
  const sizes = chain.chains.map(({ direction, lots, events }) => {
    const others = lots.filter(({ distance }) => distance > 0).length
    const made = direction === 'forward' ? 'that were made of it' : 'that it was made of'
    return `${pluralize(others, 'lot')} ${made}, by ${pluralize(events.length, 'event')}`
  })
  const food = chain.chains.reduce((sum, one) => sum + one.food.length, 0)
  const left = linesText(chain.leftOut)
  return [
    [
      'Chain',
      `These are the records of ${what}, and of ${sizes.join('; and of ')}.${food > 0 ? ` The chain has food of ${pluralize(food, 'harvest or cooling', 'harvests and coolings')}, which has no lot code yet.` : ''} Which lot of an event went into which is not recorded: every lot that it used may be in every lot that it made.${followsAlike(least) ? '' : ' Lot codes that only read alike are not followed.'}`,
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
