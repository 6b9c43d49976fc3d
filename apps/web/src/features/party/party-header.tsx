import type { PartyData } from '@fpay/contract/party';
import Info from 'lucide-react/icons/info';
import Lock from 'lucide-react/icons/lock';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Pressable } from '../../ui/form/pressable.tsx';
import { RefreshButton } from '../../ui/form/refresh-button.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { notify } from '../../ui/overlay/popups.ts';

export interface Refresh {
  fetchedAt: number;
  onRefresh: () => void;
}

interface PartyHeaderProps {
  party: PartyData;
  refresh: Refresh;
  /** Beside the label of a closed party. */
  note?: ReactNode;
  actions?: ReactNode;
}

export function PartyHeader({ party, refresh, note, actions }: PartyHeaderProps) {
  const text = useText();
  return (
    <div className="flex flex-col gap-3">
      <PageTitle back="/account" action={<RefreshButton {...refresh} />}>
        {party.party_name}
      </PageTitle>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {party.is_closed && (
          <Pressable
            onPress={() => void notify(text('party:closedText'))}
            className="inline-flex min-h-11 items-center gap-2 rounded-control bg-promo-tint px-3 text-label text-promo"
          >
            <Lock aria-hidden="true" size={18} />
            {text('party:closed')}
            <Info aria-hidden="true" size={18} />
          </Pressable>
        )}
        {note && <span className="text-note text-ink-2">{note}</span>}
        {actions && <div className="flex w-full flex-wrap gap-2 *:flex-auto lg:ml-auto lg:w-auto">{actions}</div>}
      </div>
    </div>
  );
}
