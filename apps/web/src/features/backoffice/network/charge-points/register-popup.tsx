import {
  type ChargePointCredentials,
  ChargePointIdentity,
  registerChargePoint,
} from '@fpay/contract/admin/network/charge-points';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../../api/call.ts';
import { errorText } from '../../../../api/error-text.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';

interface RegisterPopupProps {
  /** What an unknown device presented, or nothing. */
  identity: string;
  onClose: () => void;
  onDone: (credentials: ChargePointCredentials) => void;
}

/** Registers a charge point by its identity. */
export function RegisterPopup({ identity, onClose, onDone }: RegisterPopupProps) {
  const text = useText();
  const [typed, setTyped] = useState(identity);
  const [isWrong, setWrong] = useState(false);
  const adding = useMutation({
    mutationFn: (name: string) => call(registerChargePoint, { body: { identity: name } }),
    onSuccess: onDone,
  });
  function add(event: FormEvent) {
    event.preventDefault();
    const name = typed.trim();
    const isRight = ChargePointIdentity.safeParse(name).success;
    setWrong(!isRight);
    if (isRight && !adding.isPending) adding.mutate(name);
  }
  const error = isWrong ? text('network:identityWrong') : adding.error ? text(errorText(adding.error)) : undefined;
  return (
    <PopupFrame open onClose={onClose} title={text('network:registerTitle')} titleClassName="text-h2">
      <form className="flex flex-col gap-4" onSubmit={add}>
        <Field
          label={text('network:identity')}
          hint={text('network:identityHint')}
          error={error}
          maxLength={48}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setWrong(false);
            adding.reset();
          }}
        />
        <Button type="submit" kind="main" busy={adding.isPending}>
          {text('network:register')}
        </Button>
      </form>
    </PopupFrame>
  );
}
