// Ids of records. Source: decision 0001.
import { v7, validate } from 'uuid'

/** A new id: UUID version 7, in the order of creation, so that lists can be read by it. */
export const newRecordId = (): string => v7()

/** False for text that cannot be the id of any record. */
export const isRecordId = (id: string): boolean => validate(id)
