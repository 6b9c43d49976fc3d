import { type ChargePointCredentials, registerChargePoint } from '@fpay/contract/admin/network/charge-points';
import { call } from '../../../../api/call.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { contractRules, useForm } from '../../parts/use-form.ts';

interface RegisterPopupProps {
  /** What an unknown device presented, or nothing. */
  identity: string;
  onClose: () => void;
  onDone: (credentials: ChargePointCredentials) => void;
}

const deviceRequest = ({ identity }: { identity: string }) => ({ identity: identity.trim() });
const rules = contractRules(registerChargePoint.body, deviceRequest, {
  identity: { path: 'identity', text: 'network:identityWrong' },
});

/** Registers a charge point by its identity. */
export function RegisterPopup({ identity, onClose, onDone }: RegisterPopupProps) {
  const text = useText();
  const form = useForm({
    start: { identity },
    rules,
    send: (typed) => call(registerChargePoint, { body: deviceRequest(typed) }),
    onSuccess: onDone,
  });
  return (
    <PopupFrame open onClose={onClose} title={text('network:registerTitle')} titleClassName="text-h2">
      <form {...form.props} className="flex flex-col gap-4">
        <Field
          label={text('network:identity')}
          hint={text('network:identityHint')}
          maxLength={48}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          {...form.field('identity')}
        />
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('network:register')}
        </Button>
      </form>
    </PopupFrame>
  );
}
