import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { formatPhone } from '../../ui/phone.ts';
import { PopupFrame } from '../../ui/popup-frame.tsx';
import { resendPauseMs, SendAgain } from '../../ui/send-again.tsx';
import type { AskedProof, Proof } from './save.ts';

interface ProofPopupProps {
  asked: AskedProof;
  isBusy: boolean;
  onProve: (proof: Proof) => void;
  onSendAgain: () => void;
  onClose: () => void;
}

/** A phone left on a table must not be enough to take an account over. */
export function ProofPopup({ asked, isBusy, onProve, onSendAgain, onClose }: ProofPopupProps) {
  const text = useText();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const needsCode = asked.phone !== '';
  const isComplete = password !== '' && (!needsCode || code.length === 6);
  return (
    <PopupFrame open onClose={onClose} title={text('account:proofTitle')} titleClassName="text-h2">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !isBusy) onProve({ current_password: password, otp: code });
        }}
      >
        <PasswordField
          label={text('account:currentPassword')}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={asked.passwordMistake ? text(asked.passwordMistake) : undefined}
        />
        {needsCode && (
          <div className="flex flex-col gap-1.5">
            <CodeField
              label={text('account:codeLabel', { phone: formatPhone(asked.phone) })}
              value={code}
              onChange={setCode}
              onComplete={setCode}
              error={asked.codeMistake ? text(asked.codeMistake) : undefined}
            />
            <SendAgain from={asked.sentAt + resendPauseMs} onPress={onSendAgain} />
          </div>
        )}
        <div className="flex flex-col gap-2">
          <MainButton type="submit" busy={isBusy} disabled={!isComplete}>
            {text('account:confirm')}
          </MainButton>
          <Button onPress={onClose}>{text('account:cancel')}</Button>
        </div>
      </form>
    </PopupFrame>
  );
}
