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
  identity: { path: 'identity', text: 'networkChargePoints:identityWrong' },
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
    <PopupFrame open onClose={onClose} title={text('networkChargePoints:registerTitle')} titleClassName="text-h2">
      <form {...form.props} className="flex flex-col gap-4">
        <Field
          label={text('networkChargePoints:identity')}
          hint={text('networkChargePoints:identityHint')}
          maxLength={48}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          {...form.field('identity')}
        />
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('networkChargePoints:register')}
        </Button>
      </form>
    </PopupFrame>
  );
}
