import { type DeviceMessage, messageDirections } from '@fpay/contract/admin/network/charge-points';
import { useInfiniteQuery } from '@tanstack/react-query';
import ArrowDownLeft from 'lucide-react/icons/arrow-down-left';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import Search from 'lucide-react/icons/search';
import { useState } from 'react';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Segmented } from '../../../../ui/form/segmented.tsx';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { SkeletonList } from '../../../../ui/layout/skeleton.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { indented, summaryOf } from './message-text.ts';
import { chargePointQueries, type MessageDirection } from './queries.ts';

const typingMs = 400;

const directionTexts = {
  all: 'networkChargePoints:allMessages',
  from: 'networkChargePoints:fromDevice',
  to: 'networkChargePoints:toDevice',
} as const satisfies Record<MessageDirection, TextKey>;

/** The messages of the last seven days, newest first. A row opens its call and its answer. */
export function MessageCard({ id }: { id: number }) {
  const text = useText();
  const [direction, setDirection] = useState<MessageDirection>('all');
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<string | null>(null);
  const log = useInfiniteQuery(chargePointQueries.messages(id, direction, useSettled(typed.trim(), typingMs)));
  const messages = log.data?.pages.flatMap((page) => page.messages) ?? [];
  const until = log.data?.pages.at(-1)?.searched_until ?? null;
  return (
    <Card className="min-w-0">
      <h2 className="mb-2 text-label">{text('networkChargePoints:messages')}</h2>
      <div className="mb-2 grid gap-2 sm:grid-cols-2 sm:items-end">
        <Field
          label={text('networkChargePoints:findMessage')}
          icon={<Search aria-hidden="true" size={20} />}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Segmented
          legend={text('networkChargePoints:direction')}
          value={direction}
          onChange={setDirection}
          segments={messageDirections.map((value) => ({ value, label: text(directionTexts[value]) }))}
        />
      </div>
      {log.data ? (
        <>
          {messages.length === 0 && (
            <p className="py-6 text-center text-note text-ink-2">{text('networkChargePoints:noMessages')}</p>
          )}
          <ul className="divide-y divide-line">
            {messages.map((message) => (
              <MessageRow
                key={message.key}
                message={message}
                isOpen={message.key === opened}
                onToggle={() => setOpened(message.key === opened ? null : message.key)}
              />
            ))}
          </ul>
          {log.hasNextPage && (
            <Earlier until={until} isBusy={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()} />
          )}
        </>
      ) : (
        <SkeletonList rows={6} />
      )}
    </Card>
  );
}

interface EarlierProps {
  /** How far back was searched; null when all was. */
  until: string | null;
  isBusy: boolean;
  onPress: () => void;
}

function Earlier({ until, isBusy, onPress }: EarlierProps) {
  const text = useText();
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-2 text-small text-ink-2">
      {until && (
        <span>
          {text('networkChargePoints:searchedUntil')} <DateTime instant={until} />
        </span>
      )}
      <Button size="s" busy={isBusy} onPress={onPress}>
        {text('networkChargePoints:earlier')}
      </Button>
    </div>
  );
}

interface MessageRowProps {
  message: DeviceMessage;
  isOpen: boolean;
  onToggle: () => void;
}

function MessageRow({ message, isOpen, onToggle }: MessageRowProps) {
  const text = useText();
  const { from, action, call, answer, answer_ms, at } = message;
  const isFrom = from === 'device';
  const Arrow = isFrom ? ArrowDownLeft : ArrowUpRight;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className={classNames(
          'flex min-h-12 w-full items-center gap-2 px-1 py-1 text-left text-note -outline-offset-3 lg:min-h-10',
          isOpen && 'bg-accent-soft',
        )}
      >
        <Arrow
          role="img"
          aria-label={text(isFrom ? 'networkChargePoints:fromDevice' : 'networkChargePoints:toDevice')}
          size={18}
          className={classNames('shrink-0', isFrom ? 'text-charging' : 'text-ink-2')}
        />
        <span className="min-w-0 flex-1 sm:flex sm:gap-3">
          <span className="block truncate font-bold sm:w-44 sm:shrink-0">{action}</span>
          <span className="block min-w-0 truncate text-small text-ink-2 sm:flex-1 sm:text-note">{summaryOf(call)}</span>
        </span>
        <span className="shrink-0 text-right text-small text-ink-2">
          <DateTime instant={at} form="exact" />
          <span className="block">
            {answer_ms === null
              ? text('networkChargePoints:noAnswer')
              : text('networkChargePoints:milliseconds', { count: answer_ms })}
          </span>
        </span>
      </button>
      {isOpen && (
        <div className="flex flex-col gap-2 bg-surface-3 p-3">
          {[call, answer].map((frame) =>
            frame === null ? null : (
              <pre
                key={frame}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a long message scrolls, so the keyboard must reach it.
                tabIndex={0}
                className="max-h-80 overflow-auto rounded-control bg-surface p-3 font-mono text-small shadow-card"
              >
                {indented(frame)}
              </pre>
            ),
          )}
          <div className="flex flex-wrap gap-2">
            <CopyButton value={call} label={text('networkChargePoints:copyCall')} />
            {answer !== null && <CopyButton value={answer} label={text('networkChargePoints:copyAnswer')} />}
          </div>
        </div>
      )}
    </li>
  );
}
