import type { User } from '@fpay/contract/account';
import { type Found, foundKinds, search } from '@fpay/contract/admin/search';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import SearchIcon from 'lucide-react/icons/search';
import { type KeyboardEvent, useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate } from '../../../router/index.ts';
import { Spinner } from '../../../ui/form/spinner.tsx';
import { Overlay } from '../../../ui/overlay/overlay.tsx';
import { useUser } from '../../account/queries.ts';
import { entriesFor } from '../entries.ts';
import { useSettled } from '../parts/use-settled.ts';
import { type PaletteGroup, type PaletteItem, PaletteList } from './palette-list.tsx';
import { pageOf, recentItems, rememberItem } from './recent.ts';

const settleMs = 150;

const groupNames = {
  operation: 'admin:operations',
  user: 'admin:users',
  station: 'admin:stations',
  charge_point: 'admin:chargePoints',
  payment: 'admin:payments',
  rfid: 'admin:rfidCards',
  page_error: 'admin:pageErrors',
} as const satisfies Record<Found['kind'], TextKey>;

const findQuery = (q: string) =>
  queryOptions({
    queryKey: ['backoffice', 'search', q],
    queryFn: ({ signal }) => call(search, { query: { q }, signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** One field over everything: results by kind, or recent items and pages while nothing is typed. */
export function SearchPalette({ onClose }: { onClose: () => void }) {
  const text = useText();
  const navigate = useNavigate();
  const user = useUser();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const wanted = typed.trim();
  const asked = useSettled(wanted, settleMs);
  const { data, error, isFetching } = useQuery(findQuery(asked));
  const found = wanted === '' ? null : data;
  const groups = found ? groupsOf(found, text) : wanted === '' ? startGroups(user, text) : [];
  const items = groups.flatMap((group) => group.items);
  const isNothing = found?.length === 0 && asked === wanted && !isFetching;

  function choose(item: PaletteItem, inNewTab: boolean) {
    if (item.kind !== 'page') rememberItem(user?.id ?? 0, item);
    if (inNewTab) window.open(item.to, '_blank', 'noopener');
    else {
      onClose();
      void navigate(item.to);
    }
  }
  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) setActive((active + step + items.length) % items.length);
    const item = items[active];
    if (event.key === 'Enter' && item) choose(item, event.ctrlKey || event.metaKey);
    if (step !== undefined || event.key === 'Enter') event.preventDefault();
  }
  return (
    <Overlay
      open
      onClose={onClose}
      title={text('admin:findAnything')}
      titleClassName="sr-only"
      className="fixed inset-x-2 top-[max(0.5rem,env(safe-area-inset-top))] z-50 mx-auto flex max-h-[calc(100dvh-1rem)] max-w-160 flex-col overflow-hidden rounded-card bg-surface shadow-popup data-[state=open]:animate-rise lg:top-26 lg:max-h-[70dvh]"
    >
      <PaletteField
        typed={typed}
        active={items.length > 0 ? active : null}
        isFetching={isFetching}
        onType={(value) => {
          setTyped(value);
          setActive(0);
        }}
        onKey={press}
      />
      <PaletteList groups={groups} active={active} match={wanted} onActive={setActive} onChoose={choose} />
      <PaletteAnswer error={wanted !== '' && !found ? error : null} missing={isNothing ? wanted : null} />
      <p className="hidden border-t border-line bg-surface-2 px-4 py-2 text-small text-ink-2 lg:block">
        {text('admin:findKeys')}
      </p>
    </Overlay>
  );
}

interface PaletteFieldProps {
  typed: string;
  /** Null while there are no results. */
  active: number | null;
  isFetching: boolean;
  onType: (typed: string) => void;
  onKey: (event: KeyboardEvent) => void;
}

/** The field keeps the focus while keys move through the results. */
function PaletteField({ typed, active, isFetching, onType, onKey }: PaletteFieldProps) {
  const text = useText();
  return (
    <label className="flex min-h-14 items-center gap-3 border-b border-line px-4">
      <SearchIcon aria-hidden="true" size={20} className="text-ink-2" />
      <input
        role="combobox"
        aria-label={text('admin:findAnything')}
        aria-expanded={active !== null}
        aria-controls="palette-list"
        aria-activedescendant={active === null ? undefined : `palette-${active}`}
        autoComplete="off"
        maxLength={64}
        placeholder={text('admin:findHint')}
        value={typed}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKey}
        className="min-w-0 flex-1 self-stretch bg-transparent text-field outline-none"
      />
      {isFetching && <Spinner />}
      <kbd className="hidden rounded-[5px] px-1.5 font-sans text-small text-ink-2 shadow-card lg:block">Esc</kbd>
    </label>
  );
}

/** Why there are no results. */
function PaletteAnswer({ error, missing }: { error: Error | null; missing: string | null }) {
  const text = useText();
  return (
    <div aria-live="polite">
      {error && <p className="p-4 text-note text-error">{text(errorText(error))}</p>}
      {missing !== null && (
        <div className="p-4 text-note">
          <p className="font-bold">{`"${missing}" Not Found`}</p>
          <p className="mt-1 text-ink-2">{text('admin:findWhat')}</p>
        </div>
      )}
    </div>
  );
}

/** Recent items, and the pages that this user may open. */
function startGroups(user: User | null, text: ReturnType<typeof useText>): PaletteGroup[] {
  const recent = recentItems(user?.id ?? 0);
  const pages = entriesFor(user?.permissions ?? []);
  return [
    { name: text('admin:recent'), items: recent },
    {
      name: text('admin:navigation'),
      items: pages.map(({ to, label }) => ({ kind: 'page' as const, to, title: text(label), detail: '' })),
    },
  ].filter((group) => group.items.length > 0);
}

/** The kinds in a fixed order, each with what was found. */
function groupsOf(found: readonly Found[], text: ReturnType<typeof useText>): PaletteGroup[] {
  return foundKinds
    .map((kind) => ({
      name: text(groupNames[kind]),
      items: found
        .filter((each) => each.kind === kind)
        .map((each) => ({ kind, to: pageOf(each), title: each.title, detail: each.detail })),
    }))
    .filter(({ items }) => items.length > 0);
}
