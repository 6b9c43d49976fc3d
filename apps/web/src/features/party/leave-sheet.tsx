import { kopecks } from '@fpay/contract/money';
import { leaveParty, type PartyData } from '@fpay/contract/party';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import Eye from 'lucide-react/icons/eye';
import Lock from 'lucide-react/icons/lock';
import Undo2 from 'lucide-react/icons/undo-2';
import UserCheck from 'lucide-react/icons/user-check';
import Zap from 'lucide-react/icons/zap';
import type { ReactNode } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { useNavigate } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { formatMoney, Money } from '../../ui/format/money.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { accountQueries, useUser } from '../account/queries.ts';
import { partyQueries } from './queries.ts';

interface LeaveSheetProps {
  party: PartyData;
  open: boolean;
  onClose: () => void;
}

/** What leaving changes, before the press: both sums of the wallet, the stations, and what the owner goes on seeing. */
export function LeaveSheet({ party, open, onClose }: LeaveSheetProps) {
  const text = useText();
  return (
    <Sheet open={open} onClose={onClose} title={text('party:leaveNamed', { name: party.party_name })}>
      {open && party.own && <Parting party={party} own={party.own} onClose={onClose} />}
    </Sheet>
  );
}

function Parting({
  party,
  own,
  onClose,
}: {
  party: PartyData;
  own: NonNullable<PartyData['own']>;
  onClose: () => void;
}) {
  const text = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [running] = useUser()?.active_operations ?? [];
  const { own_balance, party_balance, charges } = own;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(leaveParty, { body: { return_to_owner: party_balance > 0 } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: accountQueries.user().queryKey });
      navigate('/account', { replace: true });
      queryClient.removeQueries({ queryKey: partyQueries.all });
    },
  });
  const isHeld = party.is_closed && running !== undefined;
  const whole = kopecks(own_balance + party_balance);
  return (
    <div className="flex flex-col gap-4">
      {party_balance > 0 && (
        <p className="text-body text-ink-2">{text('party:leaveSources', { sum: formatMoney(whole) })}</p>
      )}
      {whole > 0 && <Sources own={own} owner={party.owner.name} />}
      <Effects party={party} charges={charges} running={running} />
      <p role="alert" className="text-note text-error empty:hidden">
        {error && text(errorText(error))}
      </p>
      <Button kind="danger" busy={isPending} disabled={isHeld} onPress={() => mutate()}>
        {own_balance > 0 ? text('party:leaveKeeping', { sum: formatMoney(own_balance) }) : text('party:leave')}
      </Button>
      <Button onPress={onClose}>{text('party:leaveStay')}</Button>
    </div>
  );
}

interface SourcesProps {
  own: NonNullable<PartyData['own']>;
  owner: string;
}

/** Whose money is in the wallet: the member's own stays, the party's returns to the owner. */
function Sources({ own: { own_balance, party_balance }, owner }: SourcesProps) {
  const text = useText();
  return (
    <>
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <dl className="divide-y divide-line">
          <Source
            icon={<UserCheck size={22} />}
            well="bg-free-tint text-free"
            title={text('party:ownMoney')}
            note={text('party:ownMoneyText')}
          >
            <span className="text-free">
              <Money amount={own_balance} />
            </span>
          </Source>
          {party_balance > 0 && (
            <Source
              icon={<Undo2 size={22} />}
              well="bg-promo-tint text-promo"
              title={text('party:partyMoney')}
              note={text('party:partyMoneyText', { name: owner })}
            >
              <Money amount={party_balance} />
            </Source>
          )}
        </dl>
      </div>
      {party_balance > 0 && own_balance > 0 && (
        <div aria-hidden="true" className="flex h-3 gap-1 overflow-hidden rounded-full">
          <span className="bg-free-fill" style={{ width: `${(own_balance / (own_balance + party_balance)) * 100}%` }} />
          <span className="flex-1 bg-promo" />
        </div>
      )}
    </>
  );
}

interface EffectsProps {
  party: PartyData;
  charges: number;
  /** A charge of the member that has not ended. */
  running: number | undefined;
}

/** What leaving changes beside the money. */
function Effects({ party, charges, running }: EffectsProps) {
  const text = useText();
  return (
    <ul className="flex flex-col gap-3">
      <Fact icon={<Lock size={20} />}>
        {party.is_closed && party.station_list.length > 0
          ? text('party:leaveStations', { stations: party.station_list.map(({ number }) => number).join(', ') })
          : text('party:leaveEffect')}
      </Fact>
      <Fact icon={<Eye size={20} />}>{text('party:leaveSeen', { count: charges })}</Fact>
      {party.is_closed && (
        <Fact icon={running !== undefined ? <Zap size={20} /> : <CircleCheck size={20} className="text-free" />}>
          {running !== undefined ? text('party:leaveRunning', { id: running }) : text('party:leaveNoneOpen')}
        </Fact>
      )}
    </ul>
  );
}

interface SourceProps {
  icon: ReactNode;
  well: string;
  title: string;
  note: string;
  children: ReactNode;
}

function Source({ icon, well, title, note, children }: SourceProps) {
  return (
    <div className="flex items-center gap-3.5 p-4">
      <span aria-hidden="true" className={`flex size-11 shrink-0 items-center justify-center rounded-control ${well}`}>
        {icon}
      </span>
      <dt className="min-w-0 flex-1">
        <span className="block text-body font-bold">{title}</span>
        <span className="block text-small text-ink-2">{note}</span>
      </dt>
      <dd className="shrink-0 text-h3 font-bold whitespace-nowrap">{children}</dd>
    </div>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-3 text-body">
      <span aria-hidden="true" className="mt-0.5 shrink-0 text-ink-2">
        {icon}
      </span>
      <span>{children}</span>
    </li>
  );
}
