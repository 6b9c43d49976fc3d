import type { User } from '@fpay/contract/account';
import { useText } from '../../i18n/use-text.ts';
import { useNavigate } from '../../router/index.ts';
import { useUser } from '../account/queries.ts';
import { useEditUser } from '../profile/queries.ts';
import { CarForm } from './car-form.tsx';

export function Page() {
  const user = useUser();
  return user && <AddPage user={user} />;
}

function AddPage({ user }: { user: User }) {
  const text = useText();
  const navigate = useNavigate();
  const editUser = useEditUser(user);
  return (
    <CarForm
      title={text('cars:addTitle')}
      car={null}
      onSave={async (car) => {
        await editUser({ added_cars: [car] });
        await navigate('/cars', { replace: true });
      }}
    />
  );
}
