// Mock recalls as people read them: their states, and durations. Pure.
import type { MockRecall } from '../../client/generated/shapes.ts'

export const drillStates: Readonly<Record<MockRecall['state'], { readonly words: string; readonly tag: string }>> = {
  running: { words: 'running', tag: 'replaced' },
  done: { words: 'done', tag: 'added' },
  failed: { words: 'failed', tag: 'removed' },
  interrupted: { words: 'interrupted', tag: 'removed' },
}

export const stepWords: Readonly<Record<MockRecall['steps'][number]['name'], string>> = {
  trace: 'Trace the lot',
  package: 'Make the FDA package',
  gaps: 'Check what its lines lack',
}

/** `40 ms`, `2.4 s`, `1 min 5 s`, `2 h 3 min`. */
export function durationWords(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${Math.floor(seconds % 60)} s`
}
