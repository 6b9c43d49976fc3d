import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { CodeField } from '../../ui/form/code-field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { resendPauseMs, SendAgain } from '../../ui/form/send-again.tsx';
import { PopupFrame } from '../../ui/overlay/popup-frame.tsx';
import type { Proof, RequiredProof } from './save.ts';

interface ProofPopupProps {
  asked: RequiredProof;
  isBusy: boolean;
  onProve: (proof: Proof) => void;
  onSendAgain: () => void;
  onClose: () => void;
}

/** An unlocked phone must not be enough to take over an account. */
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
          error={asked.passwordError ? text(asked.passwordError) : undefined}
        />
        {needsCode && (
          <div className="flex flex-col gap-1.5">
            <CodeField
              label={text('account:codeLabel', { phone: formatPhone(asked.phone) })}
              value={code}
              onChange={setCode}
              onComplete={setCode}
              error={asked.codeError ? text(asked.codeError) : undefined}
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
