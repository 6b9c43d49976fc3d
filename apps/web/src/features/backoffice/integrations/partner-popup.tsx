import { addOcpiPartner, NewOcpiPartner } from '@fpay/contract/admin/integrations/ocpi';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { integrationsKey } from './queries.ts';

export interface IssuedToken {
  token: string;
  versions_url: string;
}

interface PartnerPopupProps {
  onClose: () => void;
  onDone: (token: IssuedToken) => void;
}

/** Adds a partner by the party that was agreed on. */
export function PartnerPopup({ onClose, onDone }: PartnerPopupProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const [form, setForm] = useState({ name: '', country_code: '', party_id: '', has_registration: true });
  const [wrong, setWrong] = useState<'name' | 'country_code' | 'party_id' | null>(null);
  const adding = useMutation({
    mutationFn: (body: NewOcpiPartner) => call(addOcpiPartner, { body }),
    onSuccess: (token) => {
      void queryClient.invalidateQueries({ queryKey: integrationsKey });
      onDone(token);
    },
  });
  function add(event: FormEvent) {
    event.preventDefault();
    const parsed = NewOcpiPartner.safeParse({
      ...form,
      name: form.name.trim(),
      country_code: form.country_code.trim().toUpperCase(),
      party_id: form.party_id.trim().toUpperCase(),
    });
    const [field] = parsed.error?.issues[0]?.path ?? [];
    setWrong((['name', 'country_code', 'party_id'] as const).find((one) => one === field) ?? null);
    if (parsed.success && !adding.isPending) adding.mutate(parsed.data);
  }
  return (
    <PopupFrame open onClose={onClose} title={text('integrations:partnerAdd')} titleClassName="text-h2">
      <form className="flex flex-col gap-4" onSubmit={add}>
        <Field
          label={text('integrations:name')}
          error={wrong === 'name' ? text('integrations:nameWrong') : undefined}
          maxLength={80}
          value={form.name}
          onChange={({ target }) => setForm({ ...form, name: target.value })}
        />
        <Field
          label={text('integrations:country')}
          hint={text('integrations:countryHint')}
          error={wrong === 'country_code' ? text('integrations:countryWrong') : undefined}
          maxLength={2}
          autoCapitalize="characters"
          value={form.country_code}
          onChange={({ target }) => setForm({ ...form, country_code: target.value })}
        />
        <Field
          label={text('integrations:party')}
          hint={text('integrations:partyHint')}
          error={wrong === 'party_id' ? text('integrations:partyWrong') : undefined}
          maxLength={3}
          autoCapitalize="characters"
          value={form.party_id}
          onChange={({ target }) => setForm({ ...form, party_id: target.value })}
        />
        <Switch
          label={text('integrations:hasRegistration')}
          checked={form.has_registration}
          onChange={(has_registration) => setForm({ ...form, has_registration })}
        />
        {adding.error && (
          <p role="alert" className="text-note text-error">
            {text(errorText(adding.error))}
          </p>
        )}
        <Button type="submit" kind="main" busy={adding.isPending}>
          {text('integrations:create')}
        </Button>
      </form>
    </PopupFrame>
  );
}
