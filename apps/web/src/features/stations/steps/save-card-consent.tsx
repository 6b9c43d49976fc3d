import { useText } from '../../../i18n/use-text.ts';
import { Consent } from '../../../ui/form/consent.tsx';
import { isRegistered, useUser } from '../../account/queries.ts';
import { useSettings } from '../../settings/queries.ts';

interface SaveCardConsentProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** The driver's consent that the bank saves the card. It is off at first, and absent where cards are not saved. */
export function SaveCardConsent({ checked, onChange }: SaveCardConsentProps) {
  const text = useText();
  const user = useUser();
  const { saved_cards: mode } = useSettings();
  if (mode === 'off' || !isRegistered(user)) return null;
  return (
    <Consent
      label={text('payment:saveCard')}
      note={text('payment:saveCardText')}
      checked={checked}
      onChange={onChange}
    />
  );
}
