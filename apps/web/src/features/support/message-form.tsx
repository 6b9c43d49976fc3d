import { longestSupportText } from '@fpay/contract/support';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { MainButton } from '../../ui/form/main-button.tsx';

interface MessageFormProps<Reply> {
  send: (text: string) => Promise<Reply>;
  onSent: (reply: Reply) => void;
}

/** What the driver writes to support. The text stays when it could not be sent. */
export function MessageForm<Reply>({ send, onSent }: MessageFormProps<Reply>) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const sending = useAction(send, {
    onSuccess: (reply) => {
      setTyped('');
      onSent(reply);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() !== '' && !sending.isPending) sending.mutate(typed.trim());
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <textarea
        aria-label={text('support:message')}
        placeholder={text('support:hint')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        maxLength={longestSupportText}
        rows={3}
        className="w-full resize-none rounded-control border-[1.5px] border-line-strong bg-surface px-4 py-3 text-body focus:border-focus focus:outline-none"
      />
      <MainButton type="submit" busy={sending.isPending} disabled={typed.trim() === ''}>
        {text('support:send')}
      </MainButton>
    </form>
  );
}
