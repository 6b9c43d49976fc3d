import type { PartyMember } from '@fpay/contract/party';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Money } from '../../ui/format/money.tsx';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { GiftForm } from './gift-form.tsx';

interface GiftSheetProps {
  open: boolean;
  onClose: () => void;
  members: readonly PartyMember[];
}

/** Whom to give to, all at first, and how much to each. */
export function MemberGiftSheet({ open, onClose, members }: GiftSheetProps) {
  const text = useText();
  return (
    <Sheet open={open} onClose={onClose} title={text('party:giveSeveral')} subtitle={text('party:giveSeveralText')}>
      {open && <Choice members={members} onClose={onClose} />}
    </Sheet>
  );
}

function Choice({ members, onClose }: Omit<GiftSheetProps, 'open'>) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const chosen = members.filter(({ id }) => !left.has(id));
  const toggle = (id: number) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <div className="flex flex-col gap-4">
      <ul className="max-h-[40dvh] divide-y divide-line overflow-y-auto rounded-card bg-surface shadow-card">
        {members.map((member) => (
          <li key={member.id}>
            <label className="flex min-h-14 cursor-pointer items-center gap-3 px-4 py-2">
              <input
                type="checkbox"
                checked={!left.has(member.id)}
                onChange={() => toggle(member.id)}
                className="size-5 shrink-0 accent-free-fill"
              />
              <Avatar icon={member.icon} size={32} />
              <span className="min-w-0 flex-1 truncate text-body">{member.name}</span>
              <span className="text-note text-ink-2">
                <Money amount={member.balance} />
              </span>
            </label>
          </li>
        ))}
      </ul>
      <GiftForm members={chosen} onDone={onClose} />
    </div>
  );
}
