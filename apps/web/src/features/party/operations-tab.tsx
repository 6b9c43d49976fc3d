import type { OperationStatus } from '@fpay/contract/charging';
import { connectorTypes } from '@fpay/contract/connectors';
import { addressFor } from '@fpay/contract/languages';
import type { PartyData, PartyOperation } from '@fpay/contract/party';
import { useInfiniteQuery } from '@tanstack/react-query';
import Eye from 'lucide-react/icons/eye';
import History from 'lucide-react/icons/history';
import { useState } from 'react';
import { Loaded } from '../../data/loaded.tsx';
import type { TextKey } from '../../i18n/text-key.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { Pressable } from '../../ui/form/pressable.tsx';
import { DateTime } from '../../ui/format/date-time.tsx';
import { Energy } from '../../ui/format/energy.tsx';
import { Money } from '../../ui/format/money.tsx';
import { Power } from '../../ui/format/power.tsx';
import { useWide } from '../../ui/hooks/use-wide.ts';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { Badge, type Tone } from '../../ui/layout/badge.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FactRow } from '../../ui/layout/fact-row.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { presentText } from './figure-text.ts';
import { FiguresFilterBar, useFiguresFilter } from './figures-filter.tsx';
import { partyQueries } from './queries.ts';

const statusViews = {
  created: ['ready', 'party:starting'],
  pending: ['ready', 'party:starting'],
  starting: ['ready', 'party:starting'],
  ongoing: ['charging', 'party:charging'],
  finishing: ['charging', 'party:charging'],
  finished: ['free', 'party:finished'],
  pending_final_payment: ['occupied', 'party:unpaid'],
  canceled: ['offline', 'party:canceled'],
  failed: ['error', 'party:failed'],
  failed_hold: ['error', 'party:failed'],
} as const satisfies Record<OperationStatus, readonly [Tone, TextKey]>;

export function OperationsTab({ party }: { party: PartyData }) {
  const text = useText();
  const { filter, setFilter } = useFiguresFilter(false);
  const [openId, setOpenId] = useState<number | null>(null);
  const isWide = useWide();
  const found = useInfiniteQuery(partyQueries.operations(filter));
  const operations = found.data;
  const open = operations?.find(({ id }) => id === openId) ?? null;
  return (
    <div className="flex flex-col gap-3">
      <FiguresFilterBar members={party.member_list} filter={filter} onChange={setFilter} withAverage={false} />
      <Loaded query={found} failure={text('party:operationsNotRead')} rows={5}>
        {(operations) =>
          operations.length === 0 ? (
            <EmptyState
              level={2}
              drawing={<History size={64} strokeWidth={1.5} />}
              title={text('party:noOperations')}
              text={text('party:noOperationsText')}
            />
          ) : (
            <div className="grid gap-4 lg:grid-cols-[1fr_24rem]">
              <div className="flex flex-col gap-3">
                <ul
                  aria-label={text('party:operations')}
                  className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card"
                >
                  {operations.map((operation) => (
                    <OperationRow key={operation.id} operation={operation} onOpen={() => setOpenId(operation.id)} />
                  ))}
                </ul>
                {found.hasNextPage && (
                  <Button busy={found.isFetchingNextPage} onPress={() => found.fetchNextPage()}>
                    {text('party:more')}
                  </Button>
                )}
              </div>
              {isWide && <OperationPane operation={open} />}
            </div>
          )
        }
      </Loaded>
      {!isWide && <OperationSheet operation={open} onClose={() => setOpenId(null)} />}
    </div>
  );
}

function StatusOf({ status }: { status: OperationStatus }) {
  const text = useText();
  const [tone, word] = statusViews[status];
  return <Badge tone={tone}>{text(word)}</Badge>;
}

function OperationRow({ operation, onOpen }: { operation: PartyOperation; onOpen: () => void }) {
  return (
    <li>
      <Pressable
        onPress={onOpen}
        className="flex min-h-15 w-full items-center gap-3 px-4 py-2.5 text-left -outline-offset-3 active:bg-surface-2"
      >
        <Avatar icon={operation.user.icon} size={40} />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-body font-[650]">{operation.user.name}</span>
          <span className="block text-small text-ink-2">
            {operation.station_number} · <DateTime instant={operation.created_at} />
          </span>
        </span>
        <span className="hidden sm:block">
          <StatusOf status={operation.status} />
        </span>
        <span className="shrink-0 text-right">
          <span className="block text-body font-bold">
            <Energy energy={operation.energy} unitClassName="text-small font-normal" />
          </span>
          <span className="block text-small text-ink-2">
            <Money amount={operation.total} />
          </span>
        </span>
      </Pressable>
    </li>
  );
}

interface OperationSheetProps {
  operation: PartyOperation | null;
  onClose: () => void;
}

function OperationSheet({ operation, onClose }: OperationSheetProps) {
  const text = useText();
  const [last, setLast] = useState(operation);
  if (operation && operation !== last) setLast(operation);
  const shown = operation ?? last;
  return (
    <Sheet open={operation !== null} onClose={onClose} title={text('party:operation', { id: shown?.id ?? '' })}>
      {shown && <Detail operation={shown} />}
    </Sheet>
  );
}

/** Beside the list, where there is room. */
function OperationPane({ operation }: { operation: PartyOperation | null }) {
  const text = useText();
  return (
    <aside aria-label={text('party:detail')} className="sticky top-4 self-start rounded-card bg-surface-2 p-4">
      {operation ? (
        <div className="flex flex-col gap-4">
          <h2 className="text-h2">{text('party:operation', { id: operation.id })}</h2>
          <Detail operation={operation} />
        </div>
      ) : (
        <p className="py-10 text-center text-note text-ink-2">{text('party:chooseOperation')}</p>
      )}
    </aside>
  );
}

/** Read only: the owner does not control the charge of a member. */
function Detail({ operation }: { operation: PartyOperation }) {
  const text = useText();
  const language = useLanguage();
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-3">
        <Avatar icon={operation.user.icon} size={44} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-body font-[650]">{operation.user.name}</p>
          <p className="tabular text-small text-ink-2">{formatPhone(operation.user.phone_number)}</p>
        </div>
        <StatusOf status={operation.status} />
      </div>
      <dl className="divide-y divide-line rounded-card bg-surface px-4 text-note shadow-card *:min-h-11 *:py-2">
        <FactRow name={text('party:energy')}>
          <Energy energy={operation.energy} />
        </FactRow>
        <FactRow name={text('party:sum')}>
          <Money amount={operation.total} />
        </FactRow>
        <FactRow name={text('party:price')}>
          <Money amount={operation.price} />/{text('generic:kwh')}
        </FactRow>
        <FactRow name={text('party:station')}>
          {operation.station_number} · {presentText(addressFor(operation, language))}
        </FactRow>
        <FactRow name={text('party:connector')}>
          {connectorTypes[operation.connector_type].name} № {operation.connector_number},{' '}
          <Power rated power={operation.connector_power} />
        </FactRow>
        <FactRow name={text('party:began')}>
          <DateTime instant={operation.created_at} />
        </FactRow>
        <FactRow name={text('party:closedAt')}>
          {operation.closed_at ? <DateTime instant={operation.closed_at} /> : presentText(null)}
        </FactRow>
        <FactRow name={text('party:car')}>{presentText(operation.car_name)}</FactRow>
      </dl>
      <p className="flex items-center gap-2 text-small text-ink-2">
        <Eye aria-hidden="true" size={18} className="shrink-0" />
        {text('party:readOnly')}
      </p>
    </div>
  );
}
