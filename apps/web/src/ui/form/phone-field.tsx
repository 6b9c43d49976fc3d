import { internationalPhone } from '@fpay/contract/typed-phone';
import Phone from 'lucide-react/icons/phone';
import { useLayoutEffect, useRef } from 'react';
import { useLanguage } from '../../i18n/use-text.ts';
import { useOnChange } from '../hooks/use-on-change.ts';
import { Field, type FieldProps } from './field.tsx';
import { formatPhone, isBarePrefix, phoneDigits, phonePrefix } from './phone.ts';

interface PhoneFieldProps extends Omit<FieldProps, 'value' | 'onChange' | 'type' | 'icon' | 'ref'> {
  /** The wire format: + and digits. */
  value: string;
  onChange: (value: string) => void;
}

/** Shows the number in groups, passes it on without spaces, and keeps the caret between the same two digits. */
export function PhoneField({ value, onChange, ...field }: PhoneFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const charactersBeforeCaret = useRef<number | null>(null);
  const shown = formatPhone(value);
  const language = useLanguage();
  const latest = useRef(onChange);
  latest.current = onChange;

  // A switch to Polish offers +48, as long as no number was typed.
  useOnChange([language], () => {
    if (isBarePrefix(value) && value !== phonePrefix()) latest.current(phonePrefix());
  });

  useLayoutEffect(() => {
    if (charactersBeforeCaret.current === null) return;
    const caret = caretAfter(shown, charactersBeforeCaret.current);
    charactersBeforeCaret.current = null;
    input.current?.setSelectionRange(caret, caret);
  });

  return (
    <Field
      autoComplete="tel"
      {...field}
      ref={input}
      type="tel"
      inputMode="tel"
      icon={<Phone aria-hidden="true" size={20} />}
      value={shown}
      onChange={({ target }) => {
        const caret = target.selectionStart ?? target.value.length;
        const meant = internationalPhone(target.value, phonePrefix());
        // A national number that became an international one was typed or pasted to its end.
        const isRewritten = meant !== phoneDigits(target.value);
        charactersBeforeCaret.current = phoneDigits(isRewritten ? meant : target.value.slice(0, caret)).length;
        onChange(meant);
      }}
    />
  );
}

function caretAfter(shown: string, characters: number): number {
  let seen = 0;
  for (let index = 0; index < shown.length; index++) {
    if (seen === characters) return index;
    if (shown[index] !== ' ') seen++;
  }
  return shown.length;
}
