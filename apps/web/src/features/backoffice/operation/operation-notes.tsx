import { addNote } from '@fpay/contract/admin/notes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type Ref, useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { operationKey, operationViewQueries } from './queries.ts';

/** Notes of staff for each other; they are also in the log. */
export function OperationNotes({ id, field }: { id: number; field: Ref<HTMLInputElement> }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const { data = [] } = useQuery(operationViewQueries.notes(id));
  const adding = useMutation({
    mutationFn: (note: string) =>
      call(addNote, { params: { subject: 'operation', id: String(id) }, body: { text: note } }),
    onSuccess: () => {
      setTyped('');
      void queryClient.invalidateQueries({ queryKey: operationKey(id) });
    },
    onError: (error) => void notify(text(errorText(error))),
  });
  function add(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() !== '' && !adding.isPending) adding.mutate(typed.trim());
  }
  return (
    <Card className="flex flex-col gap-3">
      <form onSubmit={add} className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field
            ref={field}
            label={text('admin:note')}
            maxLength={2000}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <Button type="submit" disabled={typed.trim() === ''} busy={adding.isPending}>
          {text('admin:add')}
        </Button>
      </form>
      {data.length > 0 && (
        <ul className="divide-y divide-line">
          {data.map((note) => (
            <li key={note.id} className="py-2 text-note">
              <span className="block text-small text-ink-2">
                {note.staff.name} · <DateTime instant={note.created_at} />
              </span>
              {note.text}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
