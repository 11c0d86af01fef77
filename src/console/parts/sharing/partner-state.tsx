// A tag: whether the account of a partner can be read.
import type { Partner } from '../../../client/generated/shapes.ts'
import { stateWords } from '../../records/sharing-words.ts'

export const PartnerState = ({ state }: Pick<Partner, 'state'>) => (
  <span class={`tag ${stateWords[state].tag}`}>{stateWords[state].words}</span>
)
