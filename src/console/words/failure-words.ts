// Errors in words for the user of the page. Pure.

import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'
import { ProblemError, UnreachableError } from '../../client/failure.ts'
import { screenText } from './screen-words.ts'

export interface FailureWords {
  readonly title: string
  readonly detail: string
  /** Whether asking again can help. */
  readonly again: boolean
  /** Id under which the log of the service has the request. */
  readonly request?: string
  /** A record of another kind that has the id: its noun and its address in the API. */
  readonly elsewhere?: { readonly noun: string; readonly path: string }
}

const titles: Readonly<Record<number, string>> = {
  400: 'The service does not accept this request',
  401: 'The key is not valid',
  403: 'This key does not allow that',
  404: 'Record not found',
  409: 'This conflicts with what is stored',
  412: 'The record has changed in the meantime',
  413: 'The payload is too large',
  422: 'The payload was refused',
  429: 'Too many requests',
  500: 'The service failed',
  503: 'The service is overloaded or its database is unavailable',
}

/** Where the sentence of the service speaks to programs. */
const details: Readonly<Record<number, string>> = {
  404: 'It does not exist, or it belongs to another provider.',
  412: 'Somebody else changed it after this page read it, and nothing was done. Look at it as it is now, then try again.',
}

export function failureWords(error: unknown): FailureWords {
  if (error instanceof UnreachableError)
    return {
      title: 'The service cannot be reached',
      detail: 'Nothing you entered is lost. The page continues by itself as soon as the service answers.',
      again: true,
    }
  if (error instanceof ProblemError) {
    const [, noun, path] = /It is the id of a ([a-z ]+): (\/[\w/-]+)\./.exec(error.message) ?? []
    if (error.outcome === 'sharingIsUpdated')
      return {
        title: 'What is shared with you is being updated',
        detail: 'Nothing can be read until that is done, as a rule for some seconds.',
        again: true,
      }
    return {
      title: titles[error.status] ?? 'The request failed',
      detail: details[error.status] ?? screenText(error.message),
      again: error.status >= 429,
      request: error.problem.instance.replace('urn:uuid:', ''),
      ...(noun !== undefined && path !== undefined && { elsewhere: { noun, path } }),
    }
  }
  if (error instanceof UnreadableFile) return { title: 'The file cannot be read', detail: error.message, again: true }
  return {
    title: 'The page failed',
    detail: error instanceof Error ? error.message : String(error),
    again: true,
  }
}

/** Why a text cannot be a key, before the service is asked; undefined when it can. */
export function keyFault(text: string): string | undefined {
  if (text === '') return 'Paste a key. It begins with lk_.'
  if (!text.startsWith('lk_')) return 'This is not a key: a key begins with lk_.'
  if (/\s/.test(text)) return 'The key contains a space or a line break. Remove it.'
  const [start] = /^lk_[0-9a-f]{16}_[0-9a-f]{32}_/.exec(text) ?? []
  if (start === undefined)
    return 'Part of the key is missing: after lk_ come 16 digits, 32 digits and a last part, with _ between them.'
  const secret = text.length - start.length
  if (secret !== 43)
    return `The key is ${secret < 43 ? 'cut off' : 'too long'}: its last part has ${secret} characters instead of 43.`
  return undefined
}

/** The words in one sentence after the other. */
export function failureSentence(error: unknown): string {
  const { title, detail } = failureWords(error)
  return `${title}. ${detail}`
}
