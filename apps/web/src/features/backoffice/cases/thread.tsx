import type { AdminCase, CaseEntry } from '@fpay/contract/admin/cases';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { missing } from '../users/user-text.ts';
import { deliveryTexts } from './case-text.ts';

/** What was written, the oldest first. Events are in the course of the case. */
export function CaseThread({ found }: { found: AdminCase }) {
  const text = useText();
  const written = found.entries.filter(({ kind }) => kind !== 'event');
  return (
    <ol aria-label={text('adminCases:conversation')} className="flex flex-col gap-2.5">
      {written.map((entry) => (
        <Entry key={entry.id} entry={entry} driver={found.user.name || missing.name} />
      ))}
    </ol>
  );
}

const looks = {
  from_driver: 'mr-auto rounded-bl-[5px] bg-surface-2',
  to_driver: 'ml-auto rounded-br-[5px] bg-free-tint',
  note: 'w-full bg-occupied-tint',
  event: '',
} as const satisfies Record<CaseEntry['kind'], string>;

function Entry({ entry, driver }: { entry: CaseEntry; driver: string }) {
  const text = useText();
  const { kind, staff, created_at } = entry;
  const isNote = kind === 'note';
  const author = kind === 'from_driver' ? driver : (staff?.name ?? '');
  const parts =
    kind === 'to_driver'
      ? deliveryTexts(entry).map((key) => text(key))
      : kind === 'from_driver'
        ? [text('adminCases:fromDriver')]
        : [];
  return (
    <li className={classNames('rounded-[14px] px-3 py-2.5 text-note', !isNote && 'max-w-[85%]', looks[kind])}>
      <p className="whitespace-pre-wrap wrap-anywhere">
        {isNote && <b className="text-occupied">{text('adminCases:noteMark')} </b>}
        {entry.text ?? <span className="text-ink-2">{text('adminCases:noComment')}</span>}
      </p>
      <p className="mt-0.5 text-small text-ink-2">
        {[author, ...parts].filter(Boolean).join(' · ')} · <DateTime instant={created_at} />
      </p>
    </li>
  );
}
