import { shutDown } from '@fpay/contract/admin/shutdown';
import type { CallInput } from '@fpay/contract/endpoint';
import Power from 'lucide-react/icons/power';
import { type FormEvent, useState } from 'react';
import { type FormErrors, schemaErrors } from '../../../api/form-errors.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { instantOfKyiv, isUnreadable } from '../parts/kyiv-time.ts';
import { MomentField } from '../parts/moment-field.tsx';

type Shutdown = CallInput<typeof shutDown>['body'];

const fields = {
  text: { path: 'text', text: 'admin:messageTooLong' },
  end: { path: 'end_time', text: 'admin:endBeforeStart' },
} as const;

/** What staff type to confirm; the same in every language. */
const confirmationWord = 'SHUTDOWN';

interface ShutdownFormProps {
  isBusy: boolean;
  onShutDown: (body: Shutdown) => void;
}

/** An empty start means now; an empty end means as soon as possible. */
export function ShutdownForm({ isBusy, onShutDown }: ShutdownFormProps) {
  const text = useText();
  const [typed, setTyped] = useState({ text: '', start: '', end: '', confirmation: '' });
  const [errors, setErrors] = useState<FormErrors<keyof typeof fields>>({});
  function submit(event: FormEvent) {
    event.preventDefault();
    const body = {
      text: typed.text.trim() || null,
      start_time: instantOfKyiv(typed.start),
      end_time: instantOfKyiv(typed.end),
    };
    // A time that cannot be read says so itself; without it the service would be shut down now.
    if ([typed.start, typed.end].some(isUnreadable)) return;
    const found = schemaErrors(shutDown.body, body, fields);
    setErrors(found);
    if (Object.keys(found).length === 0 && !isBusy) {
      onShutDown(body);
      setTyped({ ...typed, confirmation: '' });
    }
  }
  function change(next: Partial<typeof typed>) {
    setTyped({ ...typed, ...next });
    setErrors({});
  }
  const set = (name: 'text' | 'confirmation') => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <h2 className="text-card">{text('admin:planShutdown')}</h2>
      <Field
        label={text('admin:message')}
        hint={text('admin:messageHint')}
        error={errors.text && text(errors.text)}
        {...set('text')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <MomentField
          label={text('admin:start')}
          hint={text('admin:emptyIsNow')}
          value={typed.start}
          onChange={(start) => change({ start })}
        />
        <MomentField
          label={text('admin:end')}
          hint={text('admin:emptyIsSoon')}
          error={errors.end && text(errors.end)}
          value={typed.end}
          onChange={(end) => change({ end })}
        />
      </div>
      <p className="rounded-control bg-surface-2 p-3 text-note">{text('admin:shutdownEffect')}</p>
      <Field
        label={text('admin:typeToConfirm', { word: confirmationWord })}
        autoComplete="off"
        autoCapitalize="characters"
        {...set('confirmation')}
      />
      <Button
        type="submit"
        kind="danger"
        icon={<Power aria-hidden="true" size={20} />}
        disabled={typed.confirmation !== confirmationWord && !isBusy}
        busy={isBusy}
      >
        {confirmationWord}
      </Button>
    </form>
  );
}
