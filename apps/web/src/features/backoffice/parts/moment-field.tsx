import CalendarDays from 'lucide-react/icons/calendar-days';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Field } from '../../../ui/form/field.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { readMoment, writeMoment } from './calendar.ts';
import { CalendarPopup } from './calendar-popup.tsx';

interface MomentFieldProps {
  label: string;
  /** A Kyiv time, `2026-11-15T14:35`; a text that is no time is passed on as it was typed. */
  value: string;
  onChange: (value: string) => void;
  /** The field was left, or a time was chosen; while a date is typed in parts, it is not complete yet. */
  onCommit?: (value: string) => void;
  hint?: string | undefined;
  error?: string | undefined;
  max?: string | undefined;
}

/**
 * A date with its time, typed or chosen from a calendar. It is our own because a browser shows a date in the order of its
 * own language, so that 11/05 would be another day for every second member of staff.
 */
export function MomentField({ label, value, onChange, onCommit, hint, error, max }: MomentFieldProps) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState({ text: writeMoment(value), means: value });
  // The value came from elsewhere: the calendar, or a link.
  if (typed.means !== value) setTyped({ text: writeMoment(value), means: value });
  const isWrong = value !== '' && readMoment(value) === null;
  return (
    <>
      <Field
        label={label}
        hint={hint}
        error={error ?? (isWrong ? text('admin:momentInvalid') : undefined)}
        placeholder={text('admin:momentForm')}
        inputMode="numeric"
        autoComplete="off"
        value={typed.text}
        onChange={({ target }) => {
          const means = readMoment(target.value) ?? target.value.trim();
          setTyped({ text: target.value, means });
          onChange(means);
        }}
        onBlur={() => {
          setTyped({ text: writeMoment(value), means: value });
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
          value={readMoment(value) ?? ''}
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
