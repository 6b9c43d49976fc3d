import {
  addPartyMember,
  changePartyOwner,
  closeParty,
  type NetworkParty,
  removePartyMember,
  renameParty,
  reopenParty,
} from '@fpay/contract/admin/network/parties';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { Link, useParams } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Money } from '../../../../ui/format/money.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { confirm } from '../../../../ui/overlay/popups.ts';
import { bareUser } from '../../parts/bare-user.ts';
import { contractRules, useForm } from '../../parts/use-form.ts';
import { useMay } from '../../parts/use-may.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { partyListQueries } from './queries.ts';

/** One party: its members, its stations and whether it is closed. */
export function Page() {
  const text = useText();
  const { id = '' } = useParams();
  const party = useQuery(partyListQueries.one(id));
  if (party.data) return <PartyView party={party.data} onDone={() => void party.refetch()} />;
  return (
    <StaffPage title={text('network:party')} back="/admin/network/parties">
      <Loaded query={party} rows={4} />
    </StaffPage>
  );
}

interface PartyViewProps {
  party: NetworkParty;
  onDone: () => void;
}

function PartyView({ party, onDone }: PartyViewProps) {
  const text = useText();
  const mayManage = useMay('manage-network');
  const [isRenaming, setRenaming] = useState(false);
  const params = { id: String(party.id) };
  const act = useAction((change: () => Promise<unknown>) => change(), { onSuccess: onDone });
  async function ask(title: string, effect: string, change: () => Promise<unknown>) {
    if (await confirm({ title, effect })) act.mutate(change);
  }
  const turn = () =>
    party.is_closed
      ? ask(text('networkParties:openParty'), text('networkParties:openPartyEffect'), () =>
          call(reopenParty, { params, body: { return_to_owner: true } }),
        )
      : ask(text('networkParties:closeParty'), text('networkParties:closedHint'), () => call(closeParty, { params }));
  return (
    <StaffPage
      title={party.name}
      subtitle={party.owner.name ?? String(party.owner.id)}
      back="/admin/network/parties"
      badges={party.is_closed && <Badge tone="promo">{text('networkParties:closed')}</Badge>}
    >
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card className="flex flex-col gap-3">
          <h2 className="text-card">{text('networkParties:members')}</h2>
          <ul>
            {party.member_list.map((member) => (
              <MemberLine key={member.id} party={party} member={member} mayManage={mayManage} onAsk={ask} />
            ))}
          </ul>
          {mayManage && <AddMember party={party.id} onDone={onDone} />}
        </Card>
        <div className="flex flex-col gap-3">
          <Stations numbers={party.station_numbers} />
          {mayManage && <Button onPress={() => setRenaming(true)}>{text('networkParties:rename')}</Button>}
          {mayManage && (
            <Button busy={act.isPending} onPress={() => void turn()}>
              {text(party.is_closed ? 'networkParties:openParty' : 'networkParties:closeParty')}
            </Button>
          )}
        </div>
      </div>
      {isRenaming && <RenamePopup party={party} onClose={() => setRenaming(false)} onDone={onDone} />}
    </StaffPage>
  );
}

interface MemberLineProps {
  party: NetworkParty;
  member: NetworkParty['member_list'][number];
  mayManage: boolean;
  onAsk: (title: string, effect: string, change: () => Promise<unknown>) => Promise<void>;
}

function MemberLine({ party, member, mayManage, onAsk }: MemberLineProps) {
  const text = useText();
  const params = { id: String(party.id) };
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-0">
      <Link to={`/admin/users/${member.id}`} className="text-label font-bold text-accent-text">
        {member.name ?? member.id}
      </Link>
      {member.is_owner && <Badge tone="ready">{text('networkParties:owner')}</Badge>}
      <span className="text-small text-ink-2">{member.phone_number}</span>
      <Money amount={member.balance} className="ml-auto text-note font-bold" />
      {mayManage && !member.is_owner && (
        <Button
          size="s"
          onPress={() =>
            void onAsk(
              text('networkParties:makeOwnerTitle', { name: member.name ?? String(member.id) }),
              text('networkParties:makeOwnerEffect'),
              () => call(changePartyOwner, { params, body: { user: String(member.id) } }),
            )
          }
        >
          {text('networkParties:makeOwner')}
        </Button>
      )}
      {mayManage && !member.is_owner && (
        <Button
          size="s"
          onPress={() =>
            void onAsk(
              text('networkParties:removeMember', { name: member.name ?? String(member.id) }),
              party.is_closed ? text('networkParties:removeEffectClosed') : text('networkParties:removeEffect'),
              () =>
                call(removePartyMember, {
                  params: { ...params, user: String(member.id) },
                  body: { return_to_owner: true },
                }),
            )
          }
        >
          {text('networkParties:remove')}
        </Button>
      )}
    </li>
  );
}

function Stations({ numbers }: { numbers: readonly string[] }) {
  const text = useText();
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-card">{text('network:stations')}</h2>
      {numbers.length === 0 && <p className="text-note text-ink-2">{text('networkParties:partyStationsHint')}</p>}
      <p className="flex flex-wrap gap-2">
        {numbers.map((number) => (
          <Link
            key={number}
            to={`/admin/network/stations/${number}`}
            className="rounded-badge bg-surface-2 px-2 py-1 text-note font-bold"
          >
            {number}
          </Link>
        ))}
      </p>
    </Card>
  );
}

interface RenamePopupProps extends PartyViewProps {
  onClose: () => void;
}

const nameRules = contractRules(renameParty.body, ({ name }: { name: string }) => ({ name: name.trim() }), {
  name: { path: 'name', text: 'network:nameNeeded' },
});

function RenamePopup({ party, onClose, onDone }: RenamePopupProps) {
  const text = useText();
  const form = useForm({
    start: { name: party.name },
    rules: nameRules,
    send: ({ name }) => call(renameParty, { params: { id: String(party.id) }, body: { name } }),
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  return (
    <PopupFrame open onClose={onClose} title={text('networkParties:rename')} titleClassName="text-h2">
      <form {...form.props} className="flex flex-col gap-4">
        <Field label={text('networkParties:partyName')} maxLength={60} {...form.field('name')} />
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('network:save')}
        </Button>
      </form>
    </PopupFrame>
  );
}

const memberRequest = ({ user }: { user: string }) => ({ user: bareUser(user) });
const memberRules = contractRules(addPartyMember.body, memberRequest, {
  user: { path: 'user', text: 'network:wrongUser' },
});

function AddMember({ party, onDone }: { party: number; onDone: () => void }) {
  const text = useText();
  const form = useForm({
    start: { user: '' },
    rules: memberRules,
    send: (typed) => call(addPartyMember, { params: { id: String(party) }, body: memberRequest(typed) }),
    onSuccess: () => {
      form.change({ user: '' });
      onDone();
    },
  });
  return (
    <form {...form.props} className="flex flex-wrap items-start gap-2">
      <div className="min-w-56 flex-1">
        <Field type="tel" label={text('network:phoneOrId')} {...form.field('user')} />
      </div>
      <Button type="submit" className="mt-7" busy={form.isBusy}>
        {text('networkParties:addMember')}
      </Button>
    </form>
  );
}
