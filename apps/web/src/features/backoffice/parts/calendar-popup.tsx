import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { formatInstant } from '../../../ui/format/number-format.ts';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { addMonths, momentNow, stepMinutes } from './calendar.ts';
import { MonthGrid } from './month-grid.tsx';

const twoDigits = (count: number, step: number) =>
  Array.from({ length: count / step }, (_, index) => String(index * step).padStart(2, '0'));
const hours = twoDigits(24, 1);
const minutes = twoDigits(60, stepMinutes);

interface CalendarPopupProps {
  title: string;
  /** False when only a day is chosen. */
  hasTime: boolean;
  /** `2026-11-15T14:35`, or a day without a time; empty: now. */
  value: string;
  /** Later times cannot be chosen. */
  max?: string | undefined;
  onChoose: (value: string) => void;
  onClose: () => void;
}

/** A month, and a time in steps of five minutes. */
export function CalendarPopup({ title, hasTime, value, max, onChoose, onClose }: CalendarPopupProps) {
  const text = useText();
  const language = useLanguage();
  const [first] = useState(() => value || momentNow());
  const [day, setDay] = useState(first.slice(0, 10));
  const [month, setMonth] = useState(first.slice(0, 7));
  const [hour, setHour] = useState(first.slice(11, 13));
  const [minute, setMinute] = useState(first.slice(14, 16));
  const monthName = formatInstant(`${month}-01T12:00:00Z`, { month: 'long', year: 'numeric' }, language);
  const chosen = hasTime ? `${day}T${hour}:${minute}` : day;
  return (
    <PopupFrame open onClose={onClose} title={title} titleClassName="text-h2" focuses="itself">
      <div>
        <MonthChoice name={monthName} onMove={(by) => setMonth(addMonths(month, by))} />
        <MonthGrid
          label={monthName}
          month={month}
          day={day}
          lastDay={max?.slice(0, 10) ?? '9999-12-31'}
          onDay={(next, isByKey) => {
            setDay(next);
            if (isByKey) setMonth(next.slice(0, 7));
          }}
        />
      </div>
      {hasTime && <TimeChoice hour={hour} minute={minute} onHour={setHour} onMinute={setMinute} />}
      <div className="grid grid-cols-2 gap-2">
        <Button onPress={() => onChoose('')}>{text('admin:clear')}</Button>
        <Button kind="main" onPress={() => onChoose(max !== undefined && chosen > max ? max : chosen)}>
          {text('generic:ok')}
        </Button>
      </div>
    </PopupFrame>
  );
}

function MonthChoice({ name, onMove }: { name: string; onMove: (by: 1 | -1) => void }) {
  const text = useText();
  return (
    <div className="flex items-center justify-between gap-2">
      <IconButton
        label={text('admin:previousMonth')}
        icon={<ChevronLeft aria-hidden="true" size={20} />}
        onPress={() => onMove(-1)}
      />
      <span aria-live="polite" className="text-label first-letter:uppercase">
        {name}
      </span>
      <IconButton
        label={text('admin:nextMonth')}
        icon={<ChevronRight aria-hidden="true" size={20} />}
        onPress={() => onMove(1)}
      />
    </div>
  );
}

interface TimeChoiceProps {
  hour: string;
  minute: string;
  onHour: (hour: string) => void;
  onMinute: (minute: string) => void;
}

function TimeChoice({ hour, minute, onHour, onMinute }: TimeChoiceProps) {
  const text = useText();
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
      <Select
        label={text('admin:hours')}
        value={hour}
        onChange={onHour}
        options={hours.map((each) => ({ value: each, label: each }))}
      />
      <span aria-hidden="true">:</span>
      <Select
        label={text('admin:minutesOfHour')}
        value={minute}
        onChange={onMinute}
        options={minutes.map((each) => ({ value: each, label: each }))}
      />
    </div>
  );
}
