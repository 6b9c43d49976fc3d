import { OperationFilters } from '@fpay/contract/admin/operations';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { contractRules, useFields } from '../parts/use-form.ts';

interface TypedFilters {
  station: string;
  user: string;
}

const filtersOf = ({ station, user }: TypedFilters) => ({
  station: station.trim().toUpperCase() || null,
  user: user.replace(/[\s()-]/g, '') || null,
});

const rules = contractRules(OperationFilters, filtersOf, {
  station: { path: 'station', text: 'admin:stationInvalid' },
  user: { path: 'user', text: 'admin:userInvalid' },
});

interface FilterPopupProps {
  open: boolean;
  station: string | null;
  user: string | null;
  onClose: () => void;
  onApply: (filters: { station: string | null; user: string | null }) => void;
}

/** Narrows the list to one station, one user, or both. */
export function FilterPopup({ open, onClose, ...form }: FilterPopupProps) {
  const text = useText();
  return (
    <PopupFrame open={open} onClose={onClose} title={text('adminOperations:stationAndUser')} titleClassName="text-h2">
      <FilterForm {...form} />
    </PopupFrame>
  );
}

function FilterForm({ station, user, onApply }: Omit<FilterPopupProps, 'open' | 'onClose'>) {
  const text = useText();
  const { field, props } = useFields({
    start: { station: station ?? '', user: user ?? '' },
    rules,
    onValid: (typed) => onApply(filtersOf(typed)),
  });
  return (
    <form {...props} className="flex flex-col gap-4">
      <Field label={text('admin:station')} placeholder="F1234" {...field('station')} />
      <Field label={text('admin:user')} hint={text('admin:phoneOrId')} {...field('user')} />
      <Button type="submit" kind="main">
        {text('adminOperations:apply')}
      </Button>
    </form>
  );
}
