// Light, dark, or the theme of the system. Stored in the browser: it reveals nothing of the data.
import { signal } from './signal.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'lotkeeper.theme'

const storedTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(place)) ?? 'system'

const current = signal<Theme>(storedTheme())

export const useTheme = (): Theme => current.use()

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(place, theme)
  current.set(theme)
  applyTheme()
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = current.get()
}
