// Lists records, and the versions of one record, page by page.
import type { RecordKind } from '../contract/record-kinds.ts'
import { listVersions as listStoredVersions } from '../store/record-versions.ts'
import { numberIn, numberMax, pageOf, recordIdIn, scopeOf } from './cursor.ts'
import type { Answer, Ask, Workplace } from './handler.ts'
import { withId } from './read.ts'
import { isRecordId } from './record-id.ts'
import type { RecordKeeping } from './record-keeping.ts'

/** Ids are made in the order of creation and never change, so a page that goes on below an id neither skips nor repeats. */
export const list =
  <Search, Taken extends 'taken'>({ store: { db } }: Workplace, keeping: RecordKeeping<Search, Taken>) =>
  async (ask: Ask): Promise<Answer<'listed' | 'badQuery'>> => {
    const { limit: _, cursor: __, ...filters } = ask.query
    const listed = await pageOf(ask.query, {
      scope: scopeOf(keeping.kind.name, filters),
      positionIn: recordIdIn,
      find: (before, count) => keeping.search(db, [ask.provider, count], { before, ...filters }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      text: `{"content":[${listed.page.map(withId).join(',')}],"nextCursor":${JSON.stringify(listed.nextCursor)}}`,
    }
  }

export const listVersions =
  ({ store: { db } }: Workplace, kind: RecordKind) =>
  async (ask: Ask): Promise<Answer<'unknownRecord' | 'listed' | 'badQuery'>> => {
    const missing: Answer<'unknownRecord'> = {
      outcome: 'unknownRecord',
      detail: `There is no ${kind.noun} with id ${ask.id.slice(0, 60)}.`,
    }
    if (!isRecordId(ask.id)) return missing
    const listed = await pageOf(ask.query, {
      scope: scopeOf(`${kind.name} versions`, { id: ask.id }),
      positionIn: numberIn,
      find: (before = numberMax, count) => listStoredVersions(db, ask.provider, kind.name, ask.id, before, count),
      positionOf: ({ version }) => String(version),
    })
    if ('outcome' in listed) return listed
    if (listed.page.length === 0) return missing
    return {
      outcome: 'listed',
      body: {
        content: listed.page.map(({ submittedAt, purgedAt, ...summary }) => ({
          ...summary,
          submittedDateTime: submittedAt.toISOString(),
          purgedDateTime: purgedAt?.toISOString() ?? null,
        })),
        nextCursor: listed.nextCursor,
      },
    }
  }
