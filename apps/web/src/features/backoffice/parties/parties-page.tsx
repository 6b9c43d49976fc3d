import { UserText } from '@fpay/contract/admin/filters';
import { addParty } from '@fpay/contract/admin/network/parties';
import { useQuery } from '@tanstack/react-query';
import Lock from 'lucide-react/icons/lock';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { Link, useNavigate } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { useMay } from '../parts/use-may.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { partyListQueries } from './queries.ts';

/** Groups of drivers with an owner and stations of their own. */
export function Page() {
  const text = useText();
  const mayManage = useMay('manage-network');
  const list = useQuery(partyListQueries.list());
  const [isNew, setNew] = useState(false);
  return (
    <StaffPage title={text('networkBuild:parties')} back="/admin">
      {mayManage && (
        <Button
          kind="main"
          className="self-start"
          icon={<Plus aria-hidden="true" size={20} />}
          onPress={() => setNew(true)}
        >
          {text('networkBuild:newParty')}
        </Button>
      )}
      <Loaded query={list} empty={text('networkBuild:noParties')} rows={4}>
        {(parties) => (
          <ul aria-label={text('networkBuild:parties')} className="overflow-hidden rounded-card bg-surface shadow-card">
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
                    {text('networkBuild:closed')}
                  </Badge>
                )}
                <span className="w-full text-small text-ink-2 lg:w-auto">
                  {party.owner.name ?? party.owner.id} · {text('networkBuild:memberCount', { count: party.members })} ·{' '}
                  {text('networkBuild:stationCount', { count: party.stations })}
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

function NewPartyPopup({ onClose }: { onClose: () => void }) {
  const text = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState({ name: '', owner: '', isClosed: false });
  const [wrong, setWrong] = useState<'name' | 'owner' | null>(null);
  const owner = UserText.safeParse(typed.owner.replace(/[\s()-]/g, '')).data;
  const adding = useAction(
    (given: string) => call(addParty, { body: { name: typed.name, owner: given, is_closed: typed.isClosed } }),
    { onSuccess: ({ id }) => void navigate(`/admin/network/parties/${id}`) },
  );
  function save() {
    if (typed.name.trim() === '') return setWrong('name');
    if (!owner) return setWrong('owner');
    adding.mutate(owner);
  }
  const set = (name: 'name' | 'owner') => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setTyped({ ...typed, [name]: target.value });
      setWrong(null);
    },
  });
  return (
    <PopupFrame open onClose={onClose} title={text('networkBuild:newParty')} titleClassName="text-h2">
      <Field
        label={text('networkBuild:partyName')}
        maxLength={60}
        error={wrong === 'name' ? text('networkBuild:nameNeeded') : undefined}
        {...set('name')}
      />
      <Field
        type="tel"
        label={text('networkBuild:ownerPhone')}
        error={wrong === 'owner' ? text('networkBuild:wrongUser') : undefined}
        {...set('owner')}
      />
      <Switch
        label={text('networkBuild:closed')}
        checked={typed.isClosed}
        onChange={(isClosed) => setTyped({ ...typed, isClosed })}
      />
      <p className="rounded-control bg-surface-2 p-3 text-note">{text('networkBuild:closedHint')}</p>
      <Button kind="main" busy={adding.isPending} onPress={save}>
        {text('networkBuild:create')}
      </Button>
    </PopupFrame>
  );
}
