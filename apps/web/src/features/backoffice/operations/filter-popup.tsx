import { OperationFilters } from '@fpay/contract/admin/operations';
import { type FormEvent, useState } from 'react';
import { type FormErrors, schemaErrors } from '../../../api/form-errors.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';

const fields = {
  station: { path: 'station', text: 'admin:stationInvalid' },
  user: { path: 'user', text: 'admin:userInvalid' },
} as const;

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
    <PopupFrame open={open} onClose={onClose} title={text('admin:stationAndUser')} titleClassName="text-h2">
      <FilterForm {...form} />
    </PopupFrame>
  );
}

function FilterForm({ station, user, onApply }: Omit<FilterPopupProps, 'open' | 'onClose'>) {
  const text = useText();
  const [typed, setTyped] = useState({ station: station ?? '', user: user ?? '' });
  const [errors, setErrors] = useState<FormErrors<keyof typeof fields>>({});
  function apply(event: FormEvent) {
    event.preventDefault();
    const filters = {
      station: typed.station.trim().toUpperCase() || null,
      user: typed.user.replace(/[\s()-]/g, '') || null,
    };
    const found = schemaErrors(OperationFilters, filters, fields);
    setErrors(found);
    if (Object.keys(found).length === 0) onApply(filters);
  }
  const error = (field: keyof typeof fields) => (errors[field] ? { error: text(errors[field]) } : {});
  return (
    <form className="flex flex-col gap-4" onSubmit={apply}>
      <Field
        label={text('admin:station')}
        placeholder="F1234"
        value={typed.station}
        onChange={({ target }) => setTyped({ ...typed, station: target.value })}
        {...error('station')}
      />
      <Field
        label={text('admin:user')}
        hint={text('admin:phoneOrId')}
        value={typed.user}
        onChange={({ target }) => setTyped({ ...typed, user: target.value })}
        {...error('user')}
      />
      <Button type="submit" kind="main">
        {text('admin:apply')}
      </Button>
    </form>
  );
}
