// What a chain leaves open, or what cannot be, each with its remedy in the words of the page.
import type { LotChain } from '../../../tracing/lot-chain.ts'
import { screenRemedy, screenText } from '../../words/screen-words.ts'
import type { Choices } from '../fields/select.tsx'

export const groundChoices = [
  ['reference', 'steps by lot code, place and date'],
  ['sourceUnknown', 'steps by lot code'],
  ['sameSource', 'only what is certain'],
  ['readAlike', 'also lot codes that read alike'],
  ['severalLots', 'also codes of several lots'],
] as const satisfies Choices<LotChain['least']>

/** A remedy in the words of this page. */
const chainRemedy = (remedy: string): string =>
  groundChoices.reduce(
    (text, [ground, words]) =>
      text
        .replace(`ask with least=${ground}`, `follow “${words}”`)
        .replace(`Ask with least=${ground}`, `Follow “${words}”`)
        .replace(`with least=${ground}`, `with “${words}”`),
    screenRemedy('', remedy),
  )

export const ChainNotes = ({ notes }: Pick<LotChain, 'notes'>) =>
  notes.length === 0 ? null : (
    <ul class="trace-notes">
      {notes.map(({ kind, message, remedy }) => (
        <li key={kind + message} class="finding warning">
          <p dir="auto">{screenText(message)}</p>
          <p class="quiet" dir="auto">
            {chainRemedy(remedy)}
          </p>
        </li>
      ))}
    </ul>
  )
