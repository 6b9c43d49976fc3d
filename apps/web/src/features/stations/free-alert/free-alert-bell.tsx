import type { Connector } from '@fpay/contract/stations';
import Bell from 'lucide-react/icons/bell';
import BellRing from 'lucide-react/icons/bell-ring';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { useFreeAlert } from './free-alert.ts';

const FreeAlertSheet = lazy(async () => ({ default: (await import('./free-alert-sheet.tsx')).FreeAlertSheet }));

interface FreeAlertBellProps {
  /** The number of the real station. */
  number: string;
  connector: Connector;
}

/** Beside a busy connector: asks to be notified when it is free. A second press withdraws that. */
export function FreeAlertBell({ number, connector }: FreeAlertBellProps) {
  const text = useText();
  const { state, withdraw } = useFreeAlert(number);
  const [isOpen, setOpen] = useState(false);
  const own = state?.alert ?? null;
  const isMine = own?.connector_type === connector.type && (own.connector ?? connector.id) === connector.id;
  const Icon = isMine ? BellRing : Bell;
  return (
    <>
      <button
        type="button"
        aria-pressed={isMine}
        disabled={withdraw.isPending}
        onClick={() => (isMine && own ? withdraw.mutate(own.id) : setOpen(true))}
        className="mt-1.5 flex min-h-11 w-full items-center justify-center gap-2 rounded-control bg-surface-2 px-3 py-2 text-label font-bold active:bg-line aria-pressed:bg-charging-tint aria-pressed:text-charging"
      >
        <Icon aria-hidden="true" size={20} className="shrink-0" />
        {isMine && own
          ? own.head_start_until === null
            ? text('payment:alertIsOn', { count: own.ahead })
            : text('payment:alertYourTurn')
          : text('payment:alertOffer')}
      </button>
      <Suspense>
        {isOpen && <FreeAlertSheet number={number} connector={connector} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
