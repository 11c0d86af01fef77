// What a program needs to call a Lotkeeper service.
export type * from '../../../src/client/call.ts'
export {
  type AnyKind,
  type AnyRecord,
  type Client,
  type ClientOptions,
  type KindName,
  type LocalJudge,
  lotkeeper,
  type OperationName,
  type RecordClient,
} from '../../../src/client/client.ts'
export { InvalidPayloadError, ProblemError, UnreachableError } from '../../../src/client/failure.ts'
export type * from '../../../src/client/generated/methods.ts'
export type * from '../../../src/client/generated/shapes.ts'
