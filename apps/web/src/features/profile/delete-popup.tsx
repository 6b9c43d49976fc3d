import type { User } from '@fpay/contract/account';
import { deleteAccount } from '@fpay/contract/profile';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import { text as say } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { useNavigate } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { PopupFrame } from '../../ui/overlay/popup-frame.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { removeUser } from '../account/queries.ts';
import { discardDraft } from './draft.ts';

/** A deletion is final, so it needs the password; reasons against it are shown as text. */
export function DeletePopup({ user, onClose }: { user: User; onClose: () => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => call(deleteAccount, { params: { id: String(user.id) }, body: { current_password: password } }),
    onSuccess: async () => {
      discardDraft();
      removeUser(queryClient);
      await navigate('/auth');
      void notify(say('account:deleted'));
    },
  });
  const isWrongPassword = error instanceof ApiError && error.code === 'wrong_password';
  return (
    <PopupFrame open onClose={onClose} title={text('account:deleteTitle')} titleClassName="text-h2">
      <p className="-mt-3 text-body text-ink-2">{text('account:deleteEffect')}</p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (password && !isPending) mutate();
        }}
      >
        <PasswordField
          label={text('account:currentPassword')}
          autoComplete="current-password"
          value={password}
          onChange={(typed) => {
            setPassword(typed);
            reset();
          }}
          error={isWrongPassword ? text('refusals:wrongPassword') : undefined}
        />
        {error && !isWrongPassword && (
          <p role="alert" className="rounded-control bg-error-tint p-3 text-note text-error">
            {text(errorText(error))}
          </p>
        )}
        <div className="flex flex-col gap-2">
          <Button kind="danger" type="submit" disabled={password === ''} busy={isPending}>
            {text('account:deleteYes')}
          </Button>
          <Button onPress={onClose}>{text('account:deleteNo')}</Button>
        </div>
      </form>
    </PopupFrame>
  );
}
