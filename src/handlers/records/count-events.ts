// Counts events and lines by day.
import { daysMax } from '../../operations/records/count-events.ts'
import { countByDay } from '../../store/records/event-selection.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { readSelection } from './event-selection.ts'

const dayMs = 86_400_000

export const countEventsByDay =
  ({ store }: HandlerContext) =>
  async ({ provider, query, lists }: OperationCall): Promise<Answer<'counted' | 'badQuery'>> => {
    const selection = readSelection({ query: { eventEndDate: today(), ...query }, lists })
    if ('outcome' in selection) return selection
    const { eventEndDate = today(), eventStartDate } = selection
    const earliest = new Date(Date.parse(eventEndDate) - (daysMax - 1) * dayMs).toISOString().slice(0, 10)
    if (eventStartDate !== undefined && eventStartDate < earliest)
      return {
        outcome: 'badQuery',
        detail: `The period from eventStartDate ${eventStartDate} to ${eventEndDate} has more than ${daysMax} days. Start with ${earliest} or later.`,
      }
    const content = await countByDay(store, {
      ...selection,
      eventStartDate: eventStartDate ?? earliest,
      eventEndDate,
      provider,
    })
    return { outcome: 'counted', body: { content } }
  }

const today = (): string => new Date().toISOString().slice(0, 10)
