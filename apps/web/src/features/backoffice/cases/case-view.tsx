import { guestPhonePrefix } from '@fpay/contract/account';
import { type AdminCase, closeCase, reopenCase } from '@fpay/contract/admin/cases';
import { languageRecords } from '@fpay/contract/languages';
import { useQueryClient } from '@tanstack/react-query';
import AlarmClock from 'lucide-react/icons/alarm-clock';
import Check from 'lucide-react/icons/check';
import Hourglass from 'lucide-react/icons/hourglass';
import Phone from 'lucide-react/icons/phone';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Timer from 'lucide-react/icons/timer';
import UserCheck from 'lucide-react/icons/user-check';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { Pressable, type PressTarget } from '../../../ui/form/pressable.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { missing } from '../users/user-text.ts';
import { AssignPopup } from './assign-popup.tsx';
import { caseBadge, caseTitle, sourceLabels } from './case-text.ts';
import { ChargeCard } from './charge-card.tsx';
import { Composer } from './composer.tsx';
import { Course } from './course.tsx';
import { casesKey } from './queries.ts';
import { SnoozePopup } from './snooze-popup.tsx';
import { CaseThread } from './thread.tsx';
import { answerTone, firstAnswerMs, formatMs } from './time-to-answer.ts';

/** One case: the conversation, what staff may do with it, its charge and its course. */
export function OpenedCase({ found, reader }: { found: AdminCase; reader: number }) {
  const isPossible = found.actions.includes('answer') || found.actions.includes('note');
  return (
    <div className="grid min-w-0 flex-1 grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_19rem]">
      <Card className="flex min-w-0 flex-col gap-3">
        <CaseHead found={found} reader={reader} />
        <Times found={found} />
        <CaseThread found={found} />
        {isPossible && <Composer key={found.id} id={found.id} actions={found.actions} />}
      </Card>
      <div className="flex min-w-0 flex-col gap-3">
        {found.charging_operation_id !== null && <ChargeCard id={found.charging_operation_id} />}
        <Course found={found} />
      </div>
    </div>
  );
}

function CaseHead({ found, reader }: { found: AdminCase; reader: number }) {
  const text = useText();
  const { label, tone } = caseBadge(found, reader);
  const { user } = found;
  const hasPhone = !user.phone_number.startsWith(guestPhonePrefix);
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-card font-extrabold wrap-anywhere">{caseTitle(found, text)}</h2>
      <p className="text-small text-ink-2">
        {text('adminCases:number', { id: found.id })} · {text(sourceLabels[found.source])} ·{' '}
        <Link to={`/admin/users/${user.id}`} className="font-bold text-ink underline">
          {user.name || missing.name}
        </Link>
        {hasPhone && ` · ${user.phone_number}`} ·{' '}
        {text('adminCases:writesIn', { language: languageRecords[found.language].name.toLowerCase() })}
      </p>
      <p>
        <Badge tone={tone}>{text(label)}</Badge>
      </p>
      <CaseActions found={found} reader={reader} phone={hasPhone ? user.phone_number : null} />
    </div>
  );
}

function CaseActions({ found, reader, phone }: { found: AdminCase; reader: number; phone: string | null }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<'snooze' | 'assign' | null>(null);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: casesKey });
  const params = { id: String(found.id) };
  const closing = useAction(() => call(closeCase, { params }), { onSettled: refresh });
  const reopening = useAction(() => call(reopenCase, { params }), { onSettled: refresh });
  const may = (action: AdminCase['actions'][number]) => found.actions.includes(action);
  const close = () => setAsked(null);
  return (
    <div className="flex flex-wrap gap-2">
      {may('snooze') && (
        <ToolButton Icon={AlarmClock} onPress={() => setAsked('snooze')}>
          {text('adminCases:snooze')}
        </ToolButton>
      )}
      {may('assign') && (
        <ToolButton Icon={UserCheck} onPress={() => setAsked('assign')}>
          {text('adminCases:assign')}
        </ToolButton>
      )}
      {phone !== null && found.actions.length > 0 && (
        <ToolButton Icon={Phone} href={`tel:${phone}`}>
          {text('adminCases:call')}
        </ToolButton>
      )}
      {may('close') && (
        <ToolButton Icon={Check} isLast busy={closing.isPending} onPress={() => closing.mutate()}>
          {text('adminCases:close')}
        </ToolButton>
      )}
      {may('reopen') && (
        <ToolButton Icon={RotateCcw} isLast busy={reopening.isPending} onPress={() => reopening.mutate()}>
          {text('adminCases:reopen')}
        </ToolButton>
      )}
      {asked === 'snooze' && <SnoozePopup id={found.id} onClose={close} onDone={refresh} />}
      {asked === 'assign' && <AssignPopup found={found} reader={reader} onClose={close} onDone={refresh} />}
    </div>
  );
}

interface ToolButtonProps extends PressTarget {
  Icon: typeof Check;
  /** It ends or reopens the case, so it stands apart. */
  isLast?: boolean;
  busy?: boolean;
  children: ReactNode;
}

function ToolButton({ Icon, isLast = false, busy = false, children, ...target }: ToolButtonProps) {
  return (
    <Pressable
      {...target}
      busy={busy}
      className={classNames(
        'flex min-h-11 items-center gap-2 rounded-control px-3 text-note font-bold lg:min-h-9',
        isLast ? 'ml-auto border-[1.5px] border-line-strong' : 'bg-surface-2',
      )}
    >
      <Icon aria-hidden="true" size={18} />
      {children}
    </Pressable>
  );
}

const minuteMs = 60_000;
const tones = { free: 'text-free', occupied: 'text-occupied', error: 'text-error' } as const;

/** The time to the first answer, how long the driver waits now, and who answers. */
function Times({ found }: { found: AdminCase }) {
  const text = useText();
  const now = useNow(minuteMs);
  const answered = firstAnswerMs(found);
  const waits = found.waiting_since === null ? null : now - Date.parse(found.waiting_since);
  return (
    <dl className="-mx-4 flex flex-wrap gap-x-5 gap-y-1 border-y border-line bg-surface-3 px-4 py-2 text-small *:flex *:items-center *:gap-1.5">
      {answered !== null && (
        <div>
          <Timer aria-hidden="true" size={16} className={tones[answerTone(answered)]} />
          <dt>{text('adminCases:answeredIn')}</dt>
          <dd className={`font-bold ${tones[answerTone(answered)]}`}>{formatMs(answered)}</dd>
        </div>
      )}
      {waits !== null && (
        <div>
          <Hourglass aria-hidden="true" size={16} className={tones[answerTone(waits)]} />
          <dt>{text('adminCases:driverWaits')}</dt>
          <dd className={`font-bold ${tones[answerTone(waits)]}`}>{formatMs(waits)}</dd>
        </div>
      )}
      <div>
        <UserCheck aria-hidden="true" size={16} />
        <dt>{text('adminCases:owner')}</dt>
        <dd className="font-bold">{found.owner ? found.owner.name : text('adminCases:nobody')}</dd>
      </div>
    </dl>
  );
}
