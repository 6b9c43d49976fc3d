import { getRfidData } from '@fpay/contract/rfid';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const rfidQueries = {
  /** Cards and open bind requests. Live events update them; a new card's masked number comes with the next request. */
  data: () =>
    queryOptions({
      queryKey: ['rfid', 'data'],
      queryFn: ({ signal }) => call(getRfidData, { signal }),
      staleTime: 0,
    }),
};
