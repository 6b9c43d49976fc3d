import { attemptCauses } from '@fpay/contract/admin/network/attempts';
import type { UserNow } from '@fpay/contract/admin/user-now';
import type { AdminUser } from '@fpay/contract/admin/users';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { Energy } from '../../../../ui/format/energy.tsx';
import { Money } from '../../../../ui/format/money.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { Figure } from '../../../../ui/layout/figure.tsx';
import { Skeleton } from '../../../../ui/layout/skeleton.tsx';
import { operationKey } from '../../operation/queries.ts';
import { figureGrid } from '../../parts/figure-grid.ts';
import { userKey } from '../queries.ts';
import { ChargeActions } from './charge-actions.tsx';
import { ChargeBlock, RawText } from './charge-block.tsx';
import { causeTexts, channelTexts, sideTexts, stateTexts } from './now-texts.ts';
import { useChargeMessages, userNowQueries } from './queries.ts';

/** What the caller calls about: the charge, money, the last failure, notes and messages. */
export function UserNowView({ user }: { user: AdminUser }) {
  const now = useQuery(userNowQueries.now(user.id));
  useChargeMessages(user.id, now.data?.charge?.is_open ? now.data.charge.id : null);
  return (
    <Loaded query={now} waiting={<Skeleton className="h-60" />}>
      {(data) => <NowBlocks user={user} now={data} />}
    </Loaded>
  );
}

function NowBlocks({ user, now }: { user: AdminUser; now: UserNow }) {
  const queryClient = useQueryClient();
  const { charge, answers, money, failure, notes, messages } = now;
  function refresh() {
    void queryClient.invalidateQueries({ queryKey: userKey(user.id) });
    if (charge) void queryClient.invalidateQueries({ queryKey: operationKey(charge.id) });
  }
  return (
    <div className="flex flex-col gap-3">
      {charge && (
        <ChargeBlock charge={charge} answers={answers}>
          <ChargeActions key={charge.id} charge={charge.id} onDone={refresh} />
        </ChargeBlock>
      )}
      <MoneyNow money={money} />
      <div className="grid gap-3 empty:hidden sm:grid-cols-2 xl:grid-cols-3">
        {failure && <LastFailure failure={failure} />}
        {notes.length > 0 && <LastNotes notes={notes} />}
        {messages.length > 0 && <LastMessages messages={messages} />}
      </div>
    </div>
  );
}

function MoneyNow({ money: { held, holds, returning, balance, debt } }: { money: UserNow['money'] }) {
  const text = useText();
  return (
    <dl className={figureGrid}>
      <Figure label={text('adminUsers:held')} note={holds > 1 && text('adminUsers:holdCount', { count: holds })}>
        <Money amount={held} />
      </Figure>
      <Figure label={text('adminUsers:returning')} note={returning > 0 && text('adminUsers:returningNote')}>
        <Money amount={returning} />
      </Figure>
      <Figure label={text('adminUsers:balance')}>
        <Money amount={balance} />
      </Figure>
      <Figure label={text('adminUsers:debt')} isBad={debt > 0}>
        {debt > 0 ? <Money amount={debt} /> : text('adminUsers:noDebt')}
      </Figure>
    </dl>
  );
}

function Block({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Card className="min-w-0">
      <section aria-label={title} className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="text-label">{title}</h2>
          {aside}
        </div>
        {children}
      </section>
    </Card>
  );
}

function LastFailure({ failure }: { failure: NonNullable<UserNow['failure']> }) {
  const text = useText();
  const { id, at, station_number: station, cause, energy, total, raw } = failure;
  return (
    <Block
      title={text('adminUsers:lastFailure')}
      aside={<Badge tone="error">{text(sideTexts[attemptCauses[cause]])}</Badge>}
    >
      <p className="text-note font-bold">{text(causeTexts[cause])}</p>
      <p className="text-small text-ink-2">
        <DateTime instant={at} /> · {station} ·{' '}
        <Link to={`/admin/operations/${id}`} className="font-bold text-accent-text">
          № {id}
        </Link>{' '}
        · <Energy energy={energy} /> · <Money amount={total} />
      </p>
      {raw !== null && <RawText raw={raw} />}
    </Block>
  );
}

function LastNotes({ notes }: { notes: UserNow['notes'] }) {
  const text = useText();
  return (
    <Block title={text('adminUsers:notes')}>
      {notes.map((note) => (
        <p key={note.id} className="text-note break-words">
          {note.text}
          <span className="block text-small text-ink-2">
            {note.staff.name} · <DateTime instant={note.created_at} />
          </span>
        </p>
      ))}
    </Block>
  );
}

function LastMessages({ messages }: { messages: UserNow['messages'] }) {
  const text = useText();
  return (
    <Block title={text('adminUsers:messages')}>
      <ul aria-label={text('adminUsers:messages')} className="flex flex-col gap-2">
        {messages.map(({ id, channel, text: said, state, at }) => (
          <li key={id} className="text-note">
            <span className="line-clamp-2 break-words">
              {text(channelTexts[channel])}: {said}
            </span>
            <span className={state === 'failed' ? 'text-small text-error' : 'text-small text-ink-2'}>
              <DateTime instant={at} /> · {text(stateTexts[state])}
            </span>
          </li>
        ))}
      </ul>
    </Block>
  );
}
