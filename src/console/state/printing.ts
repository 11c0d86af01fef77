// Whether the page is being printed: then it is drawn whole, not only what is in sight.
import { useEffect, useState } from 'preact/hooks'

const paper = matchMedia('print')

export function usePrinting(): boolean {
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
  return printing
}
