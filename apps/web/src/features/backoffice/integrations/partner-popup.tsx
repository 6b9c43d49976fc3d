import { addOcpiPartner, NewOcpiPartner } from '@fpay/contract/admin/integrations/ocpi';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { contractRules, useForm } from '../parts/use-form.ts';
import { integrationsKey } from './queries.ts';

export interface IssuedToken {
  token: string;
  versions_url: string;
}

interface PartnerPopupProps {
  onClose: () => void;
  onDone: (token: IssuedToken) => void;
}

const start = { name: '', country_code: '', party_id: '', has_registration: true };
const partnerRequest = ({ name, country_code, party_id, has_registration }: typeof start): NewOcpiPartner => ({
  name: name.trim(),
  country_code: country_code.trim().toUpperCase(),
  party_id: party_id.trim().toUpperCase(),
  has_registration,
});
const rules = contractRules(NewOcpiPartner, partnerRequest, {
  name: { path: 'name', text: 'integrations:nameWrong' },
  country_code: { path: 'country_code', text: 'integrations:countryWrong' },
  party_id: { path: 'party_id', text: 'integrations:partyWrong' },
});

/** Adds a partner by the party that was agreed on. */
export function PartnerPopup({ onClose, onDone }: PartnerPopupProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const form = useForm({
    start,
    rules,
    send: (typed) => call(addOcpiPartner, { body: partnerRequest(typed) }),
    onSuccess: (token) => {
      void queryClient.invalidateQueries({ queryKey: integrationsKey });
      onDone(token);
    },
  });
  return (
    <PopupFrame open onClose={onClose} title={text('integrations:partnerAdd')} titleClassName="text-h2">
      <form {...form.props} className="flex flex-col gap-4">
        <Field label={text('integrations:name')} maxLength={80} {...form.field('name')} />
        <Field
          label={text('integrations:country')}
          hint={text('integrations:countryHint')}
          maxLength={2}
          autoCapitalize="characters"
          {...form.field('country_code')}
        />
        <Field
          label={text('integrations:party')}
          hint={text('integrations:partyHint')}
          maxLength={3}
          autoCapitalize="characters"
          {...form.field('party_id')}
        />
        <Switch
          label={text('integrations:hasRegistration')}
          checked={form.typed.has_registration}
          onChange={(has_registration) => form.change({ has_registration })}
        />
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('integrations:create')}
        </Button>
      </form>
    </PopupFrame>
  );
}
