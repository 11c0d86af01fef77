// Whether the page is being printed: then it is drawn whole, not only the visible part.
import { useEffect, useState } from 'preact/hooks'
import { signal } from './signal.ts'

const paper = matchMedia('print')
/** True from the request to print on: data fetched while a script prints is drawn too late. */
const isWished = signal(false)

export function usePrinting(): boolean {
  const wished = isWished.use()
  const [printing, setPrinting] = useState(paper.matches)
  useEffect(() => {
    const begin = () => setPrinting(true)
    const end = () => setPrinting(false)
    const look = () => setPrinting(paper.matches)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    paper.addEventListener('change', look)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
      paper.removeEventListener('change', look)
    }
  }, [])
  return wished || printing
}

/** Draws the page whole, and prints it then. */
export function printPage(): void {
  isWished.set(true)
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      print()
      isWished.set(false)
    }),
  )
}
