import type { Car } from '@fpay/contract/cars';
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { showError } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Dock } from '../../ui/layout/dock.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { type CarErrors, type CarField, carErrorsFrom, carOf, checkCar, checkWhileTyping, typedOf } from './form.ts';

interface CarFormProps {
  title: string;
  /** Null for a new car. */
  car: Car | null;
  onSave: (car: ReturnType<typeof carOf>) => Promise<unknown>;
  /** Shown below the save button. */
  children?: ReactNode;
}

export function CarForm({ title, car, onSave, children }: CarFormProps) {
  const text = useText();
  const [typed, setTyped] = useState(() => typedOf(car));
  const [found, setFound] = useState<CarErrors>({});
  const errors = { ...found, ...(car && checkWhileTyping(typed)) };
  const { mutate, isPending } = useMutation({
    mutationFn: () => onSave(carOf(typed)),
    onError: (error) => {
      const refused = error instanceof ApiError ? carErrorsFrom(error.errors) : {};
      setFound(refused);
      if (Object.keys(refused).length === 0) showError(error);
    },
  });

  const field = (name: CarField): Pick<ComponentProps<typeof Field>, 'value' | 'onChange' | 'error'> => ({
    value: typed[name],
    onChange: ({ target }) => {
      setTyped({ ...typed, [name]: target.value });
      setFound(({ [name]: _, ...others }) => others);
    },
    error: errors[name] && text(errors[name]),
  });

  return (
    <form
      noValidate
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending) return;
        const wrong = checkCar(typed);
        setFound(wrong);
        if (Object.keys(wrong).length === 0) mutate();
      }}
    >
      <div className="flex flex-1 flex-col gap-4 px-4 pt-1 pb-6">
        <PageTitle back="/cars">{title}</PageTitle>
        <Field {...field('name')} label={text('cars:name')} hint={text('cars:nameHint')} autoComplete="off" required />
        <Field
          {...field('battery')}
          label={text('cars:battery')}
          hint={text('cars:batteryHint')}
          inputMode="decimal"
          autoComplete="off"
          trailing={<span className="text-ink-2">{text('generic:kwh')}</span>}
        />
        <div className="grid gap-4 min-[360px]:grid-cols-2">
          <Field {...field('manufacturer')} label={text('cars:manufacturer')} autoComplete="off" />
          <Field {...field('model')} label={text('cars:model')} autoComplete="off" />
        </div>
        <Field {...field('plate')} label={text('cars:plate')} autoComplete="off" autoCapitalize="characters" />
        <Field {...field('vin')} label={text('cars:vin')} autoComplete="off" autoCapitalize="characters" />
      </div>
      <Dock>
        <MainButton type="submit" busy={isPending}>
          {text('cars:save')}
        </MainButton>
        {children}
      </Dock>
    </form>
  );
}
