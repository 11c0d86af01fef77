// What surrounds every page: the way to the others, who is signed in, what was just done, whether
// the service answers.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { followLink, hrefTo, useAddress } from '../state/address.ts'
import { useAway } from '../state/connection.ts'
import { leaveBy } from '../state/leaving.ts'
import { dismiss, useNotices } from '../state/notices.ts'
import { signOut, useSession } from '../state/session.ts'
import { chooseTheme, type Theme, themes, useTheme } from '../state/theme.ts'
import { LeaveQuestion } from './leave-question.tsx'
import { Who } from './who.tsx'

interface Props {
  readonly navigation: readonly { readonly path: string; readonly words: string }[]
  readonly children?: ComponentChildren
}

export function Shell({ navigation, children }: Props) {
  const help = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => takeShortcut(event, help.current)
    addEventListener('keydown', pressed)
    addEventListener('click', followLink)
    return () => {
      removeEventListener('keydown', pressed)
      removeEventListener('click', followLink)
    }
  }, [])
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Top navigation={navigation} onHelp={() => help.current?.showModal()} />
      <Away />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Notices />
      <Help dialog={help} />
      <LeaveQuestion />
    </>
  )
}

/** Two keys, outside of fields: what more there were, nobody would remember. */
function takeShortcut(event: KeyboardEvent, help: HTMLDialogElement | null): void {
  if (event.ctrlKey || event.metaKey || event.altKey || help?.open) return
  const { target } = event
  if (target instanceof HTMLElement && target.closest('input, textarea, select')) return
  if (event.key === '?') {
    event.preventDefault()
    help?.showModal()
  }
  if (event.key === '/') {
    const search = document.querySelector<HTMLInputElement>('[data-search]')
    if (search === null) return
    event.preventDefault()
    search.focus()
    search.select()
  }
}

function Top({ navigation, onHelp }: Pick<Props, 'navigation'> & { readonly onHelp: () => void }) {
  const session = useSession()
  const { path } = useAddress()
  const links = useRef<HTMLElement>(null)
  // In a narrow window the links are a strip that scrolls: the current one is in sight.
  useEffect(() => {
    const current = links.current?.querySelector<HTMLElement>('[aria-current]')
    if (links.current && current) links.current.scrollLeft = current.offsetLeft - links.current.offsetLeft - 24
  }, [path])
  return (
    <header class="top">
      <a class="mark" href={hrefTo('/')}>
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="mark-ground" />
          <path d="M9 8v16h14" class="mark-line" />
          <circle cx="19.5" cy="12.5" r="4" class="mark-line" />
        </svg>
        Lotkeeper
      </a>
      {navigation.length > 0 && (
        <nav ref={links} aria-label="Console">
          {navigation.map((link) => (
            <a
              key={link.path}
              href={hrefTo(link.path)}
              aria-current={path === link.path || path.startsWith(`${link.path}/`) ? 'page' : undefined}
            >
              {link.words}
            </a>
          ))}
        </nav>
      )}
      <div class="top-end">
        {session && <Who session={session} />}
        <ThemeSwitch />
        <button type="button" class="plain" onClick={onHelp} aria-label="Help and shortcuts" title="Help (?)">
          ?
        </button>
        {session && (
          <button type="button" class="plain" onClick={() => leaveBy(() => void signOut())}>
            Sign out
          </button>
        )}
      </div>
    </header>
  )
}

const themeWords: Readonly<Record<Theme, string>> = { system: 'Auto', light: 'Light', dark: 'Dark' }

function ThemeSwitch() {
  const theme = useTheme()
  return (
    <label class="theme">
      <span class="hidden">Colours</span>
      <select value={theme} onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {themeWords[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

function Away() {
  const away = useAway()
  return (
    <div role="status" class={away ? 'away' : undefined}>
      {away && 'The service cannot be reached. Nothing you entered is lost; the page continues as soon as it answers.'}
    </div>
  )
}

function Notices() {
  const notices = useNotices()
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map(({ id, words, tone }) => (
        <div key={id} class={`notice ${tone}`}>
          <span dir="auto">{words}</span>
          <button type="button" class="plain" onClick={() => dismiss(id)} aria-label="Dismiss">
            ×
          </button>
        </div>
      ))}
    </div>
  )
}

function Help({ dialog }: { readonly dialog: { readonly current: HTMLDialogElement | null } }) {
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title">
      <h2 id="help-title">Help</h2>
      <dl>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Go to the search field</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This help</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close it</dd>
      </dl>
      <p>
        You can share every address: it shows the same to everyone who may read it. Any program can do what the console
        does. The <a href="/docs">API documentation</a> explains how.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
