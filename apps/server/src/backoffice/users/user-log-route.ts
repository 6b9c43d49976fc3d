import { userLog } from '@fpay/contract/profile';
import type { Reads } from '../../platform/audit-reads.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { Refusal } from '../../platform/refusal.ts';

/** The log of a user as text. */
export function userLogRoute(
  routes: Routes,
  logText: (user: number) => Promise<string | null>,
  reads: Pick<Reads, 'of'>,
): void {
  routes.on(userLog, async ({ viewer, params, http }) => {
    const text = await logText(params.id);
    if (text === null) throw new Refusal('user_not_found');
    await reads.of(viewer.id, 'user-log', params.id);
    // A log contains text that strangers typed, so a browser must never render it as a page.
    http.reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff');
    return http.reply.send(text) as never;
  });
}
