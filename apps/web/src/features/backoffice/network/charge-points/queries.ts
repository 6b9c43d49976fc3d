import {
  chargePointList,
  chargePointPage,
  type chargePointStates,
  chargePointView,
  deviceMessages,
  type messageDirections,
} from '@fpay/contract/admin/network/charge-points';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';
import { pollMs } from '../../queries.ts';

export type ChargePointState = (typeof chargePointStates)[number];
export type MessageDirection = (typeof messageDirections)[number];

export const chargePointKey = (id: number) => ['backoffice', 'chargePoint', id] as const;
/** While a page is watched; a command that waits for its answer is asked for more often. */
const watchMs = 4_000;
const answerMs = 1_000;

export const chargePointQueries = {
  list: (state: ChargePointState, q: string) =>
    infiniteQueryOptions({
      queryKey: ['backoffice', 'chargePoints', state, q],
      queryFn: ({ pageParam, signal }) =>
        call(chargePointList, {
          query: { state, ...(q && { q }), ...(pageParam !== null && { after: pageParam }) },
          signal,
        }),
      initialPageParam: null as string | null,
      getNextPageParam: ({ charge_points }) =>
        charge_points.length < chargePointPage ? null : (charge_points.at(-1)?.identity ?? null),
      placeholderData: keepPreviousData,
      refetchInterval: pollMs,
      staleTime: 0,
    }),
  view: (id: number) =>
    queryOptions({
      queryKey: [...chargePointKey(id), 'view'],
      queryFn: ({ signal }) => call(chargePointView, { params: { id: String(id) }, signal }),
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data?.commands.some(({ status }) => status === 'queued' || status === 'sent') ? answerMs : watchMs,
    }),
  messages: (id: number, direction: MessageDirection, q: string) =>
    infiniteQueryOptions({
      queryKey: [...chargePointKey(id), 'messages', direction, q],
      queryFn: ({ pageParam, signal }) =>
        call(deviceMessages, {
          params: { id: String(id) },
          query: { direction, ...(q && { q }), ...(pageParam !== null && { before: pageParam }) },
          signal,
        }),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) === 1 ? watchMs : false),
      staleTime: 0,
    }),
};
