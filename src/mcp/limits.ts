// Limits of assistants. They are listed before the first message loads the rest.
import { declareLimit } from '../limits.ts'

export const messageBytesMax = declareLimit('assistantMessage', 64 * 1024, 'bytes', 'Message of an assistant (MCP).')
export const answerBytesMax = declareLimit('assistantAnswer', 200_000, 'bytes', 'Answer of a tool of assistants (MCP).')
