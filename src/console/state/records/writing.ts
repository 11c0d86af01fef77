// How a payload is written: as a form, or as JSON. Kept in the browser.
import { signal } from '../frame/signal.ts'

type Writing = 'form' | 'json'

const place = 'lotkeeper.writing'

const current = signal<Writing>(localStorage.getItem(place) === 'json' ? 'json' : 'form')

export const useWriting = (): Writing => current.use()

export function chooseWriting(writing: Writing): void {
  localStorage.setItem(place, writing)
  current.set(writing)
}
