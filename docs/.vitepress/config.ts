import { defineConfig } from 'vitepress'
import { docsSite } from '../../scripts/docs-site.ts'

export default defineConfig(docsSite)
