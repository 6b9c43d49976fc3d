import { addNote, type NoteSubject, notes } from '@fpay/contract/admin/notes';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type Ref, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Card } from '../../../ui/layout/card.tsx';

interface SupportNotesProps {
  subject: NoteSubject;
  id: number;
  field?: Ref<HTMLInputElement>;
}

/** Notes of staff for each other; they are also in the log, and with it in what a driver may download. */
export function SupportNotes({ subject, id, field }: SupportNotesProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const params = { subject, id: String(id) };
  // Everything about the subject is read again after a note, because the log has it too.
  const queryKey = ['backoffice', subject, id] as const;
  const { data = [] } = useQuery(
    queryOptions({
      queryKey: [...queryKey, 'notes'],
      queryFn: ({ signal }) => call(notes, { params, signal }),
      staleTime: 0,
    }),
  );
  const adding = useAction((note: string) => call(addNote, { params, body: { text: note } }), {
    onSuccess: () => {
      setTyped('');
      void queryClient.invalidateQueries({ queryKey });
    },
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
            {...(field && { ref: field })}
            label={text('admin:note')}
            hint={subject === 'user' ? text('admin:noteInData') : undefined}
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
