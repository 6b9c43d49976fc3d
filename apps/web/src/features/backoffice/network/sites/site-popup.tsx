import { addSite, changeSite, SiteSettings } from '@fpay/contract/admin/network/sites';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { type StaffForm, useForm } from '../../parts/use-form.ts';
import { sitesKey } from './queries.ts';
import { emptySite, type SiteForm, siteFormOf, siteRequest, siteRules } from './site-form.ts';

interface SitePopupProps {
  /** Null for a new site. */
  site: { id: number; settings: SiteSettings } | null;
  onClose: () => void;
}

const fields = [
  { name: 'name', label: 'networkSites:siteName', hint: null },
  { name: 'limit', label: 'networkSites:siteLimit', hint: 'networkSites:siteLimitHint' },
  { name: 'reserve', label: 'networkSites:siteReserve', hint: 'networkSites:siteReserveHint' },
  { name: 'stations', label: 'networkSites:siteStations', hint: 'networkSites:siteStationsHint' },
] as const;

/** Adds a site, or changes its limit and stations. */
export function SitePopup({ site, onClose }: SitePopupProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const form = useForm({
    start: site ? siteFormOf(site.settings) : emptySite,
    rules: siteRules,
    send: (typed) => {
      const body = SiteSettings.parse(siteRequest(typed));
      return site ? call(changeSite, { params: { id: String(site.id) }, body }) : call(addSite, { body });
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: sitesKey });
      onClose();
    },
  });
  const { typed, change } = form;
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text(site ? 'networkSites:siteChange' : 'networkSites:siteAdd')}
      titleClassName="text-h2"
    >
      <form {...form.props} className="flex flex-col gap-4">
        {fields.map(({ name, label, hint }) => (
          <Field
            key={name}
            label={text(label)}
            hint={hint === null ? undefined : text(hint)}
            inputMode={name === 'limit' || name === 'reserve' ? 'decimal' : 'text'}
            {...form.field(name)}
          />
        ))}
        <SiteHours form={form} />
        <div>
          <Switch
            label={text('networkSites:siteQueueSwitch')}
            checked={typed.hasQueue}
            onChange={(hasQueue) => change({ hasQueue })}
          />
          <p className="text-small text-ink-2">{text('networkSites:siteQueueHint')}</p>
        </div>
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('networkSites:siteSave')}
        </Button>
      </form>
    </PopupFrame>
  );
}

/** Hours of the day with a limit of their own. */
function SiteHours({ form: { typed, change, field } }: { form: StaffForm<SiteForm> }) {
  const text = useText();
  return (
    <>
      <Switch
        label={text('networkSites:siteHours')}
        checked={typed.hasHours}
        onChange={(hasHours) => change({ hasHours })}
      />
      {typed.hasHours && (
        <div className="grid grid-cols-2 gap-3">
          <Field type="time" label={text('networkSites:siteHoursFrom')} {...field('from')} />
          <Field type="time" label={text('networkSites:siteHoursTo')} {...field('to')} />
          <div className="col-span-2">
            <Field
              label={text('networkSites:siteHoursLimit')}
              hint={text('networkSites:siteHoursHint')}
              inputMode="decimal"
              {...field('hoursLimit')}
            />
          </div>
        </div>
      )}
    </>
  );
}
