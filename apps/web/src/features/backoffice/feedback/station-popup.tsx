import { ratingMood, type StationRating, stationRating } from '@fpay/contract/admin/feedback';
import { StationText } from '@fpay/contract/admin/filters';
import MapPin from 'lucide-react/icons/map-pin';
import Star from 'lucide-react/icons/star';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { formatNumber } from '../../../ui/format/number-format.ts';
import { useOnce } from '../../../ui/hooks/use-when.ts';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { PeriodChooser } from '../parts/period-chooser.tsx';
import { instantsOf, type PeriodChoice, rangeFault, todayRange } from '../parts/periods.ts';
import { shareText } from '../parts/share-text.ts';
import { Stars } from './stars.tsx';

interface StationPopupProps {
  /** Asked for at once; null: typed first. */
  station: string | null;
  onClose: () => void;
}

/** How drivers rated one station in a period. */
export function StationPopup({ station, onClose }: StationPopupProps) {
  const text = useText();
  return (
    <PopupFrame open onClose={onClose} title={text('adminFeedback:stationRatings')} titleClassName="text-h2">
      <StationForm station={station} />
    </PopupFrame>
  );
}

/** The ratings of one station in a period. */
function ratingsIn({ number, of }: { number: string; of: PeriodChoice }): Promise<StationRating> {
  return call(stationRating, {
    params: { station: number },
    query: {
      tz: 'Europe/Kyiv',
      ...(of.period === 'manual' ? { manual_range: 'true', ...instantsOf(of) } : { time_range: of.period }),
    },
  });
}

function StationForm({ station }: Pick<StationPopupProps, 'station'>) {
  const text = useText();
  const [typed, setTyped] = useState(station ?? '');
  const [isMissing, setMissing] = useState(false);
  const [choice, setChoice] = useState<PeriodChoice>(() => ({ period: 'month', ...todayRange() }));
  const asking = useAction(ratingsIn);
  function ask(of: PeriodChoice) {
    const number = StationText.safeParse(typed).data;
    setMissing(number === undefined);
    if (number !== undefined && rangeFault(of) === null) asking.mutate({ number, of });
  }
  function choose(next: Partial<PeriodChoice>, isAsked: boolean) {
    const chosen = { ...choice, ...next };
    setChoice(chosen);
    if (isAsked && typed.trim() !== '') ask(chosen);
  }
  // For the station that the popup opened with.
  useOnce(() => {
    if (station !== null) ask(choice);
  });
  return (
    <>
      <form
        className="flex items-start gap-2"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          ask(choice);
        }}
      >
        <div className="min-w-0 flex-1">
          <Field
            label={text('adminFeedback:stationNumber')}
            placeholder="F1234"
            icon={<MapPin aria-hidden="true" size={20} />}
            value={typed}
            error={isMissing ? text('adminFeedback:stationRequired') : undefined}
            onChange={({ target }) => {
              setTyped(target.value);
              setMissing(false);
            }}
          />
        </div>
        <Button type="submit" kind="main" busy={asking.isPending} className="mt-6.5">
          GO
        </Button>
      </form>
      <PeriodChooser
        choice={choice}
        onPeriod={(period) => choose({ period }, period !== 'manual')}
        onRange={(range) => choose(range, false)}
        onGo={() => ask(choice)}
      />
      {asking.data && <Ratings rating={asking.data} />}
    </>
  );
}

const fills = { good: 'bg-free-fill', neutral: 'bg-occupied-fill', bad: 'bg-error-fill' } as const;

function Ratings({ rating }: { rating: StationRating }) {
  const text = useText();
  const language = useLanguage();
  const { average_rating: average, total_count: total } = rating;
  const counts = [
    [5, rating.five_stars],
    [4, rating.four_stars],
    [3, rating.three_stars],
    [2, rating.two_stars],
    [1, rating.one_star],
  ] as const;
  return (
    <div aria-live="polite" className="flex items-center gap-4">
      <p className="shrink-0">
        {average === null ? (
          <span className="block text-label">MISSING</span>
        ) : (
          <>
            <span className="block text-[2.75rem] leading-12 font-extrabold tracking-tight">
              {formatNumber(average, { least: 1, most: 2 }, language)}
            </span>
            <Stars rating={average} />
          </>
        )}
        <span className="block text-small text-ink-2">
          {total === 0 ? text('adminFeedback:noRatings') : text('adminFeedback:ratings', { count: total })}
        </span>
      </p>
      <ul aria-label={text('adminFeedback:stars')} className="flex min-w-0 flex-1 flex-col gap-1.5 text-note">
        {counts.map(([stars, count]) => (
          <li key={stars} className="flex items-center gap-2">
            <span className="tabular w-2.5 font-bold">{stars}</span>
            <Star aria-hidden="true" size={14} fill="currentColor" className="text-ink-2" />
            <span aria-hidden="true" className="h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-surface-2">
              <span
                className={`block h-full rounded-full ${fills[ratingMood(stars)]}`}
                style={{ width: `${total === 0 ? 0 : (count / total) * 100}%` }}
              />
            </span>
            <span className="tabular w-9 text-right font-bold">{count}</span>
            <span className="tabular w-11 text-right text-ink-2">{shareText(count, total, language)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
