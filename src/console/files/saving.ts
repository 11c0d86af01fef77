// Files of the service, fetched with progress and saved by the browser.

import { useEffect, useRef, useState } from 'preact/hooks'
import { UnreachableError } from '../../client/failure.ts'
import { sha256Of } from './sha256.ts'

export type Saving =
  | { readonly is: 'idle' }
  | { readonly is: 'running'; readonly bytes: number; readonly seconds: number }
  | {
      readonly is: 'saved'
      readonly name: string
      readonly bytes: number
      readonly sha256: string
      readonly damaged: number
    }
  | { readonly is: 'failed'; readonly error: unknown }

/** How often the progress of a download is redrawn, in milliseconds. */
const drawnEveryMs = 200

/** A file on its way: one the service answers with, or one the page puts together. */
interface Download {
  readonly name?: string | undefined
  readonly mediaType: string
  /** Versions that belong in the file and are missing in the database, or were added to it. */
  readonly damaged?: number
  readonly stream: ReadableStream<Uint8Array>
}

type AskFile = (signal: AbortSignal) => Promise<{ readonly file: Download | undefined }>

/** Parts of a file, as a file. */
export const fileOfParts = (name: string, mediaType: string, parts: AsyncGenerator<string | Uint8Array>): Download => {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
  })
  return { name, mediaType, stream }
}

/** A download that can be watched and given up; it is given up when the page is left. */
export function useSaving(): {
  readonly saving: Saving
  readonly save: (ask: AskFile) => Promise<void>
  readonly giveUp: () => void
} {
  const [saving, setSaving] = useState<Saving>({ is: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const save = async (ask: AskFile) => {
    const controller = new AbortController()
    running.current = controller
    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1_000
    setSaving({ is: 'running', bytes: 0, seconds: 0 })
    try {
      const { file } = await ask(controller.signal)
      if (file === undefined) throw new Error('The answer is no file.')
      const parts: Uint8Array<ArrayBuffer>[] = []
      let bytes = 0
      let drawnAt = 0
      for (const reader = file.stream.getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) break
        parts.push(value as Uint8Array<ArrayBuffer>)
        bytes += value.length
        if (performance.now() - drawnAt < drawnEveryMs) continue
        drawnAt = performance.now()
        setSaving({ is: 'running', bytes, seconds: seconds() })
      }
      const blob = new Blob(parts, { type: file.mediaType })
      const name = file.name ?? 'lotkeeper-file'
      handOver(blob, name)
      const sha256 = (await sha256Of(await blob.arrayBuffer())) ?? ''
      setSaving({ is: 'saved', name, bytes, sha256, damaged: file.damaged ?? 0 })
    } catch (error) {
      if (controller.signal.aborted) return setSaving({ is: 'idle' })
      // A connection that breaks while the file is read is no error of the page.
      const broken = error instanceof TypeError
      setSaving({
        is: 'failed',
        error: broken
          ? new UnreachableError('The connection broke before the file was whole.', { cause: error })
          : error,
      })
    }
  }
  return { saving, save, giveUp: () => running.current?.abort() }
}

/** A file that the page puts together. */
export async function blobOf(parts: AsyncIterable<string | Uint8Array>): Promise<Blob> {
  const all: BlobPart[] = []
  for await (const part of parts) all.push(part as BlobPart)
  return new Blob(all)
}

/** Gives a file to the browser, to be saved where it saves files. */
export function handOver(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has taken it by the time the next task begins.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** `1.4 MB`, as people write it. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(0)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
