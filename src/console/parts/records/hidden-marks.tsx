// Characters that cannot be seen are marked wherever the page draws text: by their number, with the
// character behind it, so that a copied text is the stored one. In an element of its own a control
// of direction reaches no other letter, nor does a part of a text that reads from right to left.
// Source: decision 0085.
import { type ComponentChild, type ComponentChildren, options, type VNode } from 'preact'
import { partsByDirection } from '../../../contract/text/direction.ts'
import { characterWords, codePointWords, hiddenCharacters } from '../../../contract/text/hidden-characters.ts'

/** Elements that hold only text. */
const textOnly: ReadonlySet<unknown> = new Set(['option', 'textarea', 'title', 'desc', 'text', 'tspan'])

/** Marks them in everything that is drawn from now on. */
export function markHiddenCharacters(): void {
  const before = options.vnode
  options.vnode = (node: VNode<{ children?: ComponentChildren; class?: string }>) => {
    const { type, props } = node
    if (typeof type === 'string' && props.class !== 'unseen' && !textOnly.has(type))
      props.children = withMarks(props.children)
    before?.(node)
  }
}

function withMarks(children: ComponentChildren): ComponentChildren {
  if (typeof children === 'string') return markedText(children)
  if (!Array.isArray(children)) return children
  const marked = children.map(withMarks)
  return marked.some((child, i) => child !== children[i]) ? marked : children
}

function markedText(text: string): ComponentChildren {
  const directed = partsByDirection(text)
  if (directed.length > 1) return directed.map((part, i) => (i % 2 === 0 ? <bdi key={i}>{part}</bdi> : part))
  const hidden = hiddenCharacters(text)
  if (hidden.length === 0) return text
  const parts: ComponentChild[] = []
  let from = 0
  for (const { at, codePoint } of hidden) {
    const character = String.fromCodePoint(codePoint)
    parts.push(
      text.slice(from, at),
      <span class="unseen" data-mark={codePointWords(codePoint)} title={characterWords(codePoint)}>
        {character}
      </span>,
    )
    from = at + character.length
  }
  return [...parts, text.slice(from)]
}
