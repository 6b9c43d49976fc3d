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
  connected: { title: 'networkCommissioning:checkConnected', hint: 'networkCommissioning:hintConnected' },
  booted: { title: 'networkCommissioning:checkBooted', hint: 'networkCommissioning:hintBooted' },
  clock: { title: 'networkCommissioning:checkClock', hint: 'networkCommissioning:hintClock' },
  configured: { title: 'networkCommissioning:checkConfigured', hint: 'networkCommissioning:hintConfigured' },
  plugged: { title: 'networkCommissioning:checkPlugged', hint: 'networkCommissioning:hintPlugged' },
  charged: { title: 'networkCommissioning:checkCharged', hint: 'networkCommissioning:hintCharged' },
  metered: { title: 'networkCommissioning:checkMetered', hint: 'networkCommissioning:hintMetered' },
  unlocked: { title: 'networkCommissioning:checkUnlocked', hint: 'networkCommissioning:hintUnlocked' },
} as const satisfies Record<CommissioningCheck, { title: TextKey; hint: TextKey }>;

const looks = {
  done: { icon: Check, well: 'bg-free-tint text-free', label: 'networkCommissioning:stepDone' },
  fault: { icon: TriangleAlert, well: 'bg-error-tint text-error', label: 'networkCommissioning:stepFault' },
  active: { icon: LoaderCircle, well: 'bg-charging-tint text-charging', label: 'networkCommissioning:stepActive' },
  open: { icon: Circle, well: 'bg-surface-2 text-ink-3', label: 'networkCommissioning:stepOpen' },
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
            {text('networkCommissioning:withdrawFault')}
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
          {text('networkCommissioning:notSeen')}
        </Button>
        <Button size="m" to={`/admin/network/charge-points/${chargePoint}`}>
          {text('network:commands')}
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={text('networkCommissioning:whatIsWrong')}
        maxLength={500}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <div className="grid grid-cols-2 gap-2">
        <Button size="m" onPress={() => setNote(null)}>
          {text('generic:back')}
        </Button>
        <Button size="m" kind="main" disabled={note.trim() === ''} busy={isBusy} onPress={() => onFault(note)}>
          {text('networkCommissioning:recordFault')}
        </Button>
      </div>
    </div>
  );
}
