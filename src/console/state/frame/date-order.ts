// Which of day and month comes first in a pasted date, as the reader answered last: who pastes one
// date of a mail pastes others.
import type { DateOrder } from '../../records/pasted-dates.ts'
import { signal } from './signal.ts'

export const dateOrder = signal<DateOrder | undefined>(undefined)
