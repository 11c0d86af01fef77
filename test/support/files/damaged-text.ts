// X12 text that was damaged on its way: characters and segments replaced, cut, lost, doubled and
// exchanged.
import fc from 'fast-check'

type Damage = readonly [kind: 'replace', at: number, by: string] | readonly [kind: Move, at: number, by: number]
type Move = 'cut' | 'drop' | 'repeat' | 'exchange'

/** The text, damaged at one to four places. Its segments end with a tilde and a line feed. */
export function damagedText(text: string): fc.Arbitrary<string> {
  const segments = text.split('~\n').length
  const damage: fc.Arbitrary<Damage> = fc.oneof(
    fc.tuple(fc.constant('replace' as const), fc.nat(text.length), fc.string({ unit: 'binary', maxLength: 3 })),
    fc.tuple(fc.constant('cut' as const), fc.nat(text.length), fc.nat(60)),
    fc.tuple(fc.constantFrom('drop' as const, 'repeat' as const), fc.nat(segments), fc.nat(3)),
    fc.tuple(fc.constant('exchange' as const), fc.nat(segments - 1), fc.nat(segments - 1)),
  )
  return fc.array(damage, { minLength: 1, maxLength: 4 }).map((damages) => damages.reduce(damaged, text))
}

function damaged(text: string, [kind, at, by]: Damage): string {
  if (kind === 'replace') return text.slice(0, at) + by + text.slice(at + 1)
  if (kind === 'cut') return text.slice(0, at) + text.slice(at + by)
  const parts = text.split('~\n')
  if (kind === 'drop') parts.splice(at, by)
  else if (kind === 'repeat') parts.splice(at, 0, ...parts.slice(at, at + by))
  else [parts[at], parts[by]] = [parts[by] ?? '', parts[at] ?? '']
  return parts.join('~\n')
}
