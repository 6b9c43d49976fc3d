import { type StaffList, StaffMessage, staffGroup, staffGroupAccess } from '@fpay/contract/admin/live';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connectRealtime } from '../../api/realtime.ts';
import type { StaffKeyBeginning } from '../../data/query-keys.ts';
import { usePermissions } from './parts/use-may.ts';
import { setHasMessages } from './queries.ts';

/**
 * How often a list is read again at most while messages arrive. A busy network sends one each second, and a list that
 * changes more often cannot be read by people either. Overviews are sums over many rows.
 */
const listPauseMs = 3_000;
const overviewPauseMs = 10_000;

const operationLists: StaffKeyBeginning[] = [['backoffice', 'operations']];
const overviews: StaffKeyBeginning[] = [
  ['backoffice', 'today'],
  ['backoffice', 'health'],
];
const keysOfList: Record<StaffList, StaffKeyBeginning[]> = {
  anomalies: [...overviews, ['backoffice', 'money']],
  terminations: overviews,
  cases: [
    ['backoffice', 'cases'],
    ['backoffice', 'today'],
  ],
  approvals: [
    ['backoffice', 'today'],
    ['backoffice', 'money'],
  ],
};

/** While a staff page is open: what it shows is read again when a message says that it changed. */
export function useStaffMessages(): void {
  const queryClient = useQueryClient();
  const permissions = usePermissions();
  const isGranted = staffGroupAccess.every((permission) => permissions.includes(permission));
  useEffect(() => {
    if (!isGranted) return;
    const refresh = createRefresh(queryClient);
    const connection = connectRealtime({ staff: true });
    function change(hasMessages: boolean): void {
      setHasMessages(hasMessages);
      // What happened before is unknown. A query also decides after each answer whether it polls.
      void queryClient.invalidateQueries({ queryKey: ['backoffice'] });
    }
    connection.listen(
      staffGroup,
      (data) => refresh.onMessage(data),
      () => change(true),
      () => change(false),
    );
    return () => {
      connection.stop();
      refresh.stop();
      setHasMessages(false);
    };
  }, [isGranted, queryClient]);
}

/** Reads lists again, each at most once in its pause and only while the page is visible. */
export function createRefresh(queryClient: QueryClient) {
  const waiting = new Map<string, { key: StaffKeyBeginning; dueAt: number }>();
  const readAt = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function want(keys: readonly StaffKeyBeginning[], pauseMs: number): void {
    for (const key of keys) {
      const name = key.join();
      if (!waiting.has(name))
        waiting.set(name, { key, dueAt: (readAt.get(name) ?? Number.NEGATIVE_INFINITY) + pauseMs });
    }
    flush();
  }

  function flush(): void {
    clearTimeout(timer);
    if (document.hidden) return;
    const now = Date.now();
    for (const [name, { key, dueAt }] of waiting) {
      if (dueAt > now) continue;
      waiting.delete(name);
      readAt.set(name, now);
      void queryClient.invalidateQueries({ queryKey: key });
    }
    const next = Math.min(...Array.from(waiting.values(), ({ dueAt }) => dueAt));
    if (Number.isFinite(next)) timer = setTimeout(flush, next - now);
  }

  document.addEventListener('visibilitychange', flush);
  return {
    onMessage(data: unknown): void {
      const { data: message } = StaffMessage.safeParse(data);
      if (!message) console.warn('live message invalid', data);
      else if (message.type === 'staff_list_changed') want(keysOfList[message.list], listPauseMs);
      else {
        want(operationLists, listPauseMs);
        want(overviews, overviewPauseMs);
      }
    },
    stop(): void {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', flush);
    },
  };
}
