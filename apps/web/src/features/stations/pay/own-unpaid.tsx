import { type ActiveOperation, isOpen, withdrawOperation } from '@fpay/contract/charging';
import { connectorTypes } from '@fpay/contract/connectors';
import type { Connector, StationPage } from '@fpay/contract/stations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import CreditCard from 'lucide-react/icons/credit-card';
import { type ReactNode, useEffect, useRef } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';
import { Dock } from '../../../ui/layout/dock.tsx';
import { confirm, notify } from '../../../ui/overlay/popups.ts';
import { accountQueries } from '../../account/queries.ts';
import { chargingQueries } from '../../charging/queries.ts';
import { OwnCard, type UnpaidOperation } from './own-card.tsx';

/** Often enough to follow a payment in another tab. */
const pollIntervalMs = 5000;

export interface OwnConnector {
  connector: number;
  card: ReactNode;
  /** Before another connector is chosen: asks, and withdraws the payment. False when it stays. */
  giveUp: () => Promise<boolean>;
}

interface OwnUnpaidProps {
  station: StationPage;
  onOwn: (own: OwnConnector | null) => void;
  /** The connectors have other states now. */
  onChange: () => void;
}

/**
 * The driver's own payment at this station while it waits for the bank. The connector is kept meanwhile, and other drivers see
 * it as occupied.
 */
export function OwnUnpaid({ station, onOwn, onChange }: OwnUnpaidProps) {
  const text = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data, dataUpdatedAt } = useQuery({
    ...chargingQueries.active(),
    refetchInterval: ({ state }) => (state.data?.some(({ unpaid }) => unpaid) ? pollIntervalMs : false),
  });
  const operation = data?.find((one): one is UnpaidOperation => !!connectorOf(one, station)) ?? null;
  const connector = operation && connectorOf(operation, station);

  function refresh() {
    void queryClient.invalidateQueries(chargingQueries.active());
    void queryClient.invalidateQueries(accountQueries.user());
    onChange();
  }

  const isGivenUp = useRef(false);
  const { mutateAsync, isPending } = useAction(
    async (id: number) => {
      isGivenUp.current = true;
      const { status } = await call(withdrawOperation, { params: { id: String(id) } });
      // It was paid a moment ago.
      if (isOpen(status)) void navigate(`/status/${id}`);
      return !isOpen(status);
    },
    {
      onError: () => {
        isGivenUp.current = false;
        return false;
      },
      onSettled: refresh,
    },
  );
  const withdraw = (id: number) => mutateAsync(id).catch(() => false);

  async function giveUp(): Promise<boolean> {
    if (!operation || !connector) return true;
    const isSure = await confirm({
      title: text('payment:ownReplace', { number: connector.api_address }),
      effect: text('payment:ownReplaceText'),
      confirmLabel: text('payment:ownReplaceYes'),
      cancelLabel: text('payment:ownReplaceNo'),
    });
    return isSure && withdraw(operation.id);
  }

  // With each answer of the server.
  useOnChange([data], () => {
    if (!operation || !connector) return onOwn(null);
    const card = <OwnCard operation={operation} connector={connector} knownAt={dataUpdatedAt} />;
    onOwn({ connector: connector.id, card, giveUp });
  });
  useEffect(() => () => onOwn(null), [onOwn]);

  const seen = useRef<number | null>(null);
  // With each answer of the server.
  useOnChange([data], () => {
    const gone = seen.current;
    seen.current = operation?.id ?? null;
    if (!data || gone === null || gone === operation?.id) return;
    if (data.some(({ id }) => id === gone)) return void navigate(`/status/${gone}`);
    if (!isGivenUp.current) void notify(text('payment:ownGone'));
    refresh();
  });

  if (!operation || !connector) return null;
  return (
    <Dock>
      <p className="flex flex-wrap justify-between gap-x-3 text-note">
        <strong className="font-bold">
          {operation.station_number} · {connectorTypes[connector.type].name}{' '}
          {text('station:number', { number: connector.api_address })}
        </strong>
        <span className="tabular text-ink-2">{text('station:number', { number: String(operation.id) })}</span>
      </p>
      {operation.unpaid.page_url && (
        // In this tab, because the bank returns its client to a page of ours.
        <a
          href={operation.unpaid.page_url}
          className="flex min-h-14 items-center justify-center gap-2.5 rounded-control bg-accent px-5 text-center text-button text-on-accent uppercase active:bg-accent-press"
        >
          <CreditCard aria-hidden="true" size={20} />
          {text('payment:pay', { sum: formatMoney(operation.deposit) })}
        </a>
      )}
      <Button busy={isPending} onPress={() => void withdraw(operation.id)}>
        {text('payment:ownCancel')}
      </Button>
    </Dock>
  );
}

function connectorOf({ unpaid }: ActiveOperation, { connectors }: StationPage): Connector | null {
  return connectors.find(({ id }) => id === unpaid?.connector) ?? null;
}
