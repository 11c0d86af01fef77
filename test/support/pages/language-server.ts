// What an editor shows: the TypeScript language server, asked over its standard input and output.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

export interface LanguageServer {
  /** What is shown over the text, which stands in the file once; as markdown. */
  hoverOver(text: string): Promise<string>
  close(): Promise<void>
}

/** A language server with this file open. */
export async function languageServerOn(file: string): Promise<LanguageServer> {
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (message: Message) => void>()
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  let received = Buffer.alloc(0)
  server.stdout.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part])
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n')
      const [, length] = /Content-Length: (\d+)/.exec(received.toString('utf8', 0, Math.max(headEnd, 0))) ?? []
      const end = headEnd + 4 + Number(length)
      if (length === undefined || received.length < end) return
      const message: Message = JSON.parse(received.toString('utf8', headEnd + 4, end))
      received = received.subarray(end)
      // What the server asks of the editor needs no more than an answer.
      if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null })
      else if (message.id !== undefined) waiting.get(message.id)?.(message)
    }
  })
  let asked = 0
  const ask = async (method: string, params?: object): Promise<unknown> => {
    const id = ++asked
    const answer = await new Promise<Message>((resolve, reject) => {
      waiting.set(id, resolve)
      server.once('exit', () => reject(new Error(`The language server ended before it answered ${method}.`)))
      send({ id, method, ...(params && { params }) })
    })
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
  server.setMaxListeners(0)
  const uri = pathToFileURL(file).href
  const content = readFileSync(file, 'utf8')
  const rootUri = new URL('.', uri).href
  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } }
  await ask('initialize', { processId: process.pid, rootUri, capabilities })
  send({ method: 'initialized', params: {} })
  const textDocument = { uri, languageId: 'typescript', version: 1, text: content }
  send({ method: 'textDocument/didOpen', params: { textDocument } })
  return {
    async hoverOver(text) {
      const at = content.indexOf(text)
      if (at < 0 || content.includes(text, at + 1)) throw new Error(`${file} does not contain ${text} once.`)
      const before = content.slice(0, at).split('\n')
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
      const hover = await ask('textDocument/hover', { textDocument: { uri }, position })
      return (hover as { contents: { value: string } } | null)?.contents.value ?? ''
    },
    async close() {
      const ended = once(server, 'exit')
      await ask('shutdown')
      send({ method: 'exit' })
      server.stdin.end()
      await ended
    },
  }
}
