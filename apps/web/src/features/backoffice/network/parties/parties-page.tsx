import { addParty } from '@fpay/contract/admin/network/parties';
import { useQuery } from '@tanstack/react-query';
import Lock from 'lucide-react/icons/lock';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { Link, useNavigate } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { bareUser } from '../../parts/bare-user.ts';
import { contractRules, useForm } from '../../parts/use-form.ts';
import { useMay } from '../../parts/use-may.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { partyListQueries } from './queries.ts';

/** Groups of drivers with an owner and stations of their own. */
export function Page() {
  const text = useText();
  const mayManage = useMay('manage-network');
  const list = useQuery(partyListQueries.list());
  const [isNew, setNew] = useState(false);
  return (
    <StaffPage title={text('networkParties:parties')} back="/admin">
      {mayManage && (
        <Button
          kind="main"
          className="self-start"
          icon={<Plus aria-hidden="true" size={20} />}
          onPress={() => setNew(true)}
        >
          {text('networkParties:newParty')}
        </Button>
      )}
      <Loaded query={list} empty={text('networkParties:noParties')} rows={4}>
        {(parties) => (
          <ul
            aria-label={text('networkParties:parties')}
            className="overflow-hidden rounded-card bg-surface shadow-card"
          >
            {parties.map((party) => (
              <li
                key={party.id}
                className="relative flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-0 hover:bg-surface-2 lg:min-h-12"
              >
                <Link
                  to={`/admin/network/parties/${party.id}`}
                  data-row
                  className="min-w-0 flex-1 text-label font-bold break-words -outline-offset-3 after:absolute after:inset-0"
                >
                  {party.name}
                </Link>
                {party.is_closed && (
                  <Badge tone="promo" icon={<Lock aria-hidden="true" size={14} />}>
                    {text('networkParties:closed')}
                  </Badge>
                )}
                <span className="w-full text-small text-ink-2 lg:w-auto">
                  {party.owner.name ?? party.owner.id} · {text('networkParties:memberCount', { count: party.members })}{' '}
                  · {text('network:stationCount', { count: party.stations })}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {isNew && <NewPartyPopup onClose={() => setNew(false)} />}
    </StaffPage>
  );
}

interface TypedParty {
  name: string;
  owner: string;
  isClosed: boolean;
}

const partyRequest = ({ name, owner, isClosed }: TypedParty) => ({
  name: name.trim(),
  owner: bareUser(owner),
  is_closed: isClosed,
});
const rules = contractRules(addParty.body, partyRequest, {
  name: { path: 'name', text: 'network:nameNeeded' },
  owner: { path: 'owner', text: 'network:wrongUser' },
});

function NewPartyPopup({ onClose }: { onClose: () => void }) {
  const text = useText();
  const navigate = useNavigate();
  const form = useForm({
    start: { name: '', owner: '', isClosed: false },
    rules,
    send: (typed) => call(addParty, { body: partyRequest(typed) }),
    onSuccess: ({ id }) => void navigate(`/admin/network/parties/${id}`),
  });
  return (
    <PopupFrame open onClose={onClose} title={text('networkParties:newParty')} titleClassName="text-h2">
      <form {...form.props} className="flex flex-col gap-4">
        <Field label={text('networkParties:partyName')} maxLength={60} {...form.field('name')} />
        <Field type="tel" label={text('networkParties:ownerPhone')} {...form.field('owner')} />
        <Switch
          label={text('networkParties:closed')}
          checked={form.typed.isClosed}
          onChange={(isClosed) => form.change({ isClosed })}
        />
        <p className="rounded-control bg-surface-2 p-3 text-note">{text('networkParties:closedHint')}</p>
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('networkParties:create')}
        </Button>
      </form>
    </PopupFrame>
  );
}
