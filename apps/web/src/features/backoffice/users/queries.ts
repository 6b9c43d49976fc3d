import { adminUsers } from '@fpay/contract/admin/users';
import type { Role } from '@fpay/contract/roles';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { allRows } from '../../../data/all-rows.ts';

export const usersQueries = {
  list: (count: number, withTemporary: boolean, role: Role | null, sort: string | null) =>
    infiniteQueryOptions({
      queryKey: ['backoffice', 'users', count, withTemporary, role, sort],
      queryFn: ({ pageParam, signal }) =>
        call(adminUsers, { body: { count, with_temp: withTemporary, role, sort, before: pageParam }, signal }),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => (page.length < count ? null : (page.at(-1)?.id ?? null)),
      select: allRows,
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
};
