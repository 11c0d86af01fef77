// Work beside the serving of requests: each process has one of each, and ends it when it stops.

/** Work that a provider causes, by requests or by other work. */
export type BackgroundWorkName = 'recounts' | 'search' | 'corrections' | 'alerts' | 'sharing' | 'webhooks'

export interface BackgroundWork {
  readonly name: BackgroundWorkName
  /** Call it when there is work for this provider, so that it begins before the next look. */
  due(provider: string): void
  /** Ends after the step in progress. Another process, or the next one, does the rest. */
  end(): Promise<void>
}
