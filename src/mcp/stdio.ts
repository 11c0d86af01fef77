// Answers to messages of an assistant that started this program. Source: decision 0098.
import { finished } from 'node:stream/promises'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { assistantServer, type RecordSource } from './assistant-server.ts'

/** Ends when the assistant closes standard input. */
export async function answerStandardInput(service: RecordSource, onError: (error: Error) => void): Promise<void> {
  const serving = serveStdio(() => assistantServer(service), { maxSubscriptions: 0, onerror: onError })
  await finished(process.stdin, { writable: false }).catch(onError)
  await serving.close()
}
