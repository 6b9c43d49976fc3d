import { askSupport, type SupportThreadItem } from '@fpay/contract/support';
import { useQuery } from '@tanstack/react-query';
import MessageCircle from 'lucide-react/icons/message-circle';
import { call } from '../../api/call.ts';
import { Loaded } from '../../data/loaded.tsx';
import { useText } from '../../i18n/use-text.ts';
import { useNavigate, useSearchParams } from '../../router/index.ts';
import { DateTime } from '../../ui/format/date-time.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { isRegistered, useUser } from '../account/queries.ts';
import { CallLink } from './call-link.tsx';
import { MessageForm } from './message-form.tsx';
import { supportQueries } from './queries.ts';

/** Conversations with support, and a new one: about the charge of the address, or about none. */
export function Page() {
  const text = useText();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const user = useUser();
  const charge = /^\d{1,15}$/.test(params.get('charge') ?? '') ? Number(params.get('charge')) : null;
  const threads = useQuery(supportQueries.threads());
  const home = isRegistered(user) ? '/account' : '/map';
  return (
    <>
      <div className="px-4 pt-1">
        <PageTitle back={charge === null ? home : `/status/${charge}`}>{text('support:title')}</PageTitle>
      </div>
      <div className="flex flex-col gap-4 px-4 pb-6">
        <CallLink />
        <Card className="flex flex-col gap-3">
          <h2 className="text-card">
            {charge === null ? text('support:write') : text('support:writeAbout', { id: charge })}
          </h2>
          <p className="text-note text-ink-2">{text('support:answerSoon')}</p>
          <MessageForm
            send={(message) => call(askSupport, { body: { text: message, charging_operation_id: charge } })}
            onSent={({ id }) => void navigate(`/support/${id}`)}
          />
        </Card>
        <Loaded query={threads} rows={2}>
          {(found) =>
            found.length > 0 && (
              <section className="flex flex-col gap-2">
                <h2 className="text-card">{text('support:threads')}</h2>
                <List label={text('support:threads')}>
                  {found.map((thread) => (
                    <Thread key={thread.id} thread={thread} />
                  ))}
                </List>
              </section>
            )
          }
        </Loaded>
      </div>
    </>
  );
}

function Thread({ thread }: { thread: SupportThreadItem }) {
  const text = useText();
  const { id, charging_station: station, unread } = thread;
  return (
    <ListItem
      to={`/support/${id}`}
      icon={<MessageCircle size={20} />}
      title={<span className="line-clamp-2 wrap-anywhere">{thread.last_text ?? text('support:rated')}</span>}
      subtitle={
        <>
          {station && `${text('support:station', { number: station })} · `}
          <DateTime instant={thread.last_at} />
        </>
      }
      trailing={
        unread > 0 ? (
          <Badge tone="charging">{text('support:unread', { count: unread })}</Badge>
        ) : (
          thread.is_closed && <Badge tone="offline">{text('support:closed')}</Badge>
        )
      }
    />
  );
}
