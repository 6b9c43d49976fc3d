import { kopecks } from '@fpay/contract/money';
import { acceptInvitation, declineInvitation, type PartyInvitation } from '@fpay/contract/party';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Users from 'lucide-react/icons/users';
import { call } from '../../api/call.ts';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { confirm } from '../../ui/overlay/popups.ts';
import { accountQueries, useUser } from '../account/queries.ts';
import { partyQueries } from '../party/queries.ts';

/** Invitations that wait for the driver's answer. Nothing is drawn without one. */
export function Invitations() {
  const { data = [] } = useQuery(partyQueries.invitations());
  return data.map((invitation) => <Invitation key={invitation.id} invitation={invitation} />);
}

function Invitation({ invitation: { id, party_name, owner_name, is_closed } }: { invitation: PartyInvitation }) {
  const text = useText();
  const queryClient = useQueryClient();
  const balance = useUser()?.balance ?? kopecks(0);
  const params = { id: String(id) };
  const after = {
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: partyQueries.all });
      await queryClient.invalidateQueries({ queryKey: accountQueries.user().queryKey });
    },
  };
  const accepting = useAction(() => call(acceptInvitation, { params }), after);
  const declining = useAction(() => call(declineInvitation, { params }), after);
  const accept = async () => {
    const isSure = await confirm({
      title: text('account:joinAsk', { name: party_name }),
      effect: is_closed ? text('account:joinClosed', { sum: formatMoney(balance) }) : text('account:joinOpen'),
      confirmLabel: text('account:join'),
    });
    if (isSure) accepting.mutate();
  };
  return (
    <section aria-label={text('account:invitation')} className="flex flex-col gap-3 rounded-card bg-promo-tint p-4">
      <div className="flex items-center gap-3 text-promo">
        <Users aria-hidden="true" size={22} className="shrink-0" />
        <p className="text-body font-[650] text-ink">
          {text('account:invitedTo', { owner: owner_name, name: party_name })}
        </p>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Button kind="main" size="m" busy={accepting.isPending} onPress={() => void accept()}>
          {text('account:join')}
        </Button>
        <Button size="m" busy={declining.isPending} onPress={() => declining.mutate()}>
          {text('account:decline')}
        </Button>
      </div>
    </section>
  );
}
