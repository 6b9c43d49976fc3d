import type { User } from '@fpay/contract/account';
import type { Car } from '@fpay/contract/cars';
import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import { text as say } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { Navigate, useNavigate, useParams } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { confirm } from '../../ui/overlay/popups.ts';
import { useUser } from '../account/queries.ts';
import { useEditUser } from '../profile/queries.ts';
import { CarForm } from './car-form.tsx';

export function Page() {
  const user = useUser();
  const { carId = '' } = useParams();
  return user && <CarPage key={carId} user={user} carId={Number(carId)} />;
}

function CarPage({ user, carId }: { user: User; carId: number }) {
  // The car as it was when the page opened, because after its deletion the page is still shown for a moment.
  const [car] = useState(() => user.cars.find(({ id }) => id === carId));
  return car ? <EditCar user={user} car={car} /> : <Navigate to="/404" replace />;
}

function EditCar({ user, car }: { user: User; car: Car }) {
  const text = useText();
  const navigate = useNavigate();
  const editUser = useEditUser(user);
  const { mutate, isPending } = useAction(async () => {
    await editUser({ deleted_cars: [car.id] });
    await navigate('/cars', { replace: true });
  });

  async function askToDelete(): Promise<void> {
    const isSure = await confirm({
      title: say('cars:deleteTitle', { name: car.name }),
      effect: effectOfDeleting(user, car),
      confirmLabel: say('cars:delete'),
      cancelLabel: say('cars:keep'),
      kind: 'danger',
    });
    if (isSure) mutate();
  }

  return (
    <CarForm
      title={car.name}
      car={car}
      onSave={async (edited) => {
        await editUser({ edited_cars: [{ id: car.id, ...edited }] });
        await navigate('/cars', { replace: true });
      }}
    >
      <Button kind="text" busy={isPending} onPress={askToDelete}>
        {text('cars:delete')}
      </Button>
    </CarForm>
  );
}

/** Deleting the active car makes the first of the others active. */
function effectOfDeleting({ cars, active_car_id }: User, car: Car): string {
  const next = cars.find(({ id }) => id !== car.id);
  if (car.id !== active_car_id || !next) return say('cars:deleteEffect');
  return say('cars:deleteActiveEffect', { next: next.name });
}
