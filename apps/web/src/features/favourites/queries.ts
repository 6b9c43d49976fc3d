import { addFavourite, type KnownStation, knownStations, removeFavourite } from '@fpay/contract/favourites';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useAction } from '../../data/action.ts';
import { isRegistered, useUser } from '../account/queries.ts';

export const favouriteQueries = {
  /** Favourite and recent stations of the signed-in driver. */
  known: () =>
    queryOptions({
      queryKey: ['favourites', 'known'],
      queryFn: ({ signal }) => call(knownStations, { signal }),
      staleTime: 60_000,
    }),
};

/** Whether a station is marked, and how to change that; null for guests and visitors, who have no list. */
export function useFavourite(number: string): { isMarked: boolean; toggle: () => void } | null {
  const user = useUser();
  const queryClient = useQueryClient();
  const { queryKey } = favouriteQueries.known();
  const { data } = useQuery({ ...favouriteQueries.known(), enabled: isRegistered(user) });
  const isMarked = data?.some((station) => station.number === number && station.is_favourite) ?? false;
  const { mutate } = useAction((mark: boolean) => call(mark ? addFavourite : removeFavourite, { params: { number } }), {
    // The star changes at once; the answer of the server replaces the guess.
    onMutate: (mark) =>
      queryClient.setQueryData<KnownStation[]>(queryKey, (known) =>
        known?.map((station) => (station.number === number ? { ...station, is_favourite: mark } : station)),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  return isRegistered(user) && data ? { isMarked, toggle: () => mutate(!isMarked) } : null;
}
