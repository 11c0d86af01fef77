// The places that stored events are shipped to, for a partner to be given some of them.
import type { SuggestedPlace, SuggestedPlacePage } from '../../../client/generated/shapes.ts'
import { type RequestState, useRequest } from '../frame/request.ts'
import { useOpenSession } from '../frame/session.ts'

const pageLimit = 200
/** So many pages are offered; later ones are typed. */
const pagesMax = 10

export function useStoredPlaces(): RequestState<readonly SuggestedPlace[]> {
  const { api } = useOpenSession()
  return useRequest(async (signal) => {
    const places: SuggestedPlace[] = []
    let cursor: string | null | undefined
    for (let page = 0; page < pagesMax && cursor !== null; page++) {
      const { body }: { body: SuggestedPlacePage } = await api.suggestPlaces({
        limit: pageLimit,
        signal,
        ...(cursor !== undefined && { cursor }),
      })
      places.push(...body.content)
      cursor = body.nextCursor
    }
    return places
  }, [])
}
