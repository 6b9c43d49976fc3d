import { snoozeCase } from '@fpay/contract/admin/cases';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { ChoiceChips } from '../parts/choice-chips.tsx';
import { instantOfKyiv, kyivLocal } from '../parts/kyiv-time.ts';
import { MomentField } from '../parts/moment-field.tsx';

type Choice = 'hour' | 'evening' | 'tomorrow' | 'own';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The end of the snooze as an instant; null while its time is not typed. */
function untilOf(choice: Choice, typed: string, now: Date): string | null {
  if (choice === 'hour') return new Date(now.getTime() + hourMs).toISOString();
  if (choice === 'own') return instantOfKyiv(typed);
  const day = kyivLocal(choice === 'evening' ? now : new Date(now.getTime() + dayMs)).slice(0, 10);
  return instantOfKyiv(`${day}T${choice === 'evening' ? '18:00' : '09:00'}`);
}

interface SnoozePopupProps {
  id: number;
  onClose: () => void;
  onDone: () => void;
}

/** Puts a case off. */
export function SnoozePopup({ id, onClose, onDone }: SnoozePopupProps) {
  const text = useText();
  const [opened] = useState(() => new Date());
  const [choice, setChoice] = useState<Choice>('hour');
  const [typed, setTyped] = useState('');
  const sending = useAction((until: string) => call(snoozeCase, { params: { id: String(id) }, body: { until } }), {
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  const evening = untilOf('evening', '', opened);
  const hasEvening = evening !== null && Date.parse(evening) > opened.getTime();
  const until = untilOf(choice, typed, new Date());
  return (
    <PopupFrame open onClose={onClose} title={text('adminCases:snoozeTitle')} titleClassName="text-h2">
      <ChoiceChips
        legend={text('adminCases:until')}
        wraps
        value={choice}
        onChange={setChoice}
        choices={[
          { value: 'hour', label: text('adminCases:inHour') },
          ...(hasEvening ? [{ value: 'evening', label: text('adminCases:inEvening') } as const] : []),
          { value: 'tomorrow', label: text('adminCases:tomorrow') },
          { value: 'own', label: text('adminCases:ownTime') },
        ]}
      />
      {choice === 'own' && <MomentField label={text('adminCases:until')} value={typed} onChange={setTyped} />}
      <Button
        kind="main"
        disabled={until === null}
        busy={sending.isPending}
        onPress={() => until && sending.mutate(until)}
      >
        {text('adminCases:snoozeAction')}
      </Button>
    </PopupFrame>
  );
}
