import { shutDown } from '@fpay/contract/admin/shutdown';
import type { CallInput } from '@fpay/contract/endpoint';
import Power from 'lucide-react/icons/power';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { instantOfKyiv, isUnreadable } from '../parts/kyiv-time.ts';
import { MomentField } from '../parts/moment-field.tsx';
import { contractRules, type FormRules, useFields } from '../parts/use-form.ts';

type Shutdown = CallInput<typeof shutDown>['body'];

const empty = { text: '', start: '', end: '', confirmation: '' };

const requestOf = ({ text, start, end }: typeof empty): Shutdown => ({
  text: text.trim() || null,
  start_time: instantOfKyiv(start),
  end_time: instantOfKyiv(end),
});

const contract = contractRules(shutDown.body, requestOf, {
  text: { path: 'text', text: 'adminShutdown:messageTooLong' },
  end: { path: 'end_time', text: 'adminShutdown:endBeforeStart' },
});
const rules: FormRules<typeof empty> = {
  ...contract,
  // A time that cannot be read says so itself; without it the service would be shut down now.
  check: (typed) => ({
    ...contract.check(typed),
    ...([typed.start, typed.end].some(isUnreadable) && { time: 'admin:momentInvalid' as const }),
  }),
};

/** What staff type to confirm; the same in every language. */
const confirmationWord = 'SHUTDOWN';

interface ShutdownFormProps {
  isBusy: boolean;
  onShutDown: (body: Shutdown) => void;
}

/** An empty start means now; an empty end means as soon as possible. */
export function ShutdownForm({ isBusy, onShutDown }: ShutdownFormProps) {
  const text = useText();
  const { typed, change, errorOf, field, props } = useFields({
    start: empty,
    rules,
    onValid: (chosen) => {
      if (isBusy) return;
      onShutDown(requestOf(chosen));
      change({ confirmation: '' });
    },
  });
  return (
    <form {...props} className="flex flex-col gap-4">
      <h2 className="text-card">{text('adminShutdown:planShutdown')}</h2>
      <Field label={text('admin:message')} hint={text('adminShutdown:messageHint')} {...field('text')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <MomentField
          label={text('adminShutdown:start')}
          hint={text('adminShutdown:emptyIsNow')}
          value={typed.start}
          onChange={(start) => change({ start })}
        />
        <MomentField
          label={text('adminShutdown:end')}
          hint={text('adminShutdown:emptyIsSoon')}
          error={errorOf('end')}
          value={typed.end}
          onChange={(end) => change({ end })}
        />
      </div>
      <p className="rounded-control bg-surface-2 p-3 text-note">{text('adminShutdown:shutdownEffect')}</p>
      <Field
        label={text('adminShutdown:typeToConfirm', { word: confirmationWord })}
        autoComplete="off"
        autoCapitalize="characters"
        {...field('confirmation')}
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
