import { deleteRfidCard, deleteRfidRequest, type RfidData } from '@fpay/contract/rfid';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Nfc from 'lucide-react/icons/nfc';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import WifiOff from 'lucide-react/icons/wifi-off';
import X from 'lucide-react/icons/x';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../data/action.ts';
import { text as say } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { Dock } from '../../ui/layout/dock.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { SkeletonList } from '../../ui/layout/skeleton.tsx';
import { confirm } from '../../ui/overlay/popups.ts';
import { AddPopup } from './add-popup.tsx';
import { rfidQueries } from './queries.ts';
import { bindTimeLeft } from './time-left.ts';

type Card = RfidData['cards'][number];
type BindRequest = RfidData['requests'][number];

/** Live events report the result at once; polling finds it when one is lost. */
const pollIntervalMs = 10_000;

export function Page() {
  const text = useText();
  const [isAdding, setAdding] = useState(false);
  const { data, isError, isFetching, refetch } = useQuery({
    ...rfidQueries.data(),
    refetchInterval: ({ state }) => (state.data?.requests.length ? pollIntervalMs : false),
  });
  if (!data && isError) return <NoAnswer isTrying={isFetching} onTry={refetch} />;
  return (
    <>
      <div className="flex flex-1 flex-col gap-5 px-4 pt-1 pb-6">
        <PageTitle back="/account">{text('rfid:title')}</PageTitle>
        <Cards cards={data?.cards} />
        <Requests requests={data?.requests} />
      </div>
      <Dock>
        <MainButton icon={<Plus aria-hidden="true" size={20} />} onPress={() => setAdding(true)}>
          {text('rfid:add')}
        </MainButton>
      </Dock>
      {isAdding && <AddPopup onClose={() => setAdding(false)} />}
    </>
  );
}

/** Deletes something on the server and reloads the list. */
function useRemoval<Item>(remove: (item: Item) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useAction(remove, {
    // After a refusal too, because the list may be outdated.
    onSettled: () => queryClient.invalidateQueries(rfidQueries.data()),
  });
}

function Cards({ cards }: { cards: Card[] | undefined }) {
  const text = useText();
  const { mutate } = useRemoval((card: Card) => call(deleteRfidCard, { params: { card: String(card.id) } }));

  async function askToDelete(card: Card): Promise<void> {
    const isSure = await confirm({
      title: say('rfid:deleteCardTitle', { number: card.number }),
      effect: say('rfid:deleteCardEffect'),
      confirmLabel: say('rfid:deleteCard'),
      cancelLabel: say('rfid:keepCard'),
      kind: 'danger',
    });
    if (isSure) mutate(card);
  }

  return (
    <Section title={text('rfid:cards')} items={cards} none={text('rfid:noCards')}>
      {cards?.map((card) => (
        <ListItem
          key={card.id}
          icon={<Nfc size={20} />}
          // The number of a card that was just bound comes with the next answer.
          title={<span className="tabular">{card.number || '••••'}</span>}
          trailing={
            <IconButton
              label={text('rfid:deleteCardLabel', { number: card.number })}
              icon={<Trash2 size={20} />}
              onPress={() => askToDelete(card)}
              className="-mr-2 text-ink-2"
            />
          }
        />
      ))}
    </Section>
  );
}

function Requests({ requests }: { requests: BindRequest[] | undefined }) {
  const text = useText();
  const { mutate } = useRemoval(({ id }: BindRequest) => call(deleteRfidRequest, { params: { id: String(id) } }));
  return (
    <Section title={text('rfid:requests')} items={requests} none={text('rfid:noRequests')}>
      {requests?.map((request) => (
        <ListItem
          key={request.id}
          icon={<Nfc size={20} />}
          wellClassName="bg-ready-tint text-ready"
          title={text('rfid:requestAt', { number: request.station_number })}
          subtitle={text('rfid:holdCard')}
          trailing={
            <>
              <TimeLeft until={request.expires_at} />
              <IconButton
                label={text('rfid:deleteRequest', { number: request.station_number })}
                icon={<X size={20} />}
                onPress={() => mutate(request)}
                className="-mr-2 text-ink-2"
              />
            </>
          }
        />
      ))}
    </Section>
  );
}

function TimeLeft({ until }: { until: string }) {
  return <span className="tabular text-label font-bold">{bindTimeLeft(until, useNow(1000))}</span>;
}

interface SectionProps {
  title: string;
  /** Undefined while loading. */
  items: readonly unknown[] | undefined;
  /** The text for an empty list. */
  none: string;
  children: ReactNode;
}

function Section({ title, items, none, children }: SectionProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-note font-bold text-ink-2">{title}</h2>
      {items ? (
        items.length > 0 ? (
          <List label={title}>{children}</List>
        ) : (
          <None>{none}</None>
        )
      ) : (
        <SkeletonList rows={1} />
      )}
    </section>
  );
}

function None({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-3 rounded-card border border-dashed border-line-strong/60 px-4 py-4 text-body text-ink-2">
      <Nfc aria-hidden="true" size={24} className="shrink-0" />
      {children}
    </p>
  );
}

function NoAnswer({ isTrying, onTry }: { isTrying: boolean; onTry: () => void }) {
  const text = useText();
  return (
    <>
      <div className="px-4 pt-1">
        <PageTitle back="/account">{text('rfid:title')}</PageTitle>
      </div>
      <EmptyState
        level={2}
        drawing={<WifiOff size={64} strokeWidth={1.5} />}
        tone="occupied"
        title={text('generic:somethingWrong')}
        text={text('generic:noConnectionText')}
        actions={
          <MainButton busy={isTrying} onPress={onTry}>
            {text('generic:tryAgain')}
          </MainButton>
        }
      />
    </>
  );
}
