// A time that the service recorded: to the minute for people, exact for programs.
import { minuteWords } from '../../words/labels.ts'

export const Instant = ({ instant, never = 'never' }: { readonly instant: string | null; readonly never?: string }) =>
  instant === null ? <span class="quiet">{never}</span> : <time dateTime={instant}>{minuteWords(instant)}</time>
