// A share in words, and as a bar of its length.
import { shareWords } from '../../words/percent.ts'

export const ShareBar = ({ share }: { readonly share: number | null }) => (
  <span class="share">
    <span class="share-words">{shareWords(share)}</span>
    {share !== null && (
      <svg class="share-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="share-ground" width="100" height="6" />
        <rect class={share === 1 ? 'share-all' : 'share-part'} width={100 * share} height="6" />
      </svg>
    )}
  </span>
)
