import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Lock from 'lucide-react/icons/lock';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Field, type FieldProps } from './field.tsx';
import { IconButton } from './icon-button.tsx';

interface PasswordFieldProps extends Omit<FieldProps, 'value' | 'onChange' | 'type' | 'icon' | 'trailing'> {
  value: string;
  onChange: (value: string) => void;
  /** Whether the password manager fills in a password or suggests a new one. */
  autoComplete: 'current-password' | 'new-password';
}

/** Hidden until the user wants to see the input. */
export function PasswordField({ value, onChange, ...field }: PasswordFieldProps) {
  const text = useText();
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      icon={<Lock aria-hidden="true" size={20} />}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      trailing={
        <IconButton
          label={isShown ? text('generic:hidePassword') : text('generic:showPassword')}
          icon={isShown ? <EyeOff size={20} /> : <Eye size={20} />}
          onPress={() => setShown(!isShown)}
          className="-mr-3 text-ink-2"
        />
      }
    />
  );
}
