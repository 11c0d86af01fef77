// A time that the service recorded: to the minute for people unless each second counts, exact for
// programs.
import { dateTimeWords, minuteWords } from '../../words/labels.ts'

interface Props {
  readonly instant: string | null
  /** In place of a time that there is not. */
  readonly never?: string
  readonly toSecond?: boolean
}

export const Instant = ({ instant, never = 'never', toSecond = false }: Props) =>
  instant === null ? (
    <span class="quiet">{never}</span>
  ) : (
    <time dateTime={instant}>{(toSecond ? dateTimeWords : minuteWords)(instant)}</time>
  )
