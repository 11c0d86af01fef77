// Copying, and saying so.
import { say } from '../state/notices.ts'

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(`${what} copied`)
  } catch {
    say('The browser does not allow copying. Select the text and copy it yourself.', 'failed')
  }
}

/** A command that asks what the page shows; the key stays out of it. */
export const curlOf = (path: string): string => `curl -H "Authorization: Bearer $KEY" ${location.origin}${path}`
