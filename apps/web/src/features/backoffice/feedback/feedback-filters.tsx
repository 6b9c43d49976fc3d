import { FeedbackFilters } from '@fpay/contract/admin/feedback';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { contractRules, useFields } from '../parts/use-form.ts';
import { allFeedback, type FeedbackAddress, feedbackFiltersOf } from './filters.ts';

interface TypedFilters {
  from: string;
  to: string;
  station: string;
  user: string;
  withCommentsOnly: boolean;
}

/** A text that is no number is out of every range. */
const wholeOf = (typed: string) => (/^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN);

const filtersOf = ({ from, to, station, user, withCommentsOnly }: TypedFilters) => ({
  from: wholeOf(from),
  to: wholeOf(to),
  station: station.trim().toUpperCase() || null,
  user: user.replace(/[\s()-]/g, '') || null,
  withCommentsOnly,
});

const rules = contractRules(
  FeedbackFilters,
  (typed: TypedFilters) => feedbackFiltersOf({ ...allFeedback, ...filtersOf(typed) }),
  {
    from: { path: 'from', text: 'adminFeedback:ratingRange' },
    to: { path: 'to', text: 'adminFeedback:ratingRange' },
    station: { path: 'station_number', text: 'admin:stationInvalid' },
    user: { path: 'user', text: 'admin:userInvalid' },
  },
);

interface FeedbackFiltersFormProps {
  address: FeedbackAddress;
  onGo: (address: FeedbackAddress) => void;
}

/** The filters of the list. They count when GO is pressed. */
export function FeedbackFiltersForm({ address, onGo }: FeedbackFiltersFormProps) {
  const text = useText();
  const { from, to, station, user, withCommentsOnly } = address;
  const { typed, change, field, props } = useFields({
    start: { from: String(from), to: String(to), station: station ?? '', user: user ?? '', withCommentsOnly },
    rules,
    onValid: (chosen) => onGo({ ...allFeedback, sort: address.sort, ...filtersOf(chosen) }),
  });
  return (
    <form
      {...props}
      className="grid grid-cols-2 items-start gap-3 rounded-card bg-surface p-4 shadow-card lg:grid-cols-[6rem_6rem_10rem_minmax(0,1fr)_11rem_auto]"
    >
      <Field label={text('adminFeedback:ratingFrom')} inputMode="numeric" {...field('from')} />
      <Field label={text('adminFeedback:ratingTo')} inputMode="numeric" {...field('to')} />
      <Field label={text('admin:station')} placeholder="F1234" {...field('station')} />
      <Field label={text('admin:user')} placeholder={text('admin:phoneOrId')} {...field('user')} />
      <div className="col-span-2 lg:col-span-1">
        <Segmented
          legend={text('adminFeedback:commentsOnly')}
          showsLegend
          value={typed.withCommentsOnly ? 'yes' : 'no'}
          onChange={(chosen) => change({ withCommentsOnly: chosen === 'yes' })}
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
