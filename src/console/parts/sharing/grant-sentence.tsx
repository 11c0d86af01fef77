// One grant in a sentence, with its values in bold, to be read before sharing.
import type { Grant } from '../../../client/generated/shapes.ts'
import { grantPhrases } from '../../records/sharing-words.ts'

interface Props {
  /** Of the partner. */
  readonly name: string
  /** How many places it has. */
  readonly places: number
  readonly grant: Grant
}

export const GrantSentence = ({ name, places, grant }: Props) => (
  <span class="grant-sentence">
    {grantPhrases(name, places, grant).map((phrase) =>
      typeof phrase === 'string' ? (
        phrase
      ) : (
        <strong>
          <bdi>{phrase.value}</bdi>
        </strong>
      ),
    )}
  </span>
)
