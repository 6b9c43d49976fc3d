import { answerSupport, readSupport, type SupportMessage, type SupportThreadDetail } from '@fpay/contract/support';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { Loaded } from '../../data/loaded.tsx';
import { useText } from '../../i18n/use-text.ts';
import { Link, useParams } from '../../router/index.ts';
import { DateTime } from '../../ui/format/date-time.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { CallLink } from './call-link.tsx';
import { MessageForm } from './message-form.tsx';
import { supportQueries } from './queries.ts';

/** One conversation with support. */
export function Page() {
  const text = useText();
  const { thread } = useParams();
  const id = Number(thread);
  const found = useQuery(supportQueries.thread(id));
  return (
    <>
      <div className="px-4 pt-1">
        <PageTitle back="/support">{text('support:thread', { id })}</PageTitle>
      </div>
      <div className="flex flex-col gap-4 px-4 pb-6">
        <Loaded query={found} rows={3} notFound={text('support:missing')}>
          {(data) => <Conversation thread={data} />}
        </Loaded>
      </div>
    </>
  );
}

function Conversation({ thread }: { thread: SupportThreadDetail }) {
  const text = useText();
  const queryClient = useQueryClient();
  const { id, messages, charging_operation_id: charge, charging_station: station } = thread;
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['support'] });
  const last = messages.findLast(({ from }) => from === 'staff')?.id ?? 0;
  // What is on the screen is read; a failure is tried again with the next message.
  useOnChange([last], () => {
    if (last > 0) call(readSupport, { params: { id: String(id) } }).catch(() => undefined);
  });
  return (
    <>
      {charge !== null && (
        <p className="text-note text-ink-2">
          <Link to={`/status/${charge}`} className="font-bold text-ink underline">
            {text('support:aboutCharge', { id: charge })}
          </Link>
          {station && ` · ${text('support:station', { number: station })}`}
        </p>
      )}
      <ol aria-label={text('support:conversation')} aria-live="polite" className="flex flex-col gap-2.5">
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ol>
      {thread.is_closed && <p className="text-note text-ink-2">{text('support:closedText')}</p>}
      <MessageForm
        send={(message) => call(answerSupport, { params: { id: String(id) }, body: { text: message } })}
        onSent={refresh}
      />
      <CallLink />
    </>
  );
}

function Message({ message }: { message: SupportMessage }) {
  const text = useText();
  const isOwn = message.from === 'driver';
  return (
    <li
      className={classNames(
        'max-w-[85%] rounded-[14px] px-3.5 py-2.5',
        isOwn ? 'ml-auto rounded-br-[5px] bg-accent-soft' : 'mr-auto rounded-bl-[5px] bg-surface shadow-card',
      )}
    >
      <p className="text-body whitespace-pre-wrap wrap-anywhere">{message.text ?? text('support:rated')}</p>
      <p className="mt-0.5 text-small text-ink-2">
        {text(isOwn ? 'support:you' : 'support:us')} · <DateTime instant={message.created_at} />
      </p>
    </li>
  );
}
