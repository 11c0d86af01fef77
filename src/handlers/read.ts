// Reads one record, or one version of it.
import type { RecordKind } from '../contract/record-kinds.ts'
import { readVersion as readStoredVersion } from '../store/record-versions.ts'
import type { StoredVersion } from '../store/statement.ts'
import type { Answer, Ask, Workplace } from './handler.ts'
import { isRecordId } from './record-id.ts'

type ReadOutcome = 'unknownRecord' | 'unmodified' | 'found'

export const read =
  ({ store }: Workplace, kind: RecordKind) =>
  async (ask: Ask): Promise<Answer<ReadOutcome>> => {
    const stored = isRecordId(ask.id)
      ? await store.readRecord(ask.provider, { kind: kind.name, id: ask.id })
      : undefined
    return answer(ask, stored, `There is no ${kind.noun} with id ${ask.id.slice(0, 60)}.`)
  }

/** Largest version number the store can hold; longer digits cannot name one. */
const versionDigitsMax = 9

export const readVersion =
  ({ store: { db } }: Workplace, kind: RecordKind) =>
  async (ask: Ask): Promise<Answer<ReadOutcome>> => {
    const named = isRecordId(ask.id) && /^[1-9]\d*$/.test(ask.version) && ask.version.length <= versionDigitsMax
    const stored = named ? await readStoredVersion(db, ask.provider, kind.name, ask.id, Number(ask.version)) : undefined
    return answer(
      ask,
      stored,
      `There is no version ${ask.version.slice(0, 20)} of a ${kind.noun} with id ${ask.id.slice(0, 60)}.`,
    )
  }

function answer(ask: Ask, stored: StoredVersion | undefined, missing: string): Answer<ReadOutcome> {
  if (stored === undefined) return { outcome: 'unknownRecord', detail: missing }
  if (ask.ifNoneMatch === 'any' || ask.ifNoneMatch.includes(stored.version))
    return { outcome: 'unmodified', version: stored.version }
  return { outcome: 'found', version: stored.version, text: withId(stored) }
}

/** The stored text with the id set before its first field, so that a record is never parsed to be read. */
export function withId({ id, body }: StoredVersion): string {
  const rest = body.trimStart().slice(1)
  return `{"id":"${id}"${rest.trimStart().startsWith('}') ? '' : ','}${rest}`
}
