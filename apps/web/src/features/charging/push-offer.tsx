import BellRing from 'lucide-react/icons/bell-ring';
import { useState } from 'react';
import { pushState, turnPushOn } from '../../api/push.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Card } from '../../ui/layout/card.tsx';

const laterKey = 'fpay.pushLater';

/**
 * Offers notifications while a charge runs, because only then does a driver know what they are for. It is shown until
 * the driver has answered once.
 */
export function PushOffer() {
  const text = useText();
  const [isOpen, setOpen] = useState(() => pushState() === 'default' && localStorage.getItem(laterKey) === null);
  const [message, setMessage] = useState<'on' | 'denied' | 'failed' | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (!isOpen && message === null) return null;

  function later() {
    localStorage.setItem(laterKey, 'yes');
    setOpen(false);
  }

  async function turnOn() {
    setBusy(true);
    const state = await turnPushOn().catch(() => 'failed' as const);
    setBusy(false);
    if (state === 'default') return later();
    setOpen(state === 'failed');
    setMessage(state === 'granted' ? 'on' : state === 'failed' ? 'failed' : 'denied');
  }

  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start gap-3.5">
        <span
          aria-hidden="true"
          className="grid size-10 shrink-0 place-items-center rounded-control bg-charging-tint text-charging"
        >
          <BellRing size={20} />
        </span>
        <p role="status" className="min-w-0 flex-1 text-note text-ink-2">
          <strong className="block text-label font-bold text-ink">
            {message === 'on' ? text('status:pushIsOn') : text('status:pushTitle')}
          </strong>
          {message === 'denied'
            ? text('status:pushDenied')
            : message === 'failed'
              ? text('status:pushFailed')
              : message === null && text('status:pushText')}
        </p>
      </div>
      {isOpen && (
        <div className="flex flex-wrap gap-2">
          <Button kind="secondary" size="m" className="flex-auto" busy={isBusy} onPress={() => void turnOn()}>
            {text('status:pushTurnOn')}
          </Button>
          <Button size="m" className="flex-auto" onPress={later}>
            {text('status:pushLater')}
          </Button>
        </div>
      )}
    </Card>
  );
}
