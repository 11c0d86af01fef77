// The choice of a kind of event, for counts and lists of all of them.
import { eventKindList } from '../../../contract/record-kinds.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { Select } from '../fields/select.tsx'

const choices = [
  ['', 'All events'] as const,
  ...eventKindList.map((kind) => [kind.name as string, sectionOf(kind).words] as const),
]

interface Props {
  readonly kind: string | undefined
  readonly onChoose: (kind: string) => void
}

export const KindChoice = ({ kind = '', onChoose }: Props) => (
  <>
    <label class="kind-choice on-screen">
      <span>Events to count</span>
      <Select choices={choices} value={kind} onChoose={onChoose} />
    </label>
    <p class="on-paper">{choices.find(([name]) => name === kind)?.[1] ?? kind}</p>
  </>
)
