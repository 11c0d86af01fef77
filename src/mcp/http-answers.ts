// Answers to messages of assistants over HTTP: Streamable HTTP without sessions. Source: decision
// 0098.
import { createMcpHandler } from '@modelcontextprotocol/server'
import { assistantServer, type RecordSource } from './assistant-server.ts'

/** Answers one message. Nothing is left of it afterwards. */
export const answerMessage = (message: Request, parsedBody: unknown, service: RecordSource): Promise<Response> =>
  // Tools never change while the service runs, so nothing can be subscribed to.
  createMcpHandler(() => assistantServer(service), { maxSubscriptions: 0 }).fetch(message, { parsedBody })
