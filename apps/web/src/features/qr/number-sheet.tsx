import Zap from 'lucide-react/icons/zap';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { stationNumberIn } from './station-code.ts';

interface NumberSheetProps {
  open: boolean;
  onClose: () => void;
  onNumber: (number: string) => void;
}

/** Opens a station by the number on it, without its code. */
export function NumberSheet({ open, onClose, onNumber }: NumberSheetProps) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <Sheet open={open} onClose={onClose} title={text('qr:numberTitle')} subtitle={text('qr:numberWhere')}>
      <form
        className="flex flex-col gap-5 text-left"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const number = stationNumberIn(typed);
          setWrong(number === null);
          if (number !== null) onNumber(number);
        }}
      >
        <Field
          label={text('qr:number')}
          placeholder="F1234"
          icon={<Zap aria-hidden="true" size={20} />}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setWrong(false);
          }}
          error={isWrong ? text('qr:wrongNumber') : undefined}
          autoCapitalize="characters"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={12}
        />
        <MainButton type="submit">{text('qr:toStation')}</MainButton>
      </form>
    </Sheet>
  );
}
