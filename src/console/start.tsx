// Where the page begins.
import { render } from 'preact'
import { Console } from './console.tsx'
import { applyTheme } from './state/theme.ts'

applyTheme()
const place = document.getElementById('console')
if (place) render(<Console />, place)
