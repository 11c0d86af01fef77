// Facts of one thing: what each is called, and what it is. A fact without a value is left out.
import type { ComponentChildren } from 'preact'

export type Fact = readonly [words: string, value: ComponentChildren]

interface Props {
  readonly facts: readonly Fact[]
  readonly class?: string
}

export const FactList = ({ facts, class: className = 'held' }: Props) => (
  <dl class={className}>
    {facts.map(
      ([words, value]) =>
        value !== null &&
        value !== undefined &&
        value !== false && (
          <div key={words}>
            <dt>{words}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)
