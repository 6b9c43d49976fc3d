import type { PartyData, PartyMember } from '@fpay/contract/party';
import ArrowDownWideNarrow from 'lucide-react/icons/arrow-down-wide-narrow';
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical';
import Search from 'lucide-react/icons/search';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { Select } from '../../ui/form/select.tsx';
import { DateTime } from '../../ui/format/date-time.tsx';
import { formatKwh } from '../../ui/format/energy.tsx';
import { formatMoney, Money } from '../../ui/format/money.tsx';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { MemberSheet } from './member-sheet.tsx';
import { type MemberOrder, shownMembers } from './members.ts';

export function MembersTab({ party }: { party: PartyData }) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [order, setOrder] = useState<MemberOrder>('week');
  const [openId, setOpenId] = useState<number | null>(null);
  const shown = shownMembers(party.member_list, typed, order);
  const open = party.member_list.find(({ id }) => id === openId) ?? null;
  return (
    <div className="flex flex-col gap-3">
      <div className="grid items-end gap-3 sm:grid-cols-[1fr_16rem]">
        <div className="[&_label]:sr-only">
          <Field
            label={text('party:search')}
            placeholder={text('party:search')}
            icon={<Search aria-hidden="true" size={20} />}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoComplete="off"
          />
        </div>
        <Select<MemberOrder>
          label={text('party:order')}
          icon={<ArrowDownWideNarrow size={20} />}
          value={order}
          onChange={setOrder}
          options={[
            { value: 'number', label: text('party:byNumber') },
            { value: 'day', label: text('party:byDay') },
            { value: 'week', label: text('party:byWeek') },
          ]}
        />
      </div>
      <ul className="overflow-hidden rounded-card bg-surface shadow-card lg:grid lg:grid-cols-2">
        {shown.map((member) => (
          <MemberRow key={member.id} member={member} onOpen={() => setOpenId(member.id)} />
        ))}
      </ul>
      <p className="text-center text-small text-ink-2">{text('party:energyUnit')}</p>
      <MemberSheet member={open} onClose={() => setOpenId(null)} />
    </div>
  );
}

function MemberRow({ member, onOpen }: { member: PartyMember; onOpen: () => void }) {
  const text = useText();
  const language = useLanguage();
  return (
    <li className="flex flex-col gap-3 border-b border-line p-4 last:border-0 lg:border-r" aria-label={member.name}>
      <div className="flex items-center gap-3">
        <Avatar icon={member.icon} size={44} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 text-body font-[650]">
            <span className="wrap-anywhere">{member.name}</span>
            {member.is_owner && <Badge tone="promo">{text('party:owner')}</Badge>}
          </p>
          <p className="tabular text-small whitespace-nowrap text-ink-2">{formatPhone(member.phone_number)}</p>
        </div>
        {!member.is_owner && (
          <IconButton
            label={text('party:actionsOf', { name: member.name })}
            icon={<EllipsisVertical size={22} />}
            onPress={onOpen}
          />
        )}
      </div>
      <dl className="grid grid-cols-[1fr_1fr_1.5fr] gap-2">
        <MemberFigure label={text('party:day')}>{formatKwh(member.energy_24h, 1, language)}</MemberFigure>
        <MemberFigure label={text('party:week')}>{formatKwh(member.energy_week, 1, language)}</MemberFigure>
        <MemberFigure label={text('party:balance')}>
          <Money amount={member.balance} />
        </MemberFigure>
      </dl>
      {member.party_balance > 0 && (
        <p className="text-small text-ink-2">{text('party:partyPart', { sum: formatMoney(member.party_balance) })}</p>
      )}
      <p className="text-small text-ink-2">
        {text('party:operationsDay', { count: member.operations_24h })} ·{' '}
        {member.last_login ? (
          <>
            {text('party:lastLogin')} <DateTime instant={member.last_login} />
          </>
        ) : (
          text('party:neverLogin')
        )}
      </p>
      {member.allowance?.is_stopped && <Badge tone="error">{text('party:allowanceStopped')}</Badge>}
    </li>
  );
}

function MemberFigure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="rounded-control bg-surface-2 px-3 py-2">
      <dt className="text-small text-ink-2">{label}</dt>
      <dd className="tabular whitespace-nowrap text-note font-bold">{children}</dd>
    </div>
  );
}
