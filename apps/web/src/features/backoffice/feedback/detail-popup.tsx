import { guestPhonePrefix } from '@fpay/contract/account';
import type { AdminFeedback } from '@fpay/contract/admin/feedback';
import { connectorTypes } from '@fpay/contract/connectors';
import Phone from 'lucide-react/icons/phone';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { FactRow } from '../../../ui/layout/fact-row.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { sourceNames } from '../operation/source-names.ts';
import { paymentNames } from '../operations/payment-icon.tsx';
import { ShortStatus } from '../parts/short-status.tsx';
import { missing } from '../users/user-text.ts';
import { Comment } from './feedback-rows.tsx';
import { Stars } from './stars.tsx';

interface DetailPopupProps {
  entry: AdminFeedback;
  onClose: () => void;
  /** Missing for a role that may not see ratings of stations. */
  onStation: (() => void) | null;
}

/** One rating with its operation, and the ways to the driver. */
export function DetailPopup({ entry, onClose, onStation }: DetailPopupProps) {
  const text = useText();
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={<Stars rating={entry.rating} size={28} />}
      titleClassName="text-h2"
      focuses="itself"
    >
      <blockquote className="rounded-control bg-surface-2 p-3 text-body whitespace-pre-wrap">
        <Comment comment={entry.comment} />
      </blockquote>
      <dl className="flex flex-col gap-1.5 text-note">
        <FactRow name={text('admin:time')}>
          <DateTime instant={entry.created_at} />
        </FactRow>
        <FactRow name={text('admin:user')}>{entry.user_name || missing.name}</FactRow>
        <FactRow name={text('admin:station')}>
          {entry.charging_station} · {connectorTypes[entry.connector_type].name}
        </FactRow>
        <FactRow name={text('admin:status')}>
          <ShortStatus status={entry.status} />
        </FactRow>
        <FactRow name={text('adminFeedback:source')}>{text(sourceNames[entry.source])}</FactRow>
        <FactRow name={text('admin:payment')}>
          <Money amount={entry.total} /> · {text(paymentNames[entry.payment_type])}
        </FactRow>
      </dl>
      <div className="grid gap-2 min-[360px]:grid-cols-2">
        <Button
          kind="main"
          className="min-[360px]:col-span-2"
          icon={<Phone aria-hidden="true" size={20} />}
          // A guest has no phone: its number is a placeholder.
          disabled={entry.user_phone_number.startsWith(guestPhonePrefix)}
          disabledLabel={text('adminFeedback:noPhone')}
          href={`tel:${entry.user_phone_number}`}
        >
          {text('adminFeedback:callUser')}
        </Button>
        <Button to={`/admin/users/${entry.user_id}`}>{text('admin:user')}</Button>
        <Button to={`/admin/operations/${entry.charging_operation_id}`}>{text('admin:operation')}</Button>
        {onStation && (
          <Button kind="text" className="min-[360px]:col-span-2" onPress={onStation}>
            {text('adminFeedback:ratingsOf', { station: entry.charging_station })}
          </Button>
        )}
      </div>
    </PopupFrame>
  );
}
