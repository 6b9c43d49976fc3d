import type { CommissioningCheck, CommissioningStep } from '@fpay/contract/admin/network/commissioning';
import { connectorTypes } from '@fpay/contract/connectors';
import Check from 'lucide-react/icons/check';
import Circle from 'lucide-react/icons/circle';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';

const checkTexts = {
  connected: { title: 'network:checkConnected', hint: 'network:hintConnected' },
  booted: { title: 'network:checkBooted', hint: 'network:hintBooted' },
  clock: { title: 'network:checkClock', hint: 'network:hintClock' },
  configured: { title: 'network:checkConfigured', hint: 'network:hintConfigured' },
  plugged: { title: 'network:checkPlugged', hint: 'network:hintPlugged' },
  charged: { title: 'network:checkCharged', hint: 'network:hintCharged' },
  metered: { title: 'network:checkMetered', hint: 'network:hintMetered' },
  unlocked: { title: 'network:checkUnlocked', hint: 'network:hintUnlocked' },
} as const satisfies Record<CommissioningCheck, { title: TextKey; hint: TextKey }>;

const looks = {
  done: { icon: Check, well: 'bg-free-tint text-free', label: 'network:stepDone' },
  fault: { icon: TriangleAlert, well: 'bg-error-tint text-error', label: 'network:stepFault' },
  active: { icon: LoaderCircle, well: 'bg-charging-tint text-charging', label: 'network:stepActive' },
  open: { icon: Circle, well: 'bg-surface-2 text-ink-3', label: 'network:stepOpen' },
} as const satisfies Record<CommissioningStep['state'], { icon: typeof Check; well: string; label: TextKey }>;

interface StepRowProps {
  step: CommissioningStep;
  chargePoint: number;
  isOpen: boolean;
  isBusy: boolean;
  onFault: (note: string) => void;
}

/** One step: what was seen, or what to do now. The active one is large and goes on by itself. */
export function StepRow({ step, chargePoint, isOpen, isBusy, onFault }: StepRowProps) {
  const text = useText();
  const { check, connector, type, state, seen } = step;
  const { title, hint } = checkTexts[check];
  const { icon: Icon, well, label } = looks[state];
  const isActive = state === 'active' && isOpen;
  const place = connector === null || type === null ? '' : ` · № ${connector} ${connectorTypes[type].name}`;
  return (
    <li className={classNames('flex flex-col gap-3 p-4', isActive && 'bg-charging-tint')}>
      <div className="flex items-center gap-3">
        <span className={classNames('grid size-11 shrink-0 place-items-center rounded-control', well)}>
          <Icon role="img" aria-label={text(label)} size={22} />
        </span>
        <div className="min-w-0 flex-1">
          <p className={isActive ? 'text-card' : 'text-label'}>
            {text(title)}
            {place}
          </p>
          <p className="text-small break-words text-ink-2">{seen ?? text(hint)}</p>
          {step.note !== null && <p className="text-small break-words text-error">{step.note}</p>}
        </div>
        {state === 'fault' && isOpen && (
          <Button size="s" busy={isBusy} onPress={() => onFault('')}>
            {text('network:withdrawFault')}
          </Button>
        )}
      </div>
      {isActive && (
        <>
          {seen !== null && <p className="text-note">{text(hint)}</p>}
          <StepAnswer chargePoint={chargePoint} isBusy={isBusy} onFault={onFault} />
        </>
      )}
    </li>
  );
}

/** When the step is not seen, what is wrong can be recorded. */
function StepAnswer({ chargePoint, isBusy, onFault }: Pick<StepRowProps, 'chargePoint' | 'isBusy' | 'onFault'>) {
  const text = useText();
  const [note, setNote] = useState<string | null>(null);
  if (note === null)
    return (
      <div className="grid grid-cols-2 gap-2">
        <Button size="m" onPress={() => setNote('')}>
          {text('network:notSeen')}
        </Button>
        <Button size="m" to={`/admin/network/charge-points/${chargePoint}`}>
          {text('network:commands')}
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={text('network:whatIsWrong')}
        maxLength={500}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <div className="grid grid-cols-2 gap-2">
        <Button size="m" onPress={() => setNote(null)}>
          {text('generic:back')}
        </Button>
        <Button size="m" kind="main" disabled={note.trim() === ''} busy={isBusy} onPress={() => onFault(note)}>
          {text('network:recordFault')}
        </Button>
      </div>
    </div>
  );
}
