import { endOcpiPartner, type OcpiPartnerItem, renewOcpiToken } from '@fpay/contract/admin/integrations/ocpi';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Badge, type Tone } from '../../../ui/layout/badge.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { confirm } from '../../../ui/overlay/popups.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { IntegrationsFrame } from './integrations-frame.tsx';
import { type IssuedToken, PartnerPopup } from './partner-popup.tsx';
import { integrationQueries, integrationsKey } from './queries.ts';
import { SecretPopup } from './secret-popup.tsx';

const states = {
  invited: { label: 'integrations:partnerInvited', tone: 'occupied' },
  registered: { label: 'integrations:partnerRegistered', tone: 'free' },
  fixed: { label: 'integrations:partnerFixed', tone: 'free' },
  ended: { label: 'integrations:partnerEnded', tone: 'offline' },
} as const satisfies Record<OcpiPartnerItem['status'], { label: TextKey; tone: Tone }>;

/** Partners that show the stations in their own apps. */
export function Page() {
  const text = useText();
  const [isAdding, setAdding] = useState(false);
  const [issued, setIssued] = useState<IssuedToken | null>(null);
  const found = useQuery(integrationQueries.partners());
  return (
    <IntegrationsFrame
      view="/admin/integrations/ocpi"
      about={text('integrations:partnersText')}
      found={found}
      addLabel={text('integrations:partnerAdd')}
      onAdd={() => setAdding(true)}
    >
      {({ versions_url: versionsUrl, partners }) => (
        <>
          <div className="flex flex-wrap items-center gap-3 rounded-card bg-surface p-4 shadow-card">
            <p className="min-w-[12rem] flex-1">
              <span className="block text-small text-ink-2">{text('integrations:versionsAddress')}</span>
              <span className="font-mono text-note break-all select-all">{versionsUrl}</span>
            </p>
            <CopyButton value={versionsUrl} label={text('admin:copy')} />
          </div>
          {partners.length === 0 ? (
            <EmptyList>{text('integrations:noPartners')}</EmptyList>
          ) : (
            <ul aria-label={text('integrations:partners')} className="flex flex-col gap-3">
              {partners.map((partner) => (
                <PartnerCard key={partner.id} partner={partner} onIssued={setIssued} />
              ))}
            </ul>
          )}
          {isAdding && (
            <PartnerPopup
              onClose={() => setAdding(false)}
              onDone={(token) => {
                setAdding(false);
                setIssued(token);
              }}
            />
          )}
          {issued !== null && (
            <SecretPopup
              secret={{
                title: text('integrations:tokenTitle'),
                fields: [
                  { label: text('integrations:versionsAddress'), value: issued.versions_url },
                  { label: text('integrations:token'), value: issued.token },
                ],
              }}
              onClose={() => setIssued(null)}
            />
          )}
        </>
      )}
    </IntegrationsFrame>
  );
}

interface PartnerCardProps {
  partner: OcpiPartnerItem;
  onIssued: (token: IssuedToken) => void;
}

function PartnerCard({ partner, onIssued }: PartnerCardProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const params = { id: String(partner.id) };
  const acting = useAction(async (act: () => Promise<unknown>) => void (await act()), {
    onSettled: () => void queryClient.invalidateQueries({ queryKey: integrationsKey }),
  });
  async function renew() {
    const title = text('integrations:tokenRenewTitle', { name: partner.name });
    if (!(await confirm({ title, effect: text('integrations:tokenRenewEffect'), kind: 'danger' }))) return;
    acting.mutate(async () => onIssued(await call(renewOcpiToken, { params })));
  }
  async function end() {
    const title = text('integrations:endTitle', { name: partner.name });
    if (!(await confirm({ title, effect: text('integrations:endEffect'), kind: 'danger' }))) return;
    acting.mutate(() => call(endOcpiPartner, { params }));
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-surface p-4 shadow-card">
      <div className="min-w-[12rem] flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <b className="min-w-0 text-label break-words">{partner.name}</b>
          <Badge tone={states[partner.status].tone}>{text(states[partner.status].label)}</Badge>
        </p>
        <p className="text-small text-ink-2">
          {partner.country_code}*{partner.party_id} · <DateTime instant={partner.created_at} /> ·{' '}
          {text('integrations:lastUsed')}{' '}
          {partner.last_used_at === null ? text('integrations:neverUsed') : <DateTime instant={partner.last_used_at} />}
        </p>
      </div>
      {partner.status !== 'ended' && (
        <>
          <Button size="s" onPress={() => void renew()}>
            {text('integrations:tokenRenew')}
          </Button>
          <Button size="s" onPress={() => void end()}>
            {text('integrations:end')}
          </Button>
        </>
      )}
    </li>
  );
}
