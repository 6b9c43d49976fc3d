import { answerCase, type CaseAction, noteCase } from '@fpay/contract/admin/cases';
import { longestSupportText } from '@fpay/contract/support';
import { useQueryClient } from '@tanstack/react-query';
import Send from 'lucide-react/icons/send';
import { type FormEvent, type Ref, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { casesKey } from './queries.ts';

interface ComposerProps {
  id: number;
  actions: readonly CaseAction[];
  field?: Ref<HTMLTextAreaElement>;
}

/** An answer to the driver, or a note that the driver never sees. */
export function Composer({ id, actions, field }: ComposerProps) {
  const text = useText();
  const [chosen, setChosen] = useState<'answer' | 'note'>('answer');
  const [typed, setTyped] = useState('');
  // A closed case takes notes only.
  const kind = actions.includes('answer') ? chosen : 'note';
  const sending = useSending(id, kind, () => setTyped(''));
  function send(event?: FormEvent) {
    event?.preventDefault();
    if (typed.trim() !== '' && !sending.isPending) sending.mutate(typed.trim());
  }
  const isAnswer = kind === 'answer';
  return (
    <form onSubmit={send} className="flex flex-col gap-2 border-t border-line pt-3">
      {actions.includes('answer') && (
        <Segmented
          legend={text('adminCases:conversation')}
          value={kind}
          onChange={setChosen}
          segments={[
            { value: 'answer', label: text('adminCases:toDriver') },
            { value: 'note', label: text('adminCases:note') },
          ]}
        />
      )}
      <textarea
        ref={field}
        aria-label={text(isAnswer ? 'adminCases:answerLabel' : 'adminCases:noteLabel')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
        }}
        maxLength={longestSupportText}
        rows={3}
        className="w-full resize-y rounded-control border-[1.5px] border-line-strong bg-surface px-4 py-3 text-body focus:border-focus focus:outline-none"
      />
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1 text-small text-ink-2">
          {text(isAnswer ? 'adminCases:byChannels' : 'adminCases:onlyStaff')}
        </p>
        <Button
          type="submit"
          kind={isAnswer ? 'main' : 'quiet'}
          size="m"
          icon={isAnswer ? <Send aria-hidden="true" size={18} /> : undefined}
          disabled={typed.trim() === ''}
          busy={sending.isPending}
        >
          {text(isAnswer ? 'adminCases:send' : 'adminCases:addNote')}
        </Button>
      </div>
    </form>
  );
}

function useSending(id: number, kind: 'answer' | 'note', onSent: () => void) {
  const queryClient = useQueryClient();
  const params = { id: String(id) };
  return useAction(
    (message: string) =>
      kind === 'answer'
        ? call(answerCase, { params, body: { text: message } })
        : call(noteCase, { params, body: { text: message } }),
    {
      onSuccess: () => {
        onSent();
        void queryClient.invalidateQueries({ queryKey: casesKey });
      },
    },
  );
}
