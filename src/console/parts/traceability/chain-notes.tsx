// What a chain leaves open, or what cannot be, each with its remedy in the words of the page and
// the buttons that do it.
import type { LotChain } from '../../../tracing/lot-chain.ts'
import { chainAdvice, type Way } from '../../records/note-ways.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMay } from '../../state/frame/session.ts'
import { screenText } from '../../words/screen-words.ts'

/** Pages of the console, and places on this one. */
export const NoteWays = ({ ways }: { readonly ways: readonly Way[] }) => (
  <>
    {ways.map(({ words, to }) => (
      <a key={to} class="button" dir="auto" href={to.startsWith('#') ? to : hrefTo(to)}>
        {words}
      </a>
    ))}
  </>
)

interface Props {
  readonly chain: LotChain
  /** Follows other steps. */
  readonly onFollow: (least: LotChain['least']) => void
}

export function ChainNotes({ chain, onFollow }: Props) {
  const mayWrite = useMay('writer')
  if (chain.notes.length === 0) return null
  return (
    <ul class="trace-notes">
      {chain.notes.map((note) => {
        const { says, ways, follow } = chainAdvice(note, { chain, mayWrite })
        return (
          <li key={note.kind + note.message} class="finding warning">
            <p dir="auto">{screenText(note.message)}</p>
            <p class="quiet" dir="auto">
              {says}
            </p>
            <div class="actions">
              {follow.map(([least, words]) => (
                <button key={least} type="button" onClick={() => onFollow(least)}>
                  Follow {words}
                </button>
              ))}
              <NoteWays ways={ways} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}
