import { getStats, type HistoryRange } from '@fpay/contract/history';
import { call } from '../../api/call.ts';
import { pastOptions } from '../history/queries.ts';

export const statsQueries = {
  all: ['stats'] as const,
  range: (range: HistoryRange) =>
    pastOptions([...statsQueries.all, range], () => call(getStats, { params: { range } })),
};
