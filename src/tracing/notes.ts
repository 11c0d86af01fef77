// Notes of a trace: typed, each with its places, sources and events, and a remedy.

import { placeId, sourceId } from './links.ts'
import type { LotEvent } from './lot-event.ts'
import type { TraceNote } from './lot-trace.ts'

/** Most notes of a trace, and most events one note names. */
const notesMax = 500
const noteEventsMax = 100

interface NoteContent {
  readonly message: string
  readonly remedy: string
  /** Numbers of places and sources. */
  readonly places?: readonly number[]
  readonly sources?: readonly number[]
  readonly events?: readonly Pick<LotEvent, 'id'>[]
}

export class Notes {
  readonly list: TraceNote[] = []
  count = 0

  add(kind: TraceNote['kind'], { message, remedy, places = [], sources = [], events = [] }: NoteContent): void {
    this.count++
    if (this.list.length === notesMax) return
    const ids = [...new Set(events.map(({ id }) => id))]
    this.list.push({
      kind,
      message,
      remedy,
      places: places.map(placeId),
      sources: sources.map(sourceId),
      events: ids.slice(0, noteEventsMax),
      eventCount: ids.length,
    })
  }
}
