// Keeps the focus on the page: where the element that has it goes away, is hidden or cannot be used
// for a while, the focus goes to the nearest sensible place and never to the body (WCAG 2.4.3).

/** An element that had the focus, and its place among its siblings and those of what it was in. */
interface Held {
  readonly element: HTMLElement
  /** From the inside out. */
  readonly places: readonly { readonly parent: Element; readonly index: number }[]
}

/** Enough for a dialog that a dialog opened. */
const trailMax = 12

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]'

/** What has just arrived and is to be read next has this attribute, and takes the focus. */
const arrival = '[data-arrival]'

/** Without moving the page: somebody may be scrolling. */
const inPlace = { preventScroll: true }

const isDrawn = (element: Element): boolean => element.isConnected && element.getClientRects().length > 0

const canHold = (element: Element): boolean => isDrawn(element) && !element.matches(':disabled')

function heldAt(element: HTMLElement): Held {
  const places: { parent: Element; index: number }[] = []
  for (let one: Element = element; one.parentElement !== null; one = one.parentElement)
    places.push({ parent: one.parentElement, index: [...one.parentElement.children].indexOf(one) })
  return { element, places }
}

/** Not a field: what somebody types on would go into another row. */
const firstIn = (element: Element): HTMLElement | undefined =>
  [element, ...element.querySelectorAll(focusable)].find(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && one.matches(focusable) && !one.matches('input, select, textarea') && canHold(one),
  )

/** What stands now where it stood, e.g. the button of the next row; nothing of the whole page. */
function neighbourOf({ places }: Held): HTMLElement | undefined {
  const content = document.getElementById('content')
  for (const [depth, { parent, index }] of places.entries()) {
    if (!parent.isConnected) continue
    if (content === null || parent === content || parent.contains(content)) return undefined
    const there = parent.children[Math.min(index, parent.children.length - 1)]
    let inner: Element | undefined = there
    for (const within of places.slice(0, depth).reverse()) inner = inner?.children[within.index] ?? inner
    const found = [inner, there, parent].map((one) => one && firstIn(one)).find((one) => one !== undefined)
    if (found !== undefined) return found
  }
  return undefined
}

const isInDialog = ({ places }: Held, which: '[open]' | ''): boolean =>
  places.some(({ parent }) => parent.matches(`dialog${which}`) && (which === '' || isDrawn(parent)))

/** Keeps the focus until the returned function is called. */
export function keepFocus(): () => void {
  let trail: Held[] = []
  /** Has the focus in place of the element in the trail, or of a heading that is not drawn yet. */
  let standIn: HTMLElement | undefined

  const noteFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || target === standIn) return
    standIn = undefined
    trail = [...trail.slice(1 - trailMax), heldAt(target)]
  }
  // A press beside everything takes the focus away on purpose.
  const notePress = ({ target }: PointerEvent) => {
    if (target instanceof Element && target.closest(`${focusable}, label, dialog`) === null) trail = []
  }

  /** The focus of an element without one of its own, until it leaves. */
  const standBy = (element: HTMLElement) => {
    standIn = element
    if (!element.hasAttribute('tabindex')) {
      element.tabIndex = -1
      element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
    }
    element.focus(inPlace)
  }
  const toHeading = () => {
    const heading = document.querySelector<HTMLElement>('#content h1')
    const content = document.getElementById('content')
    if (heading !== null) {
      heading.tabIndex = -1
      heading.focus(inPlace)
    } else if (content !== null) standBy(content)
  }

  const restore = (changes: readonly MutationRecord[]) => {
    const active = document.activeElement
    const isNowhere = active === null || active === document.body
    const [last] = trail.slice(-1)
    if (last === undefined) return
    if (!isNowhere && active !== standIn && canHold(active)) return
    if (isNowhere && canHold(last.element)) return
    const arrived = changes
      .flatMap(({ addedNodes }) => [...addedNodes])
      .flatMap((node) => (node instanceof Element ? [node, ...node.querySelectorAll(arrival)] : []))
      .find((node): node is HTMLElement => node instanceof HTMLElement && node.matches(arrival))
    if (arrived !== undefined) return arrived.focus()
    if (active === standIn && standIn?.id === 'content')
      return void (document.querySelector('#content h1') && toHeading())
    // While it is busy, what it is in has the focus.
    const { element } = last
    if (isDrawn(element)) {
      if (canHold(element)) element.focus(inPlace)
      else if (active !== standIn && element.parentElement !== null) standBy(element.parentElement)
      return
    }
    const twin = element.id === '' ? null : document.getElementById(element.id)
    if (twin !== null && canHold(twin)) return twin.focus(inPlace)
    // Who opened a dialog gets the focus back when it is gone.
    const opener = isInDialog(last, '[open]') ? last : trail.findLast((held) => !isInDialog(held, ''))
    const found = opener && (canHold(opener.element) ? opener.element : neighbourOf(opener))
    if (found !== undefined) found.focus(inPlace)
    else toHeading()
  }

  const observer = new MutationObserver(restore)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'open'],
  })
  document.addEventListener('focusin', noteFocus)
  document.addEventListener('pointerdown', notePress)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', noteFocus)
    document.removeEventListener('pointerdown', notePress)
  }
}
