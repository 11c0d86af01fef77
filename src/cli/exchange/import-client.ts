// The service and the file of imports of documents.
import { type Client, lotkeeper } from '../../client/client.ts'
import type { OpenFile } from '../base/open-file.ts'
import { quickFetch } from '../base/quick-fetch.ts'
import { withoutEndSlashes } from '../base/remote.ts'

interface ImportedInto {
  readonly url: string
  readonly key?: string
}

/** A file that is sent as it is, in parts. */
export interface SentFile extends ImportedInto {
  readonly path: string
  readonly file: OpenFile
  readonly dryRun: boolean
  readonly stopAsked: () => boolean
}

/** Patient: a busy service is asked again, after pauses that grow to half a minute. */
const retriesMax = 40

export const importClient = ({ url, key = '' }: ImportedInto, onRetry: (text: string) => void): Client =>
  lotkeeper({
    url: withoutEndSlashes(url),
    key,
    retries: retriesMax,
    fetch: quickFetch,
    onRetry: (_pauseMs, why) => onRetry(`${why.message} Retrying.`),
  })
