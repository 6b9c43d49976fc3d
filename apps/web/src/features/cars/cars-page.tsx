import type { User } from '@fpay/contract/account';
import { type Car, mostCars } from '@fpay/contract/cars';
import CarIcon from 'lucide-react/icons/car';
import CircleCheck from 'lucide-react/icons/circle-check';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatNumber, gap } from '../../ui/format/number-format.ts';
import { classNames } from '../../ui/hooks/class-names.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Dock } from '../../ui/layout/dock.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { useUser } from '../account/queries.ts';
import { useEditUser } from '../profile/queries.ts';

export function Page() {
  const user = useUser();
  if (!user) return null;
  return user.cars.length > 0 ? <Garage user={user} /> : <NoCars />;
}

function Garage({ user }: { user: User }) {
  const text = useText();
  const editUser = useEditUser(user);
  const { mutate, isPending, variables } = useAction((active_car: number) => editUser({ active_car }));
  // The choice is shown at once; the server's answer follows.
  const activeId = isPending ? variables : user.active_car_id;
  return (
    <>
      <div className="flex flex-1 flex-col gap-4 px-4 pt-1 pb-6">
        <PageTitle back="/account">{text('cars:title')}</PageTitle>
        <p className="-mt-2 text-body text-ink-2">{text('cars:activeHint')}</p>
        <ul aria-label={text('cars:title')} className="flex flex-col gap-2.5">
          {user.cars.map((car) => (
            <CarRow
              key={car.id}
              car={car}
              isActive={car.id === activeId}
              onChoose={() => car.id !== activeId && !isPending && mutate(car.id)}
            />
          ))}
        </ul>
      </div>
      {user.cars.length < mostCars && (
        <Dock>
          <AddButton />
        </Dock>
      )}
    </>
  );
}

interface CarRowProps {
  car: Car;
  isActive: boolean;
  onChoose: () => void;
}

function CarRow({ car, isActive, onChoose }: CarRowProps) {
  const text = useText();
  return (
    <li
      className={classNames(
        'flex items-center rounded-card bg-surface pr-2',
        isActive ? 'shadow-[inset_0_0_0_2px_var(--free-fill)]' : 'shadow-card',
      )}
    >
      <button
        type="button"
        aria-pressed={isActive}
        onClick={onChoose}
        className="flex min-h-19 min-w-0 flex-1 items-center gap-3 rounded-card py-3 pl-4 text-left -outline-offset-3"
      >
        <span
          aria-hidden="true"
          className={classNames(
            'grid size-11 shrink-0 place-items-center rounded-control',
            isActive ? 'bg-free-tint text-free' : 'bg-surface-2',
          )}
        >
          <CarIcon size={22} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="text-card wrap-anywhere">{car.name}</span>
            {isActive && (
              <Badge tone="free" icon={<CircleCheck aria-hidden="true" size={16} />}>
                {text('cars:active')}
              </Badge>
            )}
          </span>
          <Details car={car} />
        </span>
      </button>
      <IconButton
        label={text('cars:edit', { name: car.name })}
        icon={<Pencil size={20} />}
        to={`/car/${car.id}`}
        className="text-ink-2"
      />
    </li>
  );
}

/** Make and model, battery, plate: the parts that the driver entered. */
function Details({ car }: { car: Car }) {
  const text = useText();
  const make = [car.manufacturer, car.model].filter(Boolean).join(' ');
  const battery = car.battery && `${formatNumber(car.battery, { least: 0, most: 1 })}${gap}${text('generic:kwh')}`;
  const details = [make, battery].filter(Boolean).join(' · ');
  return (
    <span className="mt-0.5 block text-note text-ink-2 empty:hidden">
      {details && <span className="block">{details}</span>}
      {car.plate && <span className="block">{car.plate}</span>}
    </span>
  );
}

function NoCars() {
  const text = useText();
  return (
    <>
      <div className="px-4 pt-1">
        <PageTitle back="/account">{text('cars:title')}</PageTitle>
      </div>
      <EmptyState
        level={2}
        drawing={<CarIcon size={64} strokeWidth={1.5} />}
        title={text('cars:empty')}
        text={text('cars:emptyText')}
        actions={<AddButton />}
      />
    </>
  );
}

function AddButton() {
  const text = useText();
  return (
    <MainButton to="/car/add" icon={<Plus aria-hidden="true" size={20} />}>
      {text('cars:add')}
    </MainButton>
  );
}
