import { noteLength } from '@fpay/contract/admin/network/stations';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { decimalOf } from '../../../../ui/form/decimal.ts';
import { Field } from '../../../../ui/form/field.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { ChoiceField } from '../../parts/choice-field.tsx';
import type { StationErrorOf, TypedHours, TypedStation } from './form.ts';
import { PlaceMap } from './place-map.tsx';

interface PlaceCardProps {
  typed: TypedStation;
  isNew: boolean;
  isLocked: boolean;
  errorOf: StationErrorOf;
  parties: readonly { id: number; name: string; is_closed: boolean }[];
  onChange: (values: Partial<TypedStation>) => void;
}

/** Number, addresses, place, party, hours and the note for drivers. */
export function PlaceCard({ typed, isNew, isLocked, errorOf, parties, onChange }: PlaceCardProps) {
  const text = useText();
  const set = (name: 'number' | 'address' | 'address_uk' | 'lat' | 'lon' | 'note') => {
    return {
      value: typed[name],
      error: errorOf(name),
      onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
    };
  };
  const [lat, lon] = [decimalOf(typed.lat), decimalOf(typed.lon)];
  const isPlace = lat !== '' && lon !== '' && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return (
    <Card className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-3">
        <legend className="sr-only">{text('networkStations:about')}</legend>
        <div className="grid gap-3 min-[360px]:grid-cols-2">
          <Field label={text('networkStations:number')} readOnly={!isNew} autoComplete="off" {...set('number')} />
          <ChoiceField
            label={text('network:kind')}
            disabled={!isNew}
            value={typed.is_virtual ? 'virtual' : 'real'}
            options={[
              { value: 'real', label: text('networkStations:real') },
              { value: 'virtual', label: text('networkStations:virtual') },
            ]}
            onChange={(kind) => onChange({ is_virtual: kind === 'virtual' })}
          />
        </div>
        <Field label={text('networkStations:addressUk')} autoComplete="off" {...set('address_uk')} />
        <Field label={text('networkStations:address')} autoComplete="off" {...set('address')} />
        <div className="grid grid-cols-2 gap-3">
          <Field label={text('networkStations:lat')} inputMode="decimal" autoComplete="off" {...set('lat')} />
          <Field label={text('networkStations:lon')} inputMode="decimal" autoComplete="off" {...set('lon')} />
        </div>
        <PartyChoice party={typed.party_id} parties={parties} onParty={(party_id) => onChange({ party_id })} />
        <Field
          label={text('networkStations:note')}
          maxLength={noteLength}
          hint={`${text('networkStations:noteHint')} · ${typed.note.length} / ${noteLength}`}
          {...set('note')}
        />
        <Hours hours={typed.hours} errorOf={errorOf} isLocked={isLocked} onChange={(hours) => onChange({ hours })} />
      </fieldset>
      <div className="-order-1 lg:order-none">
        <PlaceMap
          place={isPlace ? { lat, lon } : null}
          isLocked={isLocked}
          onPlace={(place) => onChange({ lat: String(place.lat), lon: String(place.lon) })}
        />
      </div>
    </Card>
  );
}

interface PartyChoiceProps extends Pick<PlaceCardProps, 'parties'> {
  party: string;
  onParty: (party: string) => void;
}

/** The members of a party alone may charge at its station. */
function PartyChoice({ party, parties, onParty }: PartyChoiceProps) {
  const text = useText();
  return (
    <ChoiceField
      label={text('network:party')}
      value={party}
      options={[
        { value: '', label: text('networkStations:openForAll') },
        ...parties.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={onParty}
    />
  );
}

interface HoursProps {
  hours: TypedHours;
  errorOf: StationErrorOf;
  isLocked: boolean;
  onChange: (hours: TypedHours) => void;
}

const days = [
  { name: 'weekdays', from: 'networkStations:weekdaysFrom', to: 'networkStations:weekdaysTo' },
  { name: 'weekend', from: 'networkStations:weekendFrom', to: 'networkStations:weekendTo' },
] as const satisfies { name: keyof TypedHours; from: TextKey; to: TextKey }[];

/** Empty hours of a day mean closed. */
function Hours({ hours, errorOf, isLocked, onChange }: HoursProps) {
  const text = useText();
  const set = (day: (typeof days)[number]['name'], end: 'from' | 'to') => {
    return {
      type: 'time',
      value: hours[day][end],
      error: errorOf(`opening_hours.${day}.${end}`),
      onChange: ({ target }: { target: { value: string } }) =>
        onChange({ ...hours, [day]: { ...hours[day], [end]: target.value } }),
    } as const;
  };
  return (
    <div>
      <Switch
        label={text('networkStations:always')}
        checked={hours.isAlways}
        disabled={isLocked}
        onChange={(isAlways) => onChange({ ...hours, isAlways })}
      />
      {!hours.isAlways && (
        <div className="mt-2 grid grid-cols-2 gap-3">
          {days.flatMap(({ name, from, to }) => [
            <Field key={from} label={text(from)} {...set(name, 'from')} />,
            <Field key={to} label={text(to)} {...set(name, 'to')} />,
          ])}
          <p className="col-span-2 text-small text-ink-2">{text('networkStations:hoursHint')}</p>
        </div>
      )}
    </div>
  );
}
