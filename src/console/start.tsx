// Where the page begins.
import { render } from 'preact'
import { Console } from './console.tsx'
import { loadLaterPages } from './pages/later-page.tsx'
import { markHiddenCharacters } from './parts/records/hidden-marks.tsx'
import { applyTheme } from './state/frame/theme.ts'

applyTheme()
markHiddenCharacters()
const place = document.getElementById('console')
if (place) render(<Console />, place)
// If that fails, a page that needs it shows an error.
loadLaterPages().catch(() => {})
