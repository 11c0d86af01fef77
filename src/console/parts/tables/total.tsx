// The total of a table. Requested separately, so that the rows do not wait for it.
import type { ListTotal } from '../../records/total-words.ts'
import { totalWords } from '../../records/total-words.ts'
import type { RequestState } from '../../state/frame/request.ts'

export const Total = ({ asked }: { readonly asked: RequestState<ListTotal | undefined> }) => (
  <p class="total" role="status">
    {asked.is === 'answered' && asked.value !== undefined ? totalWords(asked.value) : ' '}
  </p>
)
