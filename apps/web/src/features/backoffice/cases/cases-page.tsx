import type { CaseQueueView as View } from '@fpay/contract/admin/cases';
import { caseSources, firstAnswerMinutes } from '@fpay/contract/admin/cases';
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import Search from 'lucide-react/icons/search';
import { type Ref, useRef, useState } from 'react';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate, useParams, useSearchParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { formatMinutes } from '../../../ui/format/minutes.ts';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { Paginator } from '../../../ui/layout/paginator.tsx';
import { useUser } from '../../account/queries.ts';
import { ChoiceChips } from '../parts/choice-chips.tsx';
import { NewCasePopup } from '../parts/new-case-popup.tsx';
import { moveRow, useKeys } from '../parts/use-keys.ts';
import { useMay } from '../parts/use-may.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { type CaseAddress, readCases, writeCases } from './address.ts';
import { CaseQueue } from './case-list.tsx';
import { sourceLabels } from './case-text.ts';
import { OpenedCase } from './case-view.tsx';
import { caseQueries } from './queries.ts';
import { formatMs } from './time-to-answer.ts';

/** The queue of cases with the open one beside it; on a phone the case has a page of its own. */
export function Page() {
  const text = useText();
  const isWide = useWide();
  const navigate = useNavigate();
  const { case: opened } = useParams();
  const id = opened === undefined ? null : Number(opened);
  const [params] = useSearchParams();
  const address = readCases(params);
  const reader = useUser()?.id ?? 0;
  const mayWrite = useMay('contact-users');
  const [isMaking, setMaking] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useKeys({ KeyJ: () => moveRow(1), KeyK: () => moveRow(-1), Slash: () => search.current?.focus() });
  const path = id === null ? '/admin/cases' : `/admin/cases/${id}`;
  const show = (next: CaseAddress) =>
    void navigate(`${path}${writeCases(next)}`, { replace: true, preventScrollReset: true });
  const isAlone = id !== null && !isWide;
  return (
    <StaffPage
      title={text('adminCases:title')}
      subtitle={<Summary />}
      back={isAlone ? `/admin/cases${writeCases(address)}` : '/admin'}
      actions={
        mayWrite &&
        (isWide ? (
          <Button
            size="s"
            kind="secondary"
            icon={<Plus aria-hidden="true" size={18} />}
            onPress={() => setMaking(true)}
          >
            {text('adminCases:new')}
          </Button>
        ) : (
          <IconButton
            label={text('adminCases:new')}
            icon={<Plus aria-hidden="true" size={22} />}
            onPress={() => setMaking(true)}
          />
        ))
      }
    >
      <div className="flex min-w-0 flex-1 items-start gap-3">
        {!isAlone && <Queue address={address} reader={reader} opened={id} search={search} onShow={show} />}
        {id !== null ? (
          <CaseById key={id} id={id} reader={reader} />
        ) : (
          isWide && <EmptyList>{text('adminCases:choose')}</EmptyList>
        )}
      </div>
      {isMaking && <NewCasePopup about={{}} onClose={() => setMaking(false)} />}
    </StaffPage>
  );
}

/** How many are open, and how soon drivers were answered today. */
function Summary() {
  const text = useText();
  const { data } = useQuery(caseQueries.counts());
  if (!data) return null;
  const seconds = data.first_answer_seconds;
  const parts = [
    text('adminCases:openCount', { count: data.open }),
    seconds !== null && text('adminCases:firstToday', { duration: formatMs(seconds * 1000) }),
    text('adminCases:promise', { duration: formatMinutes(firstAnswerMinutes.late) }),
  ];
  return parts.filter(Boolean).join(' · ');
}

function CaseById({ id, reader }: { id: number; reader: number }) {
  const text = useText();
  const found = useQuery(caseQueries.one(id));
  return (
    <div className="min-w-0 flex-1">
      <Loaded query={found} notFound={text('adminCases:nothingFound')}>
        {(data) => <OpenedCase found={data} reader={reader} />}
      </Loaded>
    </div>
  );
}

interface QueueProps {
  address: CaseAddress;
  reader: number;
  opened: number | null;
  search: Ref<HTMLInputElement>;
  onShow: (address: CaseAddress) => void;
}

function Queue({ address, reader, opened, search, onShow }: QueueProps) {
  const found = useQuery(caseQueries.list(address));
  return (
    <div className="w-full min-w-0 overflow-hidden rounded-card bg-surface shadow-card lg:w-80 lg:shrink-0">
      <QueueTools address={address} search={search} onShow={onShow} />
      <Loaded query={found} rows={5}>
        {({ data, page_count }) => (
          <>
            <CaseQueue
              rows={data}
              view={address.view}
              reader={reader}
              opened={opened}
              isFiltered={address.q.trim() !== '' || address.source !== null}
              addressOf={(id) => `/admin/cases/${id}${writeCases(address)}`}
            />
            {page_count > 1 && (
              <div className="p-3">
                <Paginator
                  page={Math.min(address.page, page_count)}
                  pageCount={page_count}
                  onChange={(page) => onShow({ ...address, page })}
                />
              </div>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

function QueueTools({ address, search, onShow }: Pick<QueueProps, 'address' | 'search' | 'onShow'>) {
  const text = useText();
  const { data: counts } = useQuery(caseQueries.counts());
  const views: { value: View; label: string }[] = [
    { value: 'open', label: text('adminCases:viewOpen') },
    { value: 'mine', label: text('adminCases:viewMine', { count: counts?.mine ?? 0 }) },
    { value: 'new', label: text('adminCases:viewNew', { count: counts?.new ?? 0 }) },
    { value: 'waiting', label: text('adminCases:viewWaiting', { count: counts?.waiting ?? 0 }) },
    { value: 'snoozed', label: text('adminCases:viewSnoozed', { count: counts?.snoozed ?? 0 }) },
    { value: 'closed', label: text('adminCases:viewClosed') },
  ];
  return (
    <div className="flex flex-col gap-2 border-b border-line p-3">
      <ChoiceChips
        legend={text('adminCases:views')}
        choices={views}
        value={address.view}
        wraps
        onChange={(view) => onShow({ ...address, view, page: 1 })}
      />
      <SearchField key={address.q} address={address} search={search} onShow={onShow} />
      <Select
        label={text('adminCases:source')}
        value={address.source ?? ''}
        onChange={(source) => onShow({ ...address, source: source === '' ? null : source, page: 1 })}
        options={[
          { value: '' as const, label: text('adminCases:anySource') },
          ...caseSources.map((source) => ({ value: source, label: text(sourceLabels[source]) })),
        ]}
      />
    </div>
  );
}

/** The search counts when Enter is pressed, because its text is in the address and in the audit. */
function SearchField({ address, search, onShow }: Pick<QueueProps, 'address' | 'search' | 'onShow'>) {
  const text = useText();
  const [typed, setTyped] = useState(address.q);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onShow({ ...address, q: typed, page: 1 });
      }}
      className="flex min-h-12 items-center gap-2 rounded-control border-[1.5px] border-line-strong bg-surface px-3 focus-within:border-focus"
    >
      <Search aria-hidden="true" size={18} className="text-ink-2" />
      <input
        ref={search}
        type="search"
        aria-label={text('adminCases:searchLabel')}
        placeholder={text('adminCases:search')}
        maxLength={64}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="min-w-0 flex-1 self-stretch bg-transparent text-note outline-none"
      />
    </form>
  );
}
