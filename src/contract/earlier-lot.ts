// A record that had a lot code until it was corrected or voided. Answers about the lot code name
// it. Source: decision 0030.
import type { Static } from 'typebox'
import { eventKindNames } from './record-kinds.ts'
import { Type } from './shape/type.ts'

export const EarlierLot = Type.Object(
  {
    kind: Type.Enum([...eventKindNames], { description: 'Kind of the record.' }),
    id: Type.String({ description: 'Id of the event.' }),
    lotCode: Type.String({ description: 'The lot code it had, as it was read.' }),
    version: Type.Integer({ description: 'The last version that had it.' }),
    currentVersion: Type.Integer({ description: 'Version the record is at.' }),
    voided: Type.Boolean({ description: 'True while the record is voided.' }),
    lotCodes: Type.Array(Type.String(), { description: 'Lot codes it has now, at most 20.' }),
  },
  { title: 'EarlierLot', description: 'A record that had a lot code until a correction or a void.' },
)
export type EarlierLot = Static<typeof EarlierLot>

/** The most that one answer lists. */
export const earlierLotsMax = 100

/** `WRONG-1 until version 2, now RIGHT-1`. */
export const earlierLotText = ({ lotCode, version, voided, lotCodes }: EarlierLot): string =>
  `${lotCode} until version ${version}, now ${voided ? 'voided' : lotCodes.length === 0 ? 'no lot code' : lotCodes.join(', ')}`
