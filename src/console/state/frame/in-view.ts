// Keeps the chosen one of a list in view.
import { useEffect } from 'preact/hooks'

export function useInView(id: string | undefined): void {
  useEffect(() => {
    if (id !== undefined) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id])
}
