// Ids of records. Source: decision 0001.
import { randomBytes } from 'node:crypto'
import { v7, validate } from 'uuid'

/** A new id: UUID version 7, in the order of creation, so that lists can be read by it. */
export const newRecordId = (): string => v7()

/** Another id with the same place in the order of creation: only its random end is new. */
export const recordIdBeside = (id: string): string => id.slice(0, -10) + randomBytes(5).toString('hex')

/** False for text that cannot be the id of any record. */
export const isRecordId = (id: string): boolean => validate(id)

/** When a record was created, in milliseconds since 1970, read from its id. */
export const createdAt = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
