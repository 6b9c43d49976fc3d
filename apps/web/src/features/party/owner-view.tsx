import type { PartyData } from '@fpay/contract/party';
import Gift from 'lucide-react/icons/gift';
import UserPlus from 'lucide-react/icons/user-plus';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { useSearchParams } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { MemberGiftSheet } from './gift-sheet.tsx';
import { InviteSheet } from './invite-sheet.tsx';
import { MembersTab } from './members-tab.tsx';
import { OperationsTab } from './operations-tab.tsx';
import { PartyHeader, type Refresh } from './party-header.tsx';
import { StatsTab } from './stats-tab.tsx';

const tabs = ['users', 'stats', 'operations'] as const;
type Tab = (typeof tabs)[number];

export function OwnerView({ party, refresh }: { party: PartyData; refresh: Refresh }) {
  const text = useText();
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find((one) => one === search.get('tab')) ?? 'users';
  const [sheet, setSheet] = useState<'invite' | 'gift' | null>(null);
  const close = () => setSheet(null);
  const others = party.member_list.filter(({ is_owner }) => !is_owner);
  return (
    <div className="flex flex-col gap-2 px-4 pt-1 pb-8 lg:w-[min(84rem,calc(100vw-4rem))] lg:shrink-0 lg:self-center">
      <PartyHeader
        party={party}
        refresh={refresh}
        note={text('party:memberCount', { count: party.member_list.length })}
        actions={
          <>
            <Button size="s" icon={<UserPlus aria-hidden="true" size={18} />} onPress={() => setSheet('invite')}>
              {text('party:invite')}
            </Button>
            <Button
              size="s"
              icon={<Gift aria-hidden="true" size={18} />}
              disabled={others.length === 0}
              onPress={() => setSheet('gift')}
            >
              {text('party:giveSeveral')}
            </Button>
          </>
        }
      />
      <Tabs<Tab>
        label={party.party_name}
        value={tab}
        onChange={(chosen) => setSearch({ tab: chosen }, { replace: true, preventScrollReset: true })}
        tabs={[
          { value: 'users', label: text('party:users'), content: <MembersTab party={party} /> },
          { value: 'stats', label: text('party:stats'), content: <StatsTab party={party} /> },
          { value: 'operations', label: text('party:operations'), content: <OperationsTab party={party} /> },
        ]}
      />
      <InviteSheet open={sheet === 'invite'} onClose={close} invitations={party.invitations} />
      <MemberGiftSheet open={sheet === 'gift'} onClose={close} members={others} />
    </div>
  );
}
