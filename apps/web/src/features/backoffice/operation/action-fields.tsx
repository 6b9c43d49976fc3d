import { useText } from '../../../i18n/use-text.ts';
import { Field } from '../../../ui/form/field.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { ChoiceChips } from '../parts/choice-chips.tsx';
import type { FieldsProps } from './action-view.ts';

export function SumField({ form, onChange, hint }: FieldsProps & { hint?: string }) {
  const text = useText();
  return (
    <Field
      label={text('adminOperations:amount')}
      hint={hint}
      inputMode="decimal"
      trailing="₴"
      value={form.amount}
      onChange={({ target }) => onChange({ ...form, amount: target.value })}
    />
  );
}

const none = '';

interface StatusChoiceProps extends FieldsProps {
  presets: readonly string[];
  all: readonly string[];
}

/** A preset, or any other status; the other one counts only without a preset. */
export function StatusChoice({ presets, all, form, onChange }: StatusChoiceProps) {
  const text = useText();
  const choices = [
    ...presets.map((value) => ({ value, label: value })),
    { value: none, label: text('adminOperations:other') },
  ];
  return (
    <>
      <ChoiceChips
        legend={text('adminOperations:newStatus')}
        choices={choices}
        value={form.preset ?? none}
        onChange={(preset) => onChange({ ...form, preset: preset || null })}
        wraps
      />
      <Select
        label={text('adminOperations:otherStatus')}
        value={form.custom ?? none}
        onChange={(custom) => onChange({ ...form, custom: custom || null })}
        options={[
          { value: none, label: text('adminOperations:otherStatus') },
          ...all.map((value) => ({ value, label: value })),
        ]}
      />
    </>
  );
}
