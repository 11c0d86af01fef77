// Copies text, and confirms it.
import { say } from '../state/frame/toasts.ts'

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(`${what} copied`)
  } catch {
    say('The browser does not allow copying. Select the text and copy it yourself.', 'failed')
  }
}

/** A command for the current page, without the key. */
export const curlOf = (path: string): string => `curl -H "Authorization: Bearer $KEY" ${location.origin}${path}`
