import type { Operation } from '@fpay/contract/charging';
import { giveFeedback } from '@fpay/contract/feedback';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Angry from 'lucide-react/icons/angry';
import Frown from 'lucide-react/icons/frown';
import Laugh from 'lucide-react/icons/laugh';
import Meh from 'lucide-react/icons/meh';
import Smile from 'lucide-react/icons/smile';
import { useId, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { PopupFrame } from '../../ui/overlay/popup-frame.tsx';
import type { FeedbackKind } from './feedback.ts';
import { chargingQueries } from './queries.ts';

const faces = [Angry, Frown, Meh, Smile, Laugh];
const usualRating = 4;
const issueRating = 1;
/** Below this rating we ask for the reason. */
const goodRating = 4;
const longestComment = 1000;

interface FeedbackPopupProps {
  operation: Operation;
  asks: FeedbackKind;
  onClose: () => void;
}

/** Asks for a rating with a comment, or after a failure for the comment only. */
export function FeedbackPopup({ operation, asks, onClose }: FeedbackPopupProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const [rating, setRating] = useState(usualRating);
  const [comment, setComment] = useState('');
  const isIssue = asks === 'issue';
  const isSent = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(giveFeedback, {
        body: {
          rating: isIssue ? issueRating : rating,
          comment: comment.trim() || null,
          charging_operation_id: operation.id,
        },
      }),
    onSuccess: () => {
      void queryClient.invalidateQueries(chargingQueries.operation(operation.id));
      onClose();
    },
    onError: () => {
      isSent.current = false;
    },
  });
  const station = operation.number;
  return (
    <PopupFrame
      open
      onClose={() => !isPending && onClose()}
      title={isIssue ? text('status:whatHappened') : text('status:howWasIt')}
      titleClassName="text-h2"
      // A focused face would look like an answer that was already given.
      focuses="itself"
    >
      <p className="-mt-4 text-body text-ink-2">
        {isIssue ? text('status:whatHappenedText', { station }) : text('status:howWasItText', { station })}
      </p>
      {!isIssue && <RatingScale rating={rating} onRate={setRating} />}
      <Comment
        value={comment}
        onChange={setComment}
        hint={isIssue ? text('status:issueHint') : text('status:commentHint')}
        isWanted={!isIssue && rating < goodRating}
      />
      <div className="flex flex-col gap-1">
        <p role="status" className="text-note text-error empty:hidden">
          {error && text(errorText(error))}
        </p>
        <MainButton
          busy={isPending}
          disabled={isIssue && comment.trim() === ''}
          onPress={() => {
            // The second tap of a double tap comes before the button is shown as busy.
            if (isSent.current) return;
            isSent.current = true;
            mutate();
          }}
        >
          {isIssue ? text('status:send') : text('status:next')}
        </MainButton>
        <Button kind="text" size="s" disabled={isPending} onPress={onClose}>
          {text('status:skip')}
        </Button>
      </div>
    </PopupFrame>
  );
}

function RatingScale({ rating, onRate }: { rating: number; onRate: (rating: number) => void }) {
  const text = useText();
  const name = useId();
  return (
    <fieldset className="flex gap-2">
      <legend className="sr-only">{text('status:rating')}</legend>
      {faces.map((Face, index) => {
        const value = index + 1;
        return (
          <label key={value} className="min-w-0 flex-1 cursor-pointer text-center text-label">
            <span
              className={classNames(
                'grid h-15 place-items-center rounded-card has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
                value === rating ? 'bg-accent text-on-accent' : 'bg-surface-2 text-ink-2',
              )}
            >
              <input
                type="radio"
                name={name}
                value={value}
                checked={value === rating}
                onChange={() => onRate(value)}
                className="sr-only"
              />
              <Face aria-hidden="true" size={30} />
            </span>
            {value}
          </label>
        );
      })}
    </fieldset>
  );
}

interface CommentProps {
  value: string;
  onChange: (comment: string) => void;
  hint: string;
  isWanted: boolean;
}

function Comment({ value, onChange, hint, isWanted }: CommentProps) {
  const text = useText();
  return (
    <textarea
      aria-label={text('status:comment')}
      placeholder={hint}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      maxLength={longestComment}
      rows={3}
      className={classNames(
        'w-full resize-none rounded-control border-[1.5px] border-line-strong bg-surface px-4 py-3 text-body focus:border-focus focus:outline-none',
        isWanted && 'animate-attention',
      )}
    />
  );
}
