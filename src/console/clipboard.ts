// Copying, and saying so.
import { say } from './notices.ts'

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(`${what} copied`)
  } catch {
    say('The browser does not let the page copy. Select the text instead.', 'failed')
  }
}

/** A command that asks what the page shows; the key stays out of it. */
export const curlOf = (path: string): string => `curl -H "Authorization: Bearer $KEY" ${location.origin}${path}`
