import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Field } from '../../../ui/form/field.tsx';

/** A whole number from 1 on; null for anything else. */
export function countOf(text: string | null, most: number): number | null {
  const count = /^\d{1,3}$/.test(text ?? '') ? Number(text) : 0;
  return count >= 1 && count <= most ? count : null;
}

interface CountFieldProps {
  count: number;
  most: number;
  onChange: (count: number) => void;
}

/** How many rows a list loads. It takes effect when the field is left or with Enter, because each value is a request. */
export function CountField({ count, most, onChange }: CountFieldProps) {
  const text = useText();
  const [typed, setTyped] = useState(String(count));
  const value = countOf(typed, most);
  return (
    <form
      className="w-28"
      onSubmit={(event) => {
        event.preventDefault();
        if (value) onChange(value);
      }}
    >
      <Field
        label={text('admin:last')}
        inputMode="numeric"
        value={typed}
        error={value === null ? `1–${most}` : undefined}
        onChange={({ target }) => setTyped(target.value.trim())}
        onBlur={() => value && value !== count && onChange(value)}
      />
    </form>
  );
}
