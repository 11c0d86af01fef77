// Whether the window fits a condition, in components that draw other elements when it does not.
import { useEffect, useState } from 'preact/hooks'

export function useMedia(condition: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(condition).matches)
  useEffect(() => {
    const list = matchMedia(condition)
    const changed = () => setMatches(list.matches)
    changed()
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }, [condition])
  return matches
}
