import { FeedbackFilters } from '@fpay/contract/admin/feedback';
import { type FormEvent, useState } from 'react';
import { type FormErrors, schemaErrors } from '../../../api/form-errors.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { allFeedback, type FeedbackAddress, feedbackFiltersOf } from './filters.ts';

const fields = {
  from: { path: 'from', text: 'oversight:ratingRange' },
  to: { path: 'to', text: 'oversight:ratingRange' },
  station: { path: 'station_number', text: 'admin:stationInvalid' },
  user: { path: 'user', text: 'admin:userInvalid' },
} as const;

interface FeedbackFiltersFormProps {
  address: FeedbackAddress;
  onGo: (address: FeedbackAddress) => void;
}

/** The filters of the list. They count when GO is pressed. */
export function FeedbackFiltersForm({ address, onGo }: FeedbackFiltersFormProps) {
  const text = useText();
  const [typed, setTyped] = useState({
    from: String(address.from),
    to: String(address.to),
    station: address.station ?? '',
    user: address.user ?? '',
    withCommentsOnly: address.withCommentsOnly,
  });
  const [errors, setErrors] = useState<FormErrors<keyof typeof fields>>({});
  function go(event: FormEvent) {
    event.preventDefault();
    const asked: FeedbackAddress = {
      ...allFeedback,
      sort: address.sort,
      from: wholeOf(typed.from),
      to: wholeOf(typed.to),
      station: typed.station.trim().toUpperCase() || null,
      user: typed.user.replace(/[\s()-]/g, '') || null,
      withCommentsOnly: typed.withCommentsOnly,
    };
    const found = schemaErrors(FeedbackFilters, feedbackFiltersOf(asked), fields);
    setErrors(found);
    if (Object.keys(found).length === 0) onGo(asked);
  }
  const field = (name: keyof typeof fields) => ({
    value: typed[name],
    error: errors[name] && text(errors[name]),
    onChange: ({ target }: { target: { value: string } }) => {
      setTyped({ ...typed, [name]: target.value });
      setErrors({});
    },
  });
  return (
    <form
      onSubmit={go}
      noValidate
      className="grid grid-cols-2 items-start gap-3 rounded-card bg-surface p-4 shadow-card lg:grid-cols-[6rem_6rem_10rem_minmax(0,1fr)_11rem_auto]"
    >
      <Field label={text('oversight:ratingFrom')} inputMode="numeric" {...field('from')} />
      <Field label={text('oversight:ratingTo')} inputMode="numeric" {...field('to')} />
      <Field label={text('admin:station')} placeholder="F1234" {...field('station')} />
      <Field label={text('admin:user')} placeholder={text('admin:phoneOrId')} {...field('user')} />
      <div className="col-span-2 lg:col-span-1">
        <Segmented
          legend={text('oversight:commentsOnly')}
          showsLegend
          value={typed.withCommentsOnly ? 'yes' : 'no'}
          onChange={(chosen) => setTyped({ ...typed, withCommentsOnly: chosen === 'yes' })}
          segments={[
            { value: 'yes', label: text('generic:yes') },
            { value: 'no', label: text('generic:no') },
          ]}
        />
      </div>
      <Button type="submit" kind="main" className="col-span-2 lg:col-span-1 lg:mt-6.5">
        GO
      </Button>
    </form>
  );
}

/** A text that is no number is out of every range. */
function wholeOf(typed: string): number {
  return /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN;
}
