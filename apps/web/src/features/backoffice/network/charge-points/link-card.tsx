import type {
  ChargePointCredentials,
  ChargePointView,
  RefusedAttempt,
} from '@fpay/contract/admin/network/charge-points';
import { renewChargePointKey, secureChargePoint } from '@fpay/contract/admin/network/charge-points';
import { useQueryClient } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { type ReactNode, useState } from 'react';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { formatAge } from '../../../../ui/format/age.ts';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { useNow } from '../../../../ui/hooks/use-now.ts';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { confirm } from '../../../../ui/overlay/popups.ts';
import { useMay } from '../../parts/use-may.ts';
import { CredentialsPopup } from './credentials-popup.tsx';
import { chargePointKey } from './queries.ts';

const reasons = {
  unknown_identity: 'networkChargePoints:reasonUnknown',
  wrong_password: 'networkChargePoints:reasonPassword',
  no_subprotocol: 'networkChargePoints:reasonProtocol',
  replaced: 'networkChargePoints:reasonReplaced',
  no_certificate: 'networkChargePoints:reasonNoCertificate',
  foreign_certificate: 'networkChargePoints:reasonForeignCertificate',
  expired_certificate: 'networkChargePoints:reasonExpiredCertificate',
  other_certificate: 'networkChargePoints:reasonOtherCertificate',
} as const satisfies Record<RefusedAttempt['reason'], TextKey>;

const help = {
  unknown_identity: 'networkChargePoints:helpUnknown',
  wrong_password: 'networkChargePoints:helpPassword',
  no_subprotocol: 'networkChargePoints:helpProtocol',
  replaced: 'networkChargePoints:helpReplaced',
  no_certificate: 'networkChargePoints:helpNoCertificate',
  foreign_certificate: 'networkChargePoints:helpForeignCertificate',
  expired_certificate: 'networkChargePoints:helpExpiredCertificate',
  other_certificate: 'networkChargePoints:helpOtherCertificate',
} as const satisfies Record<RefusedAttempt['reason'], TextKey>;

/** The connection and the device behind it. */
export function LinkCard({ point }: { point: ChargePointView }) {
  const text = useText();
  const now = useNow(1_000);
  const { connected_at, last_message_at, clock_ahead_ms, since } = point;
  const rows: [label: string, value: ReactNode][] = [
    [
      point.is_online ? text('networkChargePoints:onlineSince') : text('networkChargePoints:offlineSince'),
      since ? <DateTime key="since" instant={connected_at ?? since} /> : text('networkChargePoints:never'),
    ],
    [text('networkChargePoints:lastMessage'), last_message_at ? formatAge(now - Date.parse(last_message_at)) : '—'],
    [text('networkChargePoints:protocol'), 'OCPP 1.6J'],
    [
      text('networkChargePoints:signsInBy'),
      text(point.needs_certificate ? 'networkChargePoints:byCertificate' : 'networkChargePoints:byPassword'),
    ],
    [text('networkChargePoints:bootsOfWeek'), point.boots],
    [text('networkChargePoints:firmware'), point.firmware_version ?? '—'],
    [text('networkChargePoints:model'), [point.vendor, point.model].filter(Boolean).join(' ') || '—'],
    [text('networkChargePoints:serial'), point.serial_number ?? '—'],
    [text('networkChargePoints:boot'), point.booted_at ? <DateTime key="boot" instant={point.booted_at} /> : '—'],
    [
      text('networkChargePoints:clock'),
      clock_ahead_ms === null
        ? '—'
        : text('networkChargePoints:seconds', {
            seconds: `${clock_ahead_ms > 0 ? '+' : ''}${Math.round(clock_ahead_ms / 1000)}`,
          }),
    ],
  ];
  return (
    <Card>
      <h2 className="mb-1 text-label">{text('networkChargePoints:connection')}</h2>
      <dl className="divide-y divide-line">
        {rows.map(([label, value]) => (
          <div key={label} className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 py-1 text-note">
            <dt className="text-ink-2">{label}</dt>
            <dd className="tabular min-w-0 text-right font-bold break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {point.anomalies.length > 0 && (
        <>
          <h3 className="mt-3 mb-1 text-note font-bold">{text('networkChargePoints:anomalies')}</h3>
          <ul className="divide-y divide-line">
            {point.anomalies.map(({ kind, subject, times, last_at }) => (
              <li key={`${kind} ${subject}`} className="py-1.5 text-small">
                <span className="font-bold break-all">{kind}</span> {subject} · {times} · <DateTime instant={last_at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** Why the device had no connection lately, and what to do; here it also gets another password or another way to sign in. */
export function RefusedCard({ point }: { point: ChargePointView }) {
  const text = useText();
  const mayManage = useMay('manage-network');
  return (
    <Card>
      {point.key_exposed_at !== null && (
        <div className="mb-3 rounded-control bg-error-tint p-3 text-small">
          <h2 className="mb-1 text-note font-bold text-error">{text('networkChargePoints:keyExposedTitle')}</h2>
          <p>
            {text('networkChargePoints:keyExposedText')} <DateTime instant={point.key_exposed_at} form="day" />
          </p>
        </div>
      )}
      <h2 className="mb-1 flex items-center justify-between gap-2 text-label">
        {text('networkChargePoints:refusedTitle')}
        {point.refused.length > 0 && <Badge tone="occupied">{point.refused.length}</Badge>}
      </h2>
      {point.refused.length === 0 && <p className="text-small text-ink-2">{text('networkChargePoints:noRefused')}</p>}
      <RefusedList refused={point.refused} />
      {mayManage && (
        <div className="mt-3 flex flex-col gap-2">
          <RenewPasswordButton point={point} />
          <SignInWayButton point={point} />
        </div>
      )}
    </Card>
  );
}

function RefusedList({ refused }: Pick<ChargePointView, 'refused'>) {
  const text = useText();
  return (
    <ul className="divide-y divide-line">
      {refused.map(({ reason, address, times, last_at }) => (
        <li key={`${reason} ${address}`} className="py-2 text-small">
          <p className="flex flex-wrap justify-between gap-x-2 text-note">
            <span className="font-bold">{text(reasons[reason])}</span>
            <span className="text-ink-2">
              <DateTime instant={last_at} />
            </span>
          </p>
          <p className="text-ink-2">
            {[address, text('networkChargePoints:attempts', { count: times })].filter(Boolean).join(' · ')}
          </p>
          <p>{text(help[reason])}</p>
        </li>
      ))}
    </ul>
  );
}

function RenewPasswordButton({ point }: { point: ChargePointView }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [credentials, setCredentials] = useState<ChargePointCredentials | null>(null);
  const renewing = useAction(() => call(renewChargePointKey, { params: { id: String(point.id) } }), {
    onSuccess: setCredentials,
    onSettled: () => queryClient.invalidateQueries({ queryKey: chargePointKey(point.id) }),
  });
  async function renew() {
    const isSure = await confirm({
      title: text('networkChargePoints:renewTitle'),
      effect: text('networkChargePoints:renewText', { identity: point.identity }),
      kind: 'danger',
    });
    if (isSure) renewing.mutate();
  }
  return (
    <>
      <Button
        size="s"
        kind={point.key_exposed_at === null ? 'secondary' : 'main'}
        icon={<KeyRound aria-hidden="true" size={18} />}
        busy={renewing.isPending}
        onPress={() => void renew()}
      >
        {text('networkChargePoints:renew')}
      </Button>
      {credentials && <CredentialsPopup credentials={credentials} onClose={() => setCredentials(null)} />}
    </>
  );
}

/** By a password or by a certificate. */
function SignInWayButton({ point }: { point: ChargePointView }) {
  const text = useText();
  const queryClient = useQueryClient();
  const securing = useAction(
    () =>
      call(secureChargePoint, {
        params: { id: String(point.id) },
        body: { needs_certificate: !point.needs_certificate },
      }),
    { onSettled: () => queryClient.invalidateQueries({ queryKey: chargePointKey(point.id) }) },
  );
  async function secure() {
    const { identity, needs_certificate } = point;
    const isSure = await confirm({
      title: text(
        needs_certificate ? 'networkChargePoints:acceptPasswordTitle' : 'networkChargePoints:requireCertificateTitle',
      ),
      effect: text(
        needs_certificate ? 'networkChargePoints:acceptPasswordText' : 'networkChargePoints:requireCertificateText',
        { identity },
      ),
      kind: 'danger',
    });
    if (isSure) securing.mutate();
  }
  return (
    <Button
      size="s"
      kind="secondary"
      icon={<ShieldCheck aria-hidden="true" size={18} />}
      busy={securing.isPending}
      onPress={() => void secure()}
    >
      {text(point.needs_certificate ? 'networkChargePoints:acceptPassword' : 'networkChargePoints:requireCertificate')}
    </Button>
  );
}
