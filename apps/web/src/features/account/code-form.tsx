import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { CodeField } from '../../ui/form/code-field.tsx';
import { SendAgain } from '../../ui/form/send-again.tsx';

interface CodeFormProps {
  title: string;
  /** Where the code was sent; empty until that is known. */
  hint: string;
  resendFrom: number;
  isSending: boolean;
  onSendAgain: () => void;
  /** Throws the server's refusal. */
  onEnter: (code: string) => Promise<void>;
  /** Why no code was sent. */
  sendError: unknown;
  /** Shown between the code field and the button that sends another code. */
  children?: ReactNode;
  footer: ReactNode;
}

/** The form for the code that follows the password. */
export function CodeForm({ title, hint, children, footer, sendError, onEnter, ...sending }: CodeFormProps) {
  const text = useText();
  const [code, setCode] = useState('');
  const entering = useMutation({ mutationFn: onEnter, onError: () => setCode('') });
  const error = entering.error ?? sendError;
  return (
    <div className="flex flex-1 flex-col gap-6 px-4 pt-10 pb-6 max-[359px]:pt-6">
      <div>
        <h1 className="text-h1">{title}</h1>
        <p className="mt-1 min-h-6 text-body text-ink-2" role="status">
          {hint}
        </p>
      </div>
      <CodeField
        label={text('signInCode:secondFactorCode')}
        value={code}
        onChange={setCode}
        onComplete={entering.mutate}
        disabled={entering.isPending}
        error={error ? text(errorText(error)) : undefined}
        focusOnArrival
      />
      {children}
      <SendAgain from={sending.resendFrom} busy={sending.isSending} onPress={sending.onSendAgain} />
      <div className="mt-auto flex flex-col">{footer}</div>
    </div>
  );
}
