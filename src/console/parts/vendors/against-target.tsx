// A share of complete lines compared with its target.
import { shareWords } from '../../words/percent.ts'

export function AgainstTarget({ share, target }: { readonly share: number | null; readonly target: number }) {
  if (share === null) return <span class="quiet">–</span>
  return share >= target ? (
    <span class="against">
      <span class="tag added">reached</span> <span class="quiet">{shareWords(target)}</span>
    </span>
  ) : (
    <span class="against">
      <span class="tag gap">below</span> <span class="quiet">{shareWords(target)}</span>
    </span>
  )
}
