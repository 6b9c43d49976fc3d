import CalendarDays from 'lucide-react/icons/calendar-days';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Field } from '../../../ui/form/field.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { readDay, readMoment, writeDay, writeMoment } from './calendar.ts';
import { CalendarPopup } from './calendar-popup.tsx';

/** What is typed: a time of a day, or a whole day. */
const units = {
  minute: { read: readMoment, write: writeMoment, form: 'admin:momentForm', invalid: 'admin:momentInvalid' },
  day: { read: readDay, write: writeDay, form: 'admin:dayForm', invalid: 'admin:dayInvalid' },
} as const;

interface MomentFieldProps {
  label: string;
  unit?: keyof typeof units;
  /** A Kyiv time, `2026-11-15T14:35`, or a day, `2026-11-15`; a text that is none is passed on as it was typed. */
  value: string;
  onChange: (value: string) => void;
  /** The field was left, or a time was chosen; while a date is typed in parts, it is not complete yet. */
  onCommit?: (value: string) => void;
  hint?: string | undefined;
  error?: string | undefined;
  max?: string | undefined;
}

/**
 * A date, usually with its time, typed or chosen from a calendar. It is our own because a browser shows a date in the
 * order of its own language, so that 11/05 would be another day for every second member of staff.
 */
export function MomentField(props: MomentFieldProps) {
  const { label, unit = 'minute', value, onChange, onCommit, hint, error, max } = props;
  const { read, write, form, invalid } = units[unit];
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState({ text: write(value), means: value });
  // The value came from elsewhere: the calendar, or a link.
  if (typed.means !== value) setTyped({ text: write(value), means: value });
  const isWrong = value !== '' && read(value) === null;
  return (
    <>
      <Field
        label={label}
        hint={hint}
        error={error ?? (isWrong ? text(invalid) : undefined)}
        placeholder={text(form)}
        inputMode="numeric"
        autoComplete="off"
        value={typed.text}
        onChange={({ target }) => {
          const means = read(target.value) ?? target.value.trim();
          setTyped({ text: target.value, means });
          onChange(means);
        }}
        onBlur={() => {
          setTyped({ text: write(value), means: value });
          onCommit?.(value);
        }}
        trailing={
          <IconButton
            label={text('admin:openCalendar', { field: label })}
            icon={<CalendarDays aria-hidden="true" size={20} />}
            onPress={() => setOpen(true)}
            className="-mr-2"
          />
        }
      />
      {isOpen && (
        <CalendarPopup
          title={label}
          hasTime={unit === 'minute'}
          value={read(value) ?? ''}
          max={max}
          onClose={() => setOpen(false)}
          onChoose={(chosen) => {
            setOpen(false);
            onChange(chosen);
            onCommit?.(chosen);
          }}
        />
      )}
    </>
  );
}
