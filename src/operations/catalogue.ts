// Every operation of the API. What is not in this list cannot be asked; what is in it is mounted, documented and tested.
import * as create from './create.ts'
import * as list from './list.ts'
import type { Operation } from './operation.ts'
import * as read from './read.ts'
import * as replace from './replace.ts'

export const operations = { ...create, ...replace, ...read, ...list } as const

export type OperationName = keyof typeof operations

export const catalogue: readonly Operation[] = Object.values(operations)
