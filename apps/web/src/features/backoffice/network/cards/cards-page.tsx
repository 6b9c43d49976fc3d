import {
  bindCard,
  blockCard,
  type CardItem,
  type CardProblem,
  issueCards,
  mostCardText,
  networkCards,
  unblockCard,
} from '@fpay/contract/admin/network/cards';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import Search from 'lucide-react/icons/search';
import { useId, useState } from 'react';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { allRows } from '../../../../data/all-rows.ts';
import { Loaded } from '../../../../data/loaded.tsx';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { confirm, notify } from '../../../../ui/overlay/popups.ts';
import { bareUser } from '../../parts/bare-user.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { contractRules, useForm } from '../../parts/use-form.ts';
import { useMay } from '../../parts/use-may.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { StaffPage } from '../../shell/staff-page.tsx';

const pageSize = 50;
const cardList = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['backoffice', 'network', 'cards', q],
    queryFn: ({ pageParam, signal }) =>
      call(networkCards, {
        query: { limit: String(pageSize), ...(q && { q }), ...(pageParam !== null && { before: String(pageParam) }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
    select: allRows,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** RFID cards: issued by staff or bound by drivers. */
export function Page() {
  const text = useText();
  const mayManage = useMay('manage-network');
  const [typed, setTyped] = useState('');
  const list = useInfiniteQuery(cardList(useSettled(typed, 250).trim()));
  const [isIssuing, setIssuing] = useState(false);
  const [bound, setBound] = useState<CardItem | null>(null);
  const refresh = () => void list.refetch();
  return (
    <StaffPage title={text('networkCards:cards')} back="/admin">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-56 flex-1">
          <Field
            type="search"
            label={text('networkCards:findCard')}
            icon={<Search aria-hidden="true" size={20} />}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        {mayManage && (
          <Button kind="main" icon={<Plus aria-hidden="true" size={20} />} onPress={() => setIssuing(true)}>
            {text('networkCards:issueCards')}
          </Button>
        )}
      </div>
      <Loaded query={list} empty={text('networkCards:noCards')}>
        {(rows) => (
          <ul aria-label={text('networkCards:cards')} className="overflow-hidden rounded-card bg-surface shadow-card">
            {rows.map((card) => (
              <CardRow key={card.id} card={card} mayManage={mayManage} onBind={() => setBound(card)} onDone={refresh} />
            ))}
          </ul>
        )}
      </Loaded>
      <MoreButton list={list}>{text('network:more')}</MoreButton>
      {isIssuing && <IssuePopup onClose={() => setIssuing(false)} onDone={refresh} />}
      {bound && <BindPopup card={bound} onClose={() => setBound(null)} onDone={refresh} />}
    </StaffPage>
  );
}

interface CardRowProps {
  card: CardItem;
  mayManage: boolean;
  onBind: () => void;
  onDone: () => void;
}

function CardRow({ card, mayManage, onBind, onDone }: CardRowProps) {
  const text = useText();
  const params = { id: String(card.id) };
  const blocking = useAction(() => call(card.is_blocked ? unblockCard : blockCard, { params }), { onSuccess: onDone });
  const unbinding = useAction(() => call(bindCard, { params, body: { user: null } }), { onSuccess: onDone });
  async function ask(title: string, effect: string, act: () => void) {
    if (await confirm({ title, effect })) act();
  }
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2 last:border-0">
      <span className="tabular w-24 text-label font-bold">{card.number}</span>
      <span className="min-w-0 flex-1 truncate text-note">
        {card.user ? (
          <Link to={`/admin/users/${card.user.id}`} className="font-bold text-accent-text">
            {card.user.name ?? card.user.id}
          </Link>
        ) : (
          <span className="text-ink-2">{text('networkCards:notBound')}</span>
        )}
      </span>
      {card.is_blocked && <Badge tone="error">{text('networkCards:blocked')}</Badge>}
      {mayManage && (
        <span className="flex w-full gap-2 sm:w-auto">
          {card.user ? (
            <Button
              size="s"
              onPress={() =>
                void ask(text('networkCards:unbindTitle'), text('networkCards:unbindEffect'), () => unbinding.mutate())
              }
            >
              {text('networkCards:unbind')}
            </Button>
          ) : (
            !card.is_blocked && (
              <Button size="s" onPress={onBind}>
                {text('networkCards:bind')}
              </Button>
            )
          )}
          <Button
            size="s"
            kind="secondary"
            onPress={() =>
              card.is_blocked
                ? blocking.mutate()
                : void ask(
                    text('networkCards:blockTitle', { number: card.number }),
                    text('networkCards:blockEffect'),
                    () => blocking.mutate(),
                  )
            }
          >
            {text(card.is_blocked ? 'networkCards:unblock' : 'networkCards:block')}
          </Button>
        </span>
      )}
    </li>
  );
}

interface BindPopupProps {
  card: CardItem;
  onClose: () => void;
  onDone: () => void;
}

const bindRequest = ({ user }: { user: string }) => ({ user: bareUser(user) });
const bindRules = contractRules(bindCard.body, bindRequest, {
  user: { path: 'user', text: 'network:wrongUser' },
});

function BindPopup({ card, onClose, onDone }: BindPopupProps) {
  const text = useText();
  const form = useForm({
    start: { user: '' },
    rules: bindRules,
    send: (typed) => call(bindCard, { params: { id: String(card.id) }, body: bindRequest(typed) }),
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text('networkCards:bindTitle', { number: card.number })}
      titleClassName="text-h2"
    >
      <form {...form.props} className="flex flex-col gap-4">
        <Field type="tel" label={text('network:phoneOrId')} {...form.field('user')} />
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('networkCards:bind')}
        </Button>
      </form>
    </PopupFrame>
  );
}

const reasons = {
  bad_number: 'networkCards:cardBadNumber',
  repeated: 'networkCards:cardRepeated',
  exists: 'networkCards:cardExists',
  bad_user: 'network:wrongUser',
  unknown_user: 'networkCards:cardUnknownUser',
} as const satisfies Record<CardProblem, TextKey>;

/** One card or a whole batch: a line each. */
function IssuePopup({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const text = useText();
  const id = useId();
  const [lines, setLines] = useState('');
  const issuing = useAction(() => call(issueCards, { body: { lines } }), {
    onSuccess: ({ issued, problems }) => {
      if (problems.length > 0) return;
      onClose();
      onDone();
      void notify(text('networkCards:cardsIssued', { count: issued }));
    },
  });
  const problems = issuing.data?.problems ?? [];
  return (
    <PopupFrame open onClose={onClose} title={text('networkCards:issueCards')} titleClassName="text-h2">
      <div>
        <label htmlFor={id} className="mb-1.5 block text-note font-bold">
          {text('networkCards:cardLines')}
        </label>
        <textarea
          id={id}
          rows={6}
          maxLength={mostCardText}
          value={lines}
          aria-describedby={`${id}-note`}
          onChange={({ target }) => {
            setLines(target.value);
            issuing.reset();
          }}
          className="w-full rounded-control border-[1.5px] border-line-strong bg-surface p-3 text-field outline-none focus:border-focus"
        />
        <p id={`${id}-note`} className="mt-1.5 text-small text-ink-2">
          {text('networkCards:cardLinesHint')}
        </p>
      </div>
      {problems.length > 0 && (
        <ul role="alert" className="flex flex-col gap-1 rounded-control bg-error-tint p-3 text-note text-error">
          {problems.map(({ line, reason }) => (
            <li key={line}>
              <strong>{text('network:line', { line })}</strong> {text(reasons[reason])}
            </li>
          ))}
        </ul>
      )}
      <Button kind="main" disabled={lines.trim() === ''} busy={issuing.isPending} onPress={() => issuing.mutate()}>
        {text('networkCards:issue')}
      </Button>
    </PopupFrame>
  );
}
