import { exportOperations } from '@fpay/contract/admin/export';
import { operationCounts } from '@fpay/contract/admin/operations';
import Download from 'lucide-react/icons/download';
import Hash from 'lucide-react/icons/hash';
import ListFilter from 'lucide-react/icons/list-filter';
import X from 'lucide-react/icons/x';
import { type FormEvent, type Ref, useState } from 'react';
import { addressOf } from '../../../api/address.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { CountField } from '../parts/count-field.tsx';
import { ListBar } from '../parts/list-bar.tsx';
import { FilterBlock, filterHoldNames, filterStatusNames } from './filter-block.tsx';
import { FilterPopup } from './filter-popup.tsx';
import { filterCount, filtersOf, type ListAddress } from './filters.ts';
import { paymentNames } from './payment-icon.tsx';

interface ListControlsProps {
  address: ListAddress;
  onChange: (next: Partial<ListAddress>) => void;
  lookup: Ref<HTMLInputElement>;
}

/** Lookup by number, the number of rows, the filters, and what is filtered now. */
export function ListControls({ address, onChange, lookup }: ListControlsProps) {
  const text = useText();
  const [isPopupOpen, setPopupOpen] = useState(false);
  const filtered = filterCount(address);
  const { url } = addressOf(exportOperations, { query: { ...filtersOf(address) } });
  return (
    <div className="flex flex-col gap-3">
      <ListBar
        filtered={filtered}
        first={<Lookup field={lookup} />}
        others={
          <>
            <CountField
              key={address.count}
              count={address.count}
              most={operationCounts.most}
              onChange={(count) => onChange({ count })}
            />
            <Button
              kind="secondary"
              icon={<ListFilter aria-hidden="true" size={20} />}
              onPress={() => setPopupOpen(true)}
            >
              {text('adminOperations:stationAndUser')}
            </Button>
            <Button href={url} icon={<Download aria-hidden="true" size={20} />}>
              CSV
            </Button>
          </>
        }
        below={<FilterBlock address={address} filtered={filtered} onChange={onChange} />}
      />
      {filtered > 0 && <Chips address={address} onChange={onChange} />}
      <FilterPopup
        open={isPopupOpen}
        station={address.station}
        user={address.user}
        onClose={() => setPopupOpen(false)}
        onApply={(next) => {
          onChange(next);
          setPopupOpen(false);
        }}
      />
    </div>
  );
}

function Lookup({ field }: { field: Ref<HTMLInputElement> }) {
  const text = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const isId = /^\d{1,16}$/.test(typed) && Number(typed) >= 1;
  function open(event: FormEvent) {
    event.preventDefault();
    if (isId) void navigate(`/admin/operations/${Number(typed)}`);
  }
  return (
    <form onSubmit={open} className="flex min-w-0 flex-1 items-end gap-2 lg:min-w-64">
      {/* The label may reach above the button. */}
      <div className="min-w-0 flex-1 [&_label]:w-0 [&_label]:whitespace-nowrap">
        <Field
          ref={field}
          label={text('adminOperations:operationNumber')}
          icon={<Hash aria-hidden="true" size={20} />}
          inputMode="numeric"
          value={typed}
          onChange={({ target }) => setTyped(target.value.trim())}
        />
      </div>
      <Button type="submit" disabled={!isId}>
        {text('admin:open')}
      </Button>
    </form>
  );
}

const chipNames = ['station', 'user', 'status', 'hold', 'payment_type', 'from', 'to'] as const;

function Chips({ address, onChange }: Pick<ListControlsProps, 'address' | 'onChange'>) {
  const text = useText();
  const shown = chipNames.filter((name) => address[name] !== null);
  function labelOf(name: (typeof chipNames)[number]): string {
    const { status, hold, payment_type: payment } = address;
    if (name === 'status' && status) return text(filterStatusNames[status]);
    if (name === 'hold' && hold) return text(filterHoldNames[hold]);
    if (name === 'payment_type' && payment) return text(paymentNames[payment]);
    return String(address[name]).replace('T', ' ');
  }
  return (
    <ul aria-label={text('adminOperations:filtered')} className="flex flex-wrap gap-2">
      {shown.map((name) => (
        <li key={name}>
          <button
            type="button"
            aria-label={text('adminOperations:removeFilter', { filter: labelOf(name) })}
            className="flex min-h-11 items-center gap-2 rounded-control bg-surface-2 px-3 text-note font-bold lg:min-h-8"
            onClick={() => onChange({ [name]: null })}
          >
            {labelOf(name)}
            <X aria-hidden="true" size={16} />
          </button>
        </li>
      ))}
    </ul>
  );
}
