import { addSite, changeSite, type SiteSettings } from '@fpay/contract/admin/network/sites';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { sitesKey } from './queries.ts';
import { emptySite, type SiteField, siteFormOf, siteRequest } from './site-form.ts';

interface SitePopupProps {
  /** Null for a new site. */
  site: { id: number; settings: SiteSettings } | null;
  onClose: () => void;
}

const fields = [
  { name: 'name', label: 'network:siteName', hint: null, error: 'network:siteNameWrong' },
  { name: 'limit', label: 'network:siteLimit', hint: 'network:siteLimitHint', error: 'network:siteLimitWrong' },
  { name: 'reserve', label: 'network:siteReserve', hint: 'network:siteReserveHint', error: 'network:siteReserveWrong' },
  {
    name: 'stations',
    label: 'network:siteStations',
    hint: 'network:siteStationsHint',
    error: 'network:siteStationsWrong',
  },
] as const satisfies readonly { name: SiteField; label: TextKey; hint: TextKey | null; error: TextKey }[];

/** Adds a site, or changes its limit and stations. */
export function SitePopup({ site, onClose }: SitePopupProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const [form, setForm] = useState(site ? siteFormOf(site.settings) : emptySite);
  const [wrong, setWrong] = useState<SiteField | null>(null);
  const saving = useAction(
    (body: SiteSettings) =>
      site ? call(changeSite, { params: { id: String(site.id) }, body }) : call(addSite, { body }),
    {
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: sitesKey });
        onClose();
      },
    },
  );
  function save(event: FormEvent) {
    event.preventDefault();
    const request = siteRequest(form);
    if ('wrong' in request) setWrong(request.wrong);
    else if (!saving.isPending) saving.mutate(request);
  }
  const set = (name: SiteField) => ({
    value: form[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setForm({ ...form, [name]: target.value });
      setWrong(null);
    },
  });
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text(site ? 'network:siteChange' : 'network:siteAdd')}
      titleClassName="text-h2"
    >
      <form className="flex flex-col gap-4" onSubmit={save}>
        {fields.map(({ name, label, hint, error }) => (
          <Field
            key={name}
            label={text(label)}
            hint={hint === null ? undefined : text(hint)}
            error={wrong === name ? text(error) : undefined}
            inputMode={name === 'limit' || name === 'reserve' ? 'decimal' : 'text'}
            {...set(name)}
          />
        ))}
        <Switch
          label={text('network:siteHours')}
          checked={form.hasHours}
          onChange={(hasHours) => {
            setForm({ ...form, hasHours });
            setWrong(null);
          }}
        />
        {form.hasHours && (
          <div className="grid grid-cols-2 gap-3">
            <Field
              type="time"
              label={text('network:siteHoursFrom')}
              error={wrong === 'from' ? text('network:siteHoursWrong') : undefined}
              {...set('from')}
            />
            <Field
              type="time"
              label={text('network:siteHoursTo')}
              error={wrong === 'to' ? text('network:siteHoursWrong') : undefined}
              {...set('to')}
            />
            <div className="col-span-2">
              <Field
                label={text('network:siteHoursLimit')}
                hint={text('network:siteHoursHint')}
                error={wrong === 'hoursLimit' ? text('network:siteHoursLimitWrong') : undefined}
                inputMode="decimal"
                {...set('hoursLimit')}
              />
            </div>
          </div>
        )}
        <div>
          <Switch
            label={text('network:siteQueueSwitch')}
            checked={form.hasQueue}
            onChange={(hasQueue) => setForm({ ...form, hasQueue })}
          />
          <p className="text-small text-ink-2">{text('network:siteQueueHint')}</p>
        </div>
        <Button type="submit" kind="main" busy={saving.isPending}>
          {text('network:siteSave')}
        </Button>
      </form>
    </PopupFrame>
  );
}
