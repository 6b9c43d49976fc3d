import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import { text as say } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { PopupFrame } from '../../ui/overlay/popup-frame.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { isStationUnknown, requestBind, stationNumberOf } from './bind.ts';
import { rfidQueries } from './queries.ts';

/** Asks for the station where the driver is. */
export function AddPopup({ onClose }: { onClose: () => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const number = stationNumberOf(typed);
  const { mutate, isPending } = useAction(() => requestBind(number), {
    onSuccess: (answer) => {
      if (isStationUnknown(answer)) {
        setUnknown(true);
        return;
      }
      onClose();
      if (answer.refusal) void notify(say(answer.refusal));
      void queryClient.invalidateQueries(rfidQueries.data());
    },
  });
  return (
    <PopupFrame open onClose={onClose} title={text('rfid:addTitle')} titleClassName="text-h2">
      <p className="-mt-3 text-body text-ink-2">{text('rfid:addText')}</p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (number !== '' && !isPending) mutate();
        }}
      >
        <Field
          label={text('rfid:station')}
          placeholder="F1234"
          hint={text('rfid:stationHint', { example: 'F1234' })}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={16}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setUnknown(false);
          }}
          error={isUnknown ? text('rfid:stationNotFound') : undefined}
        />
        <div className="flex flex-col gap-2">
          <MainButton type="submit" busy={isPending} disabled={number === ''} disabledLabel={text('rfid:enterStation')}>
            {text('rfid:start')}
          </MainButton>
          <Button onPress={onClose}>{text('rfid:cancel')}</Button>
        </div>
      </form>
    </PopupFrame>
  );
}
