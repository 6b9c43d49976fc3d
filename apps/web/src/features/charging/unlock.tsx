import { type Operation, type UnlockOutcome, unlockOperation } from '@fpay/contract/charging';
import LockOpen from 'lucide-react/icons/lock-open';
import { call } from '../../api/call.ts';
import { useAction } from '../../data/action.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { useServerNow } from './server-clock.ts';

const outcomes = {
  unlocked: 'status:unlocked',
  failed: 'status:unlockFailed',
  not_supported: 'status:unlockNotSupported',
  offline: 'status:unlockOffline',
} as const satisfies Record<UnlockOutcome, TextKey>;

/** The server allows unlocking for this time after the end; later another driver may be at the connector. */
const offeredForMs = 30 * 60_000;

/** For a driver whose cable is stuck although the charge is over. */
export function UnlockOffer({ operation: { id, finished_at } }: { operation: Operation }) {
  const text = useText();
  const now = useServerNow(30_000);
  const { mutate, isPending } = useAction(() => call(unlockOperation, { params: { id: String(id) } }), {
    onSuccess: ({ status }) => void notify(text(outcomes[status])),
  });
  if (!finished_at || now - Date.parse(finished_at) > offeredForMs) return null;
  return (
    <Card className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-3 py-2.5">
      <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-control bg-surface-2">
        <LockOpen size={20} />
      </span>
      <span className="min-w-24 flex-1 text-label">{text('status:cableStuck')}</span>
      <Button size="s" busy={isPending} onPress={() => mutate()}>
        {text('status:unlock')}
      </Button>
    </Card>
  );
}
