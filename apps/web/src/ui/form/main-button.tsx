import { useText } from '../../i18n/use-text.ts';
import { Button, type ButtonProps } from './button.tsx';

/** The main action of a screen: full width, upper case, and a different label while it is busy. */
export function MainButton({ children, className = 'w-full', ...button }: Omit<ButtonProps, 'kind'>) {
  const text = useText();
  return (
    <Button {...button} kind="main" className={className}>
      {button.busy ? text('generic:wait') : children}
    </Button>
  );
}
