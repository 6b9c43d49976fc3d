import type { Operation } from '@fpay/contract/charging';
import { useNow } from '../../ui/hooks/use-now.ts';

/** How far the server's clock is ahead of this device's, which may be wrong by hours. */
let aheadMs = 0;

/** With each answer that has the server's time. */
export function noteServerTime({ server_time }: Pick<Operation, 'server_time'>): void {
  aheadMs = Date.parse(server_time) - Date.now();
}

/** The server's present time in Unix ms. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}

/** The same for a part that is drawn again at this interval. */
export function useServerNow(everyMs: number): number {
  return useNow(everyMs) + aheadMs;
}
